#include "sluice/object.h"

#include <cerrno>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "object/file_system.h"
#include "object/object_sink.h"
#include "object/object_source.h"
#include "object/object_uri.h"
#include "object/reason.h"

namespace sluice {
namespace {

constexpr std::size_t max_at_a_time = 64;
constexpr std::size_t min_range_bytes = 4096;
constexpr std::size_t max_range_bytes = std::size_t{1} << 30;

Status refused(const object::ObjectUri& uri, int code, std::string_view reason) {
  return Status::failure(Operation::open, uri.shown, code, std::nullopt, reason);
}

Status check(const object::ObjectUri& uri, const ObjectOptions& options) {
  if (options.parts_in_flight == 0 || options.parts_in_flight > max_at_a_time) {
    return refused(uri, EINVAL, "parts_in_flight is not between 1 and 64");
  }
  if (options.ranges_ahead > max_at_a_time) {
    return refused(uri, EINVAL, "ranges_ahead is larger than 64");
  }
  if (options.range_bytes < min_range_bytes || options.range_bytes > max_range_bytes) {
    return refused(uri, EINVAL, "range_bytes is not between 4 KiB and 1 GiB");
  }
  return {};
}

Status check_create(const object::ObjectUri& uri, CreateMode create) {
  switch (create) {
    case CreateMode::truncate:
    case CreateMode::replace_atomically: return {};
    case CreateMode::exclusive:
      return refused(uri, ENOTSUP,
                     "CreateMode::exclusive needs a store that creates an object only if there is "
                     "none, and Arrow has no such request");
    case CreateMode::append:
    case CreateMode::existing: break;
  }
  return refused(uri, EINVAL,
                 "an object is written from its beginning, as a whole: use another CreateMode");
}

// Calls `open` with the place of the object. Without memory the call fails with ENOMEM. The
// standard library throws other exceptions too, as where it finds no random numbers.
template <typename Open>
Status open_place(std::string_view text, const ObjectOptions& options,
                  std::optional<CreateMode> create, Open open) {
  object::ObjectUri uri;
  try {
    Status status = object::parse_uri(text, uri);
    if (status.ok()) status = check(uri, options);
    if (status.ok() && create) status = check_create(uri, *create);
    object::Place place;
    if (status.ok()) status = object::find_place(uri, place);
    return status.ok() ? open(uri, std::move(place)) : status;
  } catch (const std::bad_alloc&) {
    return Status::failure(Operation::allocate, "(object)", ENOMEM);
  } catch (const std::exception& failure) {
    return Status::failure(Operation::open, uri.shown, EIO, std::nullopt,
                           object::clean_reason(failure.what()));
  }
}

Status open_sink(std::string_view text, const ObjectOptions& object, const WriterOptions& options,
                 std::unique_ptr<Sink>& sink) {
  const auto open = [&](const object::ObjectUri& uri, object::Place place) {
    if (uri.scheme != "file") return object::open_sink(std::move(place), object, sink);
    WriterOptions of_file = options;
    of_file.create = CreateMode::replace_atomically;
    return open_file_sink(place.path, of_file, sink);
  };
  return open_place(text, object, options.create, open);
}

Status open_source(std::string_view text, const ObjectOptions& object, const ReaderOptions& options,
                   std::unique_ptr<Source>& source) {
  const auto open = [&](const object::ObjectUri& uri, object::Place place) {
    return uri.scheme == "file" ? open_file_source(place.path, options, source)
                                : object::open_source(std::move(place), object, source);
  };
  return open_place(text, object, std::nullopt, open);
}

}  // namespace

Status make_object_sink(std::string_view uri, const ObjectOptions& object,
                        std::unique_ptr<Sink>& sink) {
  return open_sink(uri, object, {}, sink);
}

Status make_object_source(std::string_view uri, const ObjectOptions& object,
                          std::unique_ptr<Source>& source) {
  return open_source(uri, object, {}, source);
}

Status open_object(Writer& writer, std::string_view uri, const ObjectOptions& object,
                   const WriterOptions& options) {
  std::unique_ptr<Sink> sink;
  Status status = open_sink(uri, object, options, sink);
  return status.ok() ? writer.open(std::move(sink), options) : status;
}

Status open_object(Reader& reader, std::string_view uri, const ObjectOptions& object,
                   const ReaderOptions& options) {
  ObjectOptions of_source = object;
  if (options.read_ahead == ReadAhead::off) of_source.ranges_ahead = 0;
  std::unique_ptr<Source> source;
  Status status = open_source(uri, of_source, options, source);
  return status.ok() ? reader.open(std::move(source), options) : status;
}

}  // namespace sluice
