// Whole files, copies and memory in the C interface.
#include "sluice/files.h"

#include <new>
#include <string>

#include "c/error.h"
#include "c/handles.h"
#include "sluice/copy.h"

using sluice::CInterface;
using sluice::Operation;
using sluice::Status;

namespace {

// Calls `call` with the path as a std::string, and describes its Status.
template <typename Call>
bool with_path(const char* path, Operation operation, sluice_error* error, Call call) noexcept {
  if (path == nullptr) {
    return sluice::c::succeeds(sluice::c::is_null(operation, "the path is NULL"), error);
  }
  return sluice::c::succeeds(sluice::c::guarded(path, [&] { return call(std::string(path)); }),
                             error);
}

}  // namespace

sluice_bytes* sluice_bytes_new(void) { return new (std::nothrow) sluice_bytes; }

void* sluice_bytes_data(sluice_bytes* bytes) {
  return bytes == nullptr ? nullptr : bytes->bytes.data();
}

size_t sluice_bytes_size(const sluice_bytes* bytes) {
  return bytes == nullptr ? 0 : bytes->bytes.size();
}

void sluice_bytes_free(sluice_bytes* bytes) { delete bytes; }

bool sluice_read_file(const char* path, sluice_bytes* into, sluice_error* error) {
  return with_path(path, Operation::read, error, [&](const std::string& name) {
    if (into == nullptr) return sluice::c::is_null(Operation::read, "the sluice_bytes is NULL");
    return sluice::read_file(name, into->bytes);
  });
}

bool sluice_read_into(const char* path, void* into, size_t bytes, size_t* got,
                      sluice_error* error) {
  return with_path(path, Operation::read, error, [&](const std::string& name) {
    return sluice::read_into(name, {static_cast<std::byte*>(into), bytes}, *got);
  });
}

bool sluice_write_file(const char* path, const void* data, size_t bytes,
                       const sluice_writer_options* options, sluice_error* error) {
  return with_path(path, Operation::write, error, [&](const std::string& name) {
    sluice::WriterOptions taken;
    Status status = sluice::c::take_options(name, options, taken);
    if (!status.ok()) return status;
    return sluice::write_file(name, {static_cast<const char*>(data), bytes}, taken);
  });
}

bool sluice_file_size(const char* path, uint64_t* bytes, sluice_error* error) {
  return with_path(path, Operation::stat, error,
                   [&](const std::string& name) { return sluice::file_size(name, *bytes); });
}

bool sluice_descriptor_size(int descriptor, uint64_t* bytes, sluice_error* error) {
  return sluice::c::succeeds(sluice::file_size(descriptor, *bytes), error);
}

bool sluice_copy_file(const char* from, const char* to, const sluice_copy_options* options,
                      sluice_error* error) {
  return with_path(from, Operation::read, error, [&](const std::string& source) {
    if (to == nullptr) return sluice::c::is_null(Operation::write, "the path is NULL");
    sluice::CopyOptions taken;
    Status status = sluice::c::take_options(to, options, taken);
    return status.ok() ? sluice::copy_file(source, to, taken) : status;
  });
}

bool sluice_copy(sluice_reader* from, sluice_writer* to, uint64_t bytes, uint64_t* copied,
                 sluice_error* error) {
  uint64_t ignored = 0;
  uint64_t& passed = copied == nullptr ? ignored : *copied;
  passed = 0;
  if (from == nullptr || to == nullptr) {
    return sluice::c::succeeds(
        sluice::c::is_null(from == nullptr ? Operation::read : Operation::write,
                           "the sluice_reader or the sluice_writer is NULL"),
        error);
  }
  return sluice::c::succeeds(
      sluice::copy(CInterface::of(*from), CInterface::of(*to), bytes, passed), error);
}

bool sluice_remove_abandoned_replacements(const char* directory, uint64_t* removed,
                                          sluice_error* error) {
  return with_path(directory, Operation::remove, error, [&](const std::string& name) {
    return sluice::remove_abandoned_replacements(name, *removed);
  });
}

sluice_mapping* sluice_map_file(const char* path, sluice_error* error) {
  auto* const mapping = new (std::nothrow) sluice_mapping;
  const bool is_mapped = with_path(path, Operation::map, error, [&](const std::string& name) {
    if (mapping == nullptr) throw std::bad_alloc();
    return sluice::map_file(name, mapping->file);
  });
  if (is_mapped) return mapping;
  delete mapping;
  return nullptr;
}

const void* sluice_mapping_data(const sluice_mapping* mapping) {
  return mapping == nullptr ? nullptr : mapping->file.bytes().data();
}

size_t sluice_mapping_size(const sluice_mapping* mapping) {
  return mapping == nullptr ? 0 : mapping->file.bytes().size();
}

void sluice_mapping_free(sluice_mapping* mapping) { delete mapping; }
