// Objects in an object store: a Writer writes an object, and a Reader reads one.
//
//   sluice::Writer writer;
//   if (Status status = sluice::open_object(writer, "s3://bucket/run.bin"); !status.ok())
//     return status;
//   for (double value : values) writer.write_value(value);
//   return writer.close();  // ok only if the store has the whole object
//
// A URI names an object: s3://BUCKET/NAME, gs://BUCKET/NAME, hdfs://HOST/NAME or
// abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/NAME. The scheme "file" and an absolute path name a
// file. Arrow C++ speaks to the stores, so a URI may have the options that Arrow knows, as in
// s3://bucket/name?region=eu-west-1. Link sluice::object.
//
// Credentials come from where the store's own programs find them: environment variables, a profile,
// or the role of the machine. A URI that holds credentials is refused, because others could read
// them in a list of processes or in a log. Messages name the URI without its options. For abfs://
// the environment variable AZURE_STORAGE_KEY may have the key of the account.
//
// An object appears in the store when close() is ok, as a whole and in the place of an old object
// with its name. Nothing of it can be seen before. If the Writer fails, is discarded or is
// destroyed without close(), the old object stays, and the bytes that were sent are given up. There
// is one exception: if the answer to the last request of an upload is lost, the store may have the
// new object although close() fails. On s3:// the message of this failure says so.
//
// Only close() makes the bytes visible and durable. flush() does neither: with FlushTo::storage it
// waits for the parts that are under way, and shows their failures, and bytes that fill no part
// stay in memory. WriterOptions::durability changes nothing, with none of its values.
//
// A process that is killed leaves parts behind which no reader can see. On s3:// the parts stay
// until a rule of the bucket (AbortIncompleteMultipartUpload) removes them. In the other stores
// they are an object `.sluice-...` beside the object. Giving an upload up waits for the parts that
// are on their way, for at most 5 minutes. After that it fails with ETIMEDOUT, and parts may stay.
//
// close() asks the store whether it has the object, because some stores say that all is well
// although they have no object. Mostly this is one short request. If the store has no such object,
// or one of another size, close() fails with EIO. On s3:// it first asks again and again, because a
// store may still copy the parts: for 2 seconds, and 1 second more for each 20 MB, but at most 5
// minutes. If the store does not answer the first question, as when the credentials may only write,
// close() asks no more and is ok. Another program that moves or replaces the object at the same
// time can make close() fail, although the object was whole.
//
// Arrow repeats a request that finds no connection. On s3:// and gs:// it gives up after some
// seconds. A request that s3:// takes and never answers counts as failed after 30 seconds, and an
// upload of a part after about one minute. A request is sent at most nine times, and not again when
// it failed first more than three and a half minutes ago. So if the store no longer answers,
// open(), a write and close() fail after about five minutes. Once a request was sent again and
// again in vain, or the upload is given up, requests are repeated for 10 seconds only. So giving up
// takes about one minute, also at the end of a close() that fails. Arrow's threads send 8 parts at
// the same time: with more parts in flight, both times grow by about half a minute for each further
// 8 parts. (On gs:// the URI's option retry_limit_seconds says when it gives up, by default after
// 10 seconds. The search for credentials may take longer.) On abfs:// and hdfs:// the rules of
// their libraries say when it gives up. After it has given up, the failure reaches the Writer or
// Reader.
//
// Threads: one thread at a time may use a Writer or Reader. Arrow's threads send and fetch: 8 for
// the process, unless the environment variable ARROW_IO_THREADS has another number. Close every
// Writer before main() ends, because at exit Arrow ends its connections. A forked child must not
// use objects, and must end by _exit() or exec(), because Arrow's libraries do not support exit()
// there. The child does no harm to the objects of its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sluice/options.h"
#include "sluice/reader.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/status.h"
#include "sluice/writer.h"

namespace sluice {

// How objects are sent and fetched.
struct ObjectOptions {
  // The number of parts that are on their way to the store at the same time, 1 to 64. A part has
  // 10 MiB, because Arrow sends parts of this size. The memory of a Writer's Sink is at most
  // parts_in_flight + 1 parts. On gs:// there are no parts: the Sink gathers 8 MiB, and the Writer
  // waits while they are sent.
  std::size_t parts_in_flight = 4;
  // The number of ranges that are fetched at the same time while a Reader reads on, 0 to 64. With 0
  // each range is fetched when the Reader comes to it. The memory of a Reader's Source is at most
  // ranges_ahead + 1 ranges.
  std::size_t ranges_ahead = 8;
  // The size of a range, 4 KiB to 1 GiB. The first ranges after open or seek are smaller.
  std::size_t range_bytes = std::size_t{4} << 20;
};

// True if `text` begins as the URI of an object does: a scheme and "://". A path that begins in
// this way can be given as "./s3://...".
inline bool is_object_uri(std::string_view text) noexcept {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const std::string_view scheme = text.substr(0, text.find("://"));
  if (scheme.empty() || scheme.size() == text.size() || !is_letter(scheme[0])) return false;
  for (const char c : scheme) {
    const bool is_allowed =
        is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!is_allowed) return false;
  }
  return true;
}

// Makes a Sink that writes the object `uri`. The Sink is staged, has no positions (ESPIPE), and can
// be wrapped (sluice/sinks.h) or written to by a compressing Sink (sluice/compression.h). For a
// file:// URI it is the Sink of CreateMode::replace_atomically.
//
// A failure of the store may be noticed a few parts after the part that failed. So the offset of
// the failure is the byte at which it was noticed.
//
// An object has at most 10,000 parts on s3://, or 97.6 GiB. The first byte beyond it fails with
// EFBIG.
//
// Fails with EINVAL if the URI names no object or holds credentials, and if the options make no
// sense; with ENOTSUP if this build of Arrow lacks the store; with EACCES, ENOENT, EHOSTUNREACH or
// EIO if the store refuses or cannot be reached.
Status make_object_sink(std::string_view uri, const ObjectOptions& object,
                        std::unique_ptr<Sink>& sink);

// Makes a Source that reads the object `uri`. It has positions and a size. While the Reader reads
// on, the Source fetches the next ranges ahead, several at the same time. At the beginning of the
// object it fetches three ranges together, of up to 256 KiB, 1 MiB and 4 MiB. After a seek to
// another position the ranges begin small and single, and grow.
//
// An object that is replaced while it is read may give bytes of both objects. If the new object is
// shorter, a read beyond its end fails with EIO.
//
// Fails as make_object_sink() does, and with ENOENT if there is no such object.
Status make_object_source(std::string_view uri, const ObjectOptions& object,
                          std::unique_ptr<Source>& source);

// Opens the object `uri` for writing. CreateMode::truncate and replace_atomically both replace an
// old object at close(). CreateMode::exclusive fails with ENOTSUP, because Arrow has no request
// that creates an object only if there is none. append and existing fail with EINVAL. The options
// about disks (`permissions`, `cache`, `direct`, `write_back_bytes`) count for file:// URIs alone.
Status open_object(Writer& writer, std::string_view uri, const ObjectOptions& object = {},
                   const WriterOptions& options = {});

// Opens the object `uri` for reading. With ReadAhead::off nothing is fetched ahead.
Status open_object(Reader& reader, std::string_view uri, const ObjectOptions& object = {},
                   const ReaderOptions& options = {});

}  // namespace sluice
