// What a program is told about a failure of Arrow.
#include "object/reason.h"

#include <arrow/status.h>
#include <arrow/util/io_util.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace sluice::testing {
namespace {

using arrow::Status;
using object::clean_reason;
using object::code_of;
using object::reason_in_short;
using object::reason_of;

// A variable of the environment that is as before when the test has ended.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  ~Variable() {
    if (before_) ::setenv(name_, before_->c_str(), 1);
    if (!before_) ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
  std::optional<std::string> before_{};
};

TEST(ObjectReason, GivesTheCodeThatAProgramCanActOn) {
  for (const auto& [words, code] :
       {std::pair("AWS Error NO_SUCH_BUCKET during CreateMultipartUpload", ENOENT),
        std::pair("AWS Error NO_SUCH_KEY during GetObject", ENOENT),
        std::pair("AWS Error RESOURCE_NOT_FOUND during HeadObject", ENOENT),
        std::pair("Path does not exist 'bucket/name'", ENOENT),
        std::pair("google::cloud::Status(NOT_FOUND: Permanent error", ENOENT),
        std::pair("AWS Error ACCESS_DENIED during HeadObject", EACCES),
        std::pair("AWS Error INVALID_ACCESS_KEY_ID during PutObject", EACCES),
        std::pair("AWS Error UNKNOWN (HTTP status 404): XAdminUserNotFound", EACCES),
        std::pair("AWS Error SIGNATURE_DOES_NOT_MATCH during PutObject", EACCES),
        std::pair("AWS Error INVALID_SIGNATURE during PutObject", EACCES),
        std::pair("HTTP response code: 403 Forbidden", EACCES),
        std::pair("AWS Error UNKNOWN (HTTP status 403)", EACCES),
        std::pair("AWS Error NETWORK_CONNECTION during PutObject", EHOSTUNREACH),
        std::pair("AWS Error REQUEST_TIMEOUT during PutObject", ETIMEDOUT),
        std::pair("InternalError: No space left on device", ENOSPC),
        std::pair("AWS Error UNKNOWN: QuotaExceeded", ENOSPC),
        std::pair("Not a regular file: 'bucket/folder'", EISDIR),
        std::pair("Unrecognized filesystem type in URI: gs://x/y", ENOTSUP),
        std::pair("AWS Error SLOW_DOWN during PutObject", EIO)}) {
    EXPECT_EQ(code_of(Status::IOError(words)), code) << words;
  }
}

TEST(ObjectReason, GivesTheCodeOfTheSystemAndOfArrowsOwnKinds) {
  EXPECT_EQ(code_of(arrow::internal::IOErrorFromErrno(EROFS, "cannot write")), EROFS);
  EXPECT_EQ(code_of(Status::OutOfMemory("malloc of size 10485760 failed")), ENOMEM);
  EXPECT_EQ(code_of(Status::NotImplemented("got hdfs URI but Arrow was built without")), ENOTSUP);
  EXPECT_EQ(code_of(Status::Invalid("Unexpected query parameter in S3 URI: 'x'")), EINVAL);
  EXPECT_EQ(code_of(Status::Invalid("AWS Error ACCESS_DENIED")), EACCES);
  EXPECT_EQ(code_of(Status::UnknownError("something")), EIO);
}

TEST(ObjectReason, IsOneLineThatBeginsWhereTheStoreSpeaks) {
  EXPECT_EQ(reason_of(Status::IOError("When uploading part for key 'name' in bucket 'bucket': AWS "
                                      "Error SLOW_DOWN: try\r\nlater")),
            "AWS Error SLOW_DOWN: try  later");
  EXPECT_EQ(
      reason_of(Status::IOError("google::cloud::Status(UNAVAILABLE: again error_info={x=y})")),
      "UNAVAILABLE: again");
  EXPECT_EQ(reason_of(Status::IOError("google::cloud::Status(UNAVAILABLE: again)")),
            "UNAVAILABLE: again");
  EXPECT_EQ(reason_of(Status::IOError("google::cloud::Status(NOT_FOUND: Permanent error, with a "
                                      "last message of Not Found error_info={x=y})")),
            "the store has no such object, or no such bucket");
  EXPECT_EQ(reason_of(Status::IOError("Path does not exist 'bucket/name'. Detail: [errno 2]")),
            "the store has no such object, or no such bucket");
}

