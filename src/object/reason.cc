#include "object/reason.h"

#include <arrow/util/io_util.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace sluice::object {
namespace {

struct Meaning {
  std::string_view words;
  int code;
};

// How Arrow and the libraries below it name the failures that a program can act on.
constexpr std::array<Meaning, 18> meanings = {{
    {"NO_SUCH_BUCKET", ENOENT},
    {"NO_SUCH_KEY", ENOENT},
    {"RESOURCE_NOT_FOUND", ENOENT},
    {"does not exist", ENOENT},
    {"Status(NOT_FOUND", ENOENT},
    {"ACCESS_DENIED", EACCES},
    {"INVALID_ACCESS_KEY_ID", EACCES},
    {"AdminUserNotFound", EACCES},
    {"SIGNATURE_DOES_NOT_MATCH", EACCES},
    {"INVALID_SIGNATURE", EACCES},
    {"HTTP response code: 403", EACCES},
    {"HTTP status 403", EACCES},
    {"NETWORK_CONNECTION", EHOSTUNREACH},
    {"REQUEST_TIMEOUT", ETIMEDOUT},
    {"No space left", ENOSPC},
    {"QuotaExceeded", ENOSPC},
    {"Not a regular file", EISDIR},
    {"Unrecognized filesystem type", ENOTSUP},
}};

struct Missing {
  std::string_view words;
  std::string_view reason;
};

// Arrow loads these libraries when an hdfs:// URI is opened, and names each place where it looked:
// thousands of letters.
constexpr std::array<Missing, 2> missing_libraries = {{
    {"Unable to load libjvm",
     "hdfs:// needs Java, and libjvm.so was not found: install a Java runtime, and set JAVA_HOME "
     "to its folder"},
    {"Unable to load libhdfs",
     "hdfs:// needs Hadoop's library, and libhdfs.so was not found: install Hadoop, and set "
     "HADOOP_HOME to its folder (or ARROW_LIBHDFS_DIR to the folder of libhdfs.so) and CLASSPATH "
     "to the output of `hadoop classpath --glob`"},
}};

const Missing* missing_library(const arrow::Status& result) {
  const auto found = std::ranges::find_if(missing_libraries, [&](const Missing& library) {
    return result.message().find(library.words) != std::string::npos;
  });
  return found == missing_libraries.end() ? nullptr : &*found;
}

// A store may repeat what it was sent.
void leave_out(const char* variable, std::string& text) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return;
  const std::string_view secret(value);
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), "...");
    at += 3;
  }
}

struct Hint {
  std::string_view words;
  std::string_view hint;
  std::string_view also{};  // further words that the text must have
};

// What to do about failures of which Arrow's words do not say it. The first one that fits counts.
constexpr std::array<Hint, 18> hints = {{
    {"ACCESS_DENIED during Head",
     "the store refuses the credentials of the environment or the profile, or there are none"},
    {"HTTP status 416", "the object was replaced by a shorter one while it was read"},
    {"Failed to flush response stream",
     "the store answered with a message instead of the object's bytes: it may have been replaced "
     "by a shorter one, or removed"},
    {"wrong version number",
     "a store without TLS needs the option scheme=http, or http:// in AWS_ENDPOINT_URL", "AWS"},
    {"wrong version number",
     "a store without TLS needs the option enable_tls=false (abfs://) or scheme=http (gs://)"},
    {"Anonymous users",
     "no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile"},
    {"Could not create a OAuth2 access token",
     "no credentials of Google were found: set GOOGLE_APPLICATION_CREDENTIALS to the file of a "
     "key"},
    {"DefaultAzureCredential",
     "no credentials of Azure were found: set AZURE_STORAGE_KEY, or log in with az"},
    {"contain a valid account name", "use abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/NAME"},
    {"NO_SUCH_BUCKET", "make the bucket with a program of the store, or correct its name"},
    {"SIGNATURE_DOES_NOT_MATCH",
     "AWS_SECRET_ACCESS_KEY or the profile has another secret than the store"},
    {"INVALID_ACCESS_KEY_ID", "AWS_ACCESS_KEY_ID or the profile has a key that the store lacks"},
    {"AdminUserNotFound", "AWS_ACCESS_KEY_ID or the profile has a key that the store lacks"},
    {"Unexpected query parameter in S3 URI",
     "options that are often used: region, scheme, endpoint_override"},
    {"Invalid S3 connection scheme", "use scheme=http or scheme=https"},
    {"curlCode: 6,",
     "no machine has this name: a store of your own needs its address in AWS_ENDPOINT_URL or in "
     "the option endpoint_override; in Amazon's store the option region may be wrong"},
    {"Could not connect to server",
     "does the store run, and does AWS_ENDPOINT_URL or the option endpoint_override have its "
     "address?",
     "AWS"},
    {"Could not connect to server", "does the store run, and does the URI have its address?"},
}};

