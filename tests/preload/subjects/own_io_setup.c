// Stands for a library for requests, such as libaio: it has a function of a name that the C library
// lacks.
int io_setup(unsigned count, void* context);

int io_setup(unsigned count, void* context) {
  (void)context;
  return (int)count + 1;
}