TEST(ObjectReason, SaysWhatToDo) {
  for (const auto& [words, hint] :
       {std::pair("AWS Error ACCESS_DENIED during HeadObject", "the store refuses the credentials"),
        std::pair("AWS Error UNKNOWN (HTTP status 416)", "replaced by a shorter one"),
        std::pair("AWS Error INTERNAL_FAILURE during GetObject operation: Failed to flush response "
                  "stream (eof: 0, bad: 1)",
                  "replaced by a shorter one, or removed"),
        std::pair("AWS Error: curlCode: 35, SSL::wrong version number",
                  "http:// in AWS_ENDPOINT_URL"),
        std::pair("curlCode: 35, SSL routines::wrong version number", "enable_tls=false"),
        std::pair("AWS Error ACCESS_DENIED during CreateMultipartUpload: Anonymous users cannot",
                  "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
        std::pair("AWS Error INVALID_ACCESS_KEY_ID during PutObject", "AWS_ACCESS_KEY_ID or the"),
        std::pair("AWS Error UNKNOWN: XAdminUserNotFound", "AWS_ACCESS_KEY_ID or the profile"),
        std::pair("AWS Error: curlCode: 6, Could not resolve hostname", "AWS_ENDPOINT_URL"),
        std::pair("Could not create a OAuth2 access token", "GOOGLE_APPLICATION_CREDENTIALS"),
        std::pair("DefaultAzureCredential: no token", "AZURE_STORAGE_KEY"),
        std::pair("AWS Error NO_SUCH_BUCKET during PutObject", "make the bucket"),
        std::pair("AWS Error SIGNATURE_DOES_NOT_MATCH", "AWS_SECRET_ACCESS_KEY"),
        std::pair("Unexpected query parameter in S3 URI: 'x'", "endpoint_override"),
        std::pair("Invalid S3 connection scheme 'ftp'", "scheme=https"),
        std::pair("AWS Error: curlCode: 7, Could not connect to server", "endpoint_override"),
        std::pair("curlCode: 7, Could not connect to server", "does the URI have its address?"),
        std::pair("The URI does not contain a valid account name",
                  "abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/NAME")}) {
    const std::string reason = reason_of(Status::IOError(words));
    EXPECT_TRUE(reason.starts_with(words)) << reason;
    EXPECT_NE(reason.find(hint, std::string(words).size()), std::string::npos) << reason;
  }
  EXPECT_EQ(reason_of(Status::IOError("AWS Error SLOW_DOWN")), "AWS Error SLOW_DOWN");
}

TEST(ObjectReason, InShortLeavesOutTheWordsOfTheLibraryBelowArrow) {
  const Variable secret("AWS_ACCESS_KEY_ID", "HIDDEN");
  EXPECT_EQ(reason_in_short(Status::IOError("When aborting: AWS Error NETWORK_CONNECTION during "
                                            "AbortMultipartUpload operation: curlCode: 7, Could "
                                            "not connect to server")),
            "AWS Error NETWORK_CONNECTION during AbortMultipartUpload; the parts that were sent "
            "may stay in the store");
  EXPECT_EQ(reason_in_short(Status::IOError("AWS Error: HIDDEN")), "AWS Error: ...");
}

TEST(ObjectReason, NamesTheLibraryThatIsMissingInsteadOfEachPlace) {
  for (const auto& [words, name] :
       {std::pair("Unable to load libjvm: /a: no such file; /b: no such file", "JAVA_HOME"),
        std::pair("Unable to load libhdfs: /a: no such file; /b: no such file", "HADOOP_HOME")}) {
    const Status failure = Status::IOError(words);
    EXPECT_EQ(code_of(failure), ENOTSUP);
    EXPECT_NE(reason_of(failure).find(name), std::string::npos);
    EXPECT_EQ(reason_of(failure).find("no such file"), std::string::npos);
  }
}

TEST(ObjectReason, ShowsNoCredentialsThatTheStoreRepeats) {
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID",
                           "AZURE_STORAGE_KEY", "AZURE_CLIENT_SECRET"}) {
    const Variable secret(name, "HIDDEN");
    EXPECT_EQ(clean_reason("refused HIDDEN, HIDDENHIDDEN"), "refused ..., ......") << name;
    EXPECT_EQ(reason_of(Status::IOError("AWS Error: HIDDEN")), "AWS Error: ...") << name;
  }
  const Variable empty("AWS_SESSION_TOKEN", "");
  EXPECT_EQ(clean_reason("refused"), "refused");
}

}  // namespace
}  // namespace sluice::testing