// In a longer text nobody finds what comes last.
constexpr std::size_t long_text = 200;

void add_hint(std::string& text) {
  for (const Hint& known : hints) {
    const bool fits =
        text.find(known.words) != std::string::npos && text.find(known.also) != std::string::npos;
    if (!fits) continue;
    const bool is_long = text.size() > long_text;
    const std::string_view first = is_long ? known.hint : std::string_view(text);
    const std::string_view second = is_long ? std::string_view(text) : known.hint;
    text = std::string(first) + " (" + std::string(second) + ")";
    return;
  }
}

// The library of gs:// says everything again, in braces, and begins with a parenthesis.
void shorten(std::string& text) {
  text.resize(std::min(text.size(), text.find(" error_info={")));
  constexpr std::string_view google = "google::cloud::Status(";
  if (const std::size_t begin = text.find(google); begin != std::string::npos) {
    text.erase(0, begin + google.size());
    if (text.ends_with(')')) text.pop_back();
  }
  if (const std::size_t begin = text.find("AWS Error"); begin != std::string::npos) {
    text.erase(0, begin);
  }
}

void clean(std::string& text) {
  for (char& letter : text) {
    if (letter == '\n' || letter == '\r') letter = ' ';
  }
  shorten(text);
  for (const char* variable : {"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID",
                               "AZURE_STORAGE_KEY", "AZURE_CLIENT_SECRET"}) {
    leave_out(variable, text);
  }
}

void add_what_may_stay(std::string& text) {
  if (text.find("AbortMultipartUpload") == std::string::npos) return;
  text += "; the parts that were sent may stay in the store";
}

}  // namespace

int code_of(const arrow::Status& result) {
  if (const int code = arrow::internal::ErrnoFromStatus(result); code != 0) return code;
  if (result.IsOutOfMemory()) return ENOMEM;
  if (missing_library(result) != nullptr) return ENOTSUP;
  if (result.IsNotImplemented()) return ENOTSUP;
  for (const Meaning& meaning : meanings) {
    if (result.message().find(meaning.words) != std::string::npos) return meaning.code;
  }
  return result.IsInvalid() ? EINVAL : EIO;
}

std::string clean_reason(std::string text) {
  clean(text);
  add_hint(text);
  add_what_may_stay(text);
  return text;
}

std::string reason_of(const arrow::Status& result) {
  if (const Missing* const library = missing_library(result)) return std::string(library->reason);
  const bool is_missing = result.message().starts_with("Path does not exist") ||
                          result.message().find("Status(NOT_FOUND") != std::string::npos;
  if (is_missing) {
    return "the store has no such object, or no such bucket";
  }
  return clean_reason(result.message());
}

// The words of the library below Arrow follow the name of the request.
std::string reason_in_short(const arrow::Status& result) {
  std::string text = result.message();
  clean(text);
  text.resize(std::min(text.size(), text.find(" operation: ")));
  add_what_may_stay(text);
  return text;
}

}  // namespace sluice::object
