#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#include "keep_errno.h"

namespace sluice::preload {

namespace {

// The answer of a function that does not exist. A program that finds such a function here may try
// it, although it would not have found it by itself.
long answer_of_nothing() {
  errno = ENOSYS;
  return -1;
}

constexpr uint32_t hash_of(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// The functions that a loaded object defines. glibc's dl-lookup.c reads the same tables.
class Definitions {
 public:
  explicit Definitions(const link_map& object) : base_(object.l_addr) {
    for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_GNU_HASH) table_ = address<uint32_t>(*entry);
      if (entry->d_tag == DT_SYMTAB) symbols_ = address<ElfW(Sym)>(*entry);
      if (entry->d_tag == DT_STRTAB) names_ = address<char>(*entry);
      if (entry->d_tag == DT_VERSYM) versions_ = address<ElfW(Versym)>(*entry);
    }
  }

  bool are_hashed() const { return table_ != nullptr && table_[0] > 0; }

  void* find(const char* name, uint32_t hash) const {
    constexpr size_t header = 4;
    const uint32_t* const buckets =
        table_ + header + table_[2] * (sizeof(size_t) / sizeof(*table_));
    const uint32_t* const hashes = buckets + table_[0];  // of the symbols from table_[1] on
    for (uint32_t place = buckets[hash % table_[0]]; place != 0; ++place) {
      const uint32_t of_place = hashes[place - table_[1]];
      if ((of_place | 1) == (hash | 1) && is_function(place, name)) {
        return reinterpret_cast<void*>(base_ + symbols_[place].st_value);
      }
      if ((of_place & 1) != 0) break;  // the last one of the bucket
    }
    return nullptr;
  }

 private:
  // The loader has added the base, except where it may not write.
  template <typename Type>
  const Type* address(const ElfW(Dyn) & entry) const {
    const uintptr_t value = entry.d_un.d_ptr;
    return reinterpret_cast<const Type*>(value < base_ ? base_ + value : value);
  }

  // A function has one version that is not hidden: the default.
  bool is_function(uint32_t place, const char* name) const {
    constexpr unsigned hidden = 0x8000;
    constexpr unsigned type = 0xf;
    const ElfW(Sym)& symbol = symbols_[place];
    return symbol.st_shndx != SHN_UNDEF && (symbol.st_info & type) == STT_FUNC &&
           (versions_ == nullptr || (versions_[place] & hidden) == 0) &&
           strcmp(names_ + symbol.st_name, name) == 0;
  }

  uintptr_t base_;
  const uint32_t* table_ = nullptr;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  const ElfW(Versym) * versions_ = nullptr;
};

}  // namespace

const link_map& own_object() {
  const link_map* object = _r_debug.r_map;
  while (object->l_ld != _DYNAMIC) object = object->l_next;
  return *object;
}

namespace {

const link_map* last_of_program = nullptr;

[[gnu::constructor]] void note_objects_of_program() {
  const link_map* object = &own_object();
  while (object->l_next != nullptr) object = object->l_next;
  last_of_program = object;
}

}  // namespace

// The objects behind this one are, in this order, those that were loaded with the program, and then
// those that dlopen() has loaded. Only dlopen() may have found a library that nobody else sees, for
// example libaio, and dlclose() may end such a library. dlsym() would wait for a lock, and would
// clear the error that dlerror() is to tell the program. It is for objects that are hashed in an
// older way.
RealFunction find_real_function(const char* name) {
  const uint32_t hash = hash_of(name);
  bool stays = true;
  for (const link_map* object = own_object().l_next; object != nullptr; object = object->l_next) {
    const Definitions definitions(*object);
    void* const function =
        definitions.are_hashed() ? definitions.find(name, hash) : dlsym(RTLD_NEXT, name);
    if (function != nullptr) return {function, stays};
    if (object == last_of_program) stays = false;
  }
  return {reinterpret_cast<void*>(answer_of_nothing), false};
}

namespace {

// Two threads may do this at once: they find the same.
template <auto Function, typename Type>
Type* find(const char* name) {
  auto* const function = reinterpret_cast<Type*>(find_real_function(name).address);
  __atomic_store_n(&(real_functions.*Function), function, __ATOMIC_RELAXED);
  return function;
}

// What stands in the table until a function is first called.
template <auto Function, const char* name, typename Result, typename... Parameters, bool plain>
constexpr auto first_call(Result (*RealFunctions::*)(Parameters...) noexcept(plain)) {
  return +[](Parameters... parameters) noexcept(plain) -> Result {
    return find<Function, Result(Parameters...) noexcept(plain)>(name)(parameters...);
  };
}
long first_syscall(long number, ...) noexcept {
  long given[6];
  va_list list;
  va_start(list, number);
  for (long& value : given) value = va_arg(list, long);
  va_end(list);
  auto* const function = find<&RealFunctions::syscall, decltype(first_syscall)>("syscall");
  return function(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}
template <auto Function, const char* name>
constexpr auto first_call(long (*RealFunctions::*)(long, ...) noexcept) {
  return first_syscall;
}

#define SLUICE_NAME(LOCKING, NAME, ...) constexpr char name_of_##NAME[] = #NAME;
SLUICE_STDIO_CALLS(SLUICE_NAME)
SLUICE_OTHER_CALLS(SLUICE_NAME)

}  // namespace

#define SLUICE_FIRST_CALL(LOCKING, NAME, ...) \
  .NAME = first_call<&RealFunctions::NAME, name_of_##NAME>(&RealFunctions::NAME),
constinit RealFunctions real_functions = {SLUICE_STDIO_CALLS(SLUICE_FIRST_CALL)
                                              SLUICE_OTHER_CALLS(SLUICE_FIRST_CALL)};

// The kernel reads there before it refuses to change a signal mask in no known way. A null pointer
// it does not refuse.
bool is_readable(const void* address) {
  const KeepErrno kept;
  constexpr int no_way = -1;
  return real().syscall(SYS_rt_sigprocmask, no_way, address, nullptr, sizeof(uint64_t)) != 0 &&
         errno == EINVAL;
}

}  // namespace sluice::preload
