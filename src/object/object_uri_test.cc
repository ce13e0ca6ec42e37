// What is taken for the URI of an object, and what messages show of it.
#include "object/object_uri.h"

#include <arrow/util/config.h>
#ifdef ARROW_AZURE
#include <arrow/filesystem/azurefs.h>
#endif
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/object.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

TEST(ObjectUri, IsTakenApart) {
  object::ObjectUri uri;
  EXPECT_TRUE(object::parse_uri("S3://bucket/a/b%20c?region=x&scheme=http", uri).ok());
  EXPECT_EQ(uri.scheme, "s3");
  EXPECT_EQ(uri.shown, "s3://bucket/a/b%20c");
  for (const std::string text :
       {"gs://anonymous@bucket/name", "s3://bucket/monkey",
        "abfs://container@account.dfs.core.windows.net/name",
        "abfs://account.blob.core.windows.net/container/name",
        "abfs://account@localhost:10000/container/name", "hdfs://user@host:8020/name",
        "file:///name", "s3://bucket/a:b@c", "abfs://account@127.0.0.1:10000/container/name"}) {
    EXPECT_TRUE(object::parse_uri(text, uri).ok()) << text;
    EXPECT_EQ(uri.shown, text);
  }
}

TEST(ObjectUri, OfAzureIsRefusedIfTheAccountMayBeTheContainer) {
  for (const std::string text :
       {"abfs://container@account/name", "abfss://container@account/folder/name",
        "abfs://account/name", "abfs://account@localhost/container/name"}) {
    object::ObjectUri uri;
    const Status status = object::parse_uri(text, uri);
    EXPECT_EQ(status.code().value(), EINVAL) << text;
    EXPECT_NE(status.message().find("://CONTAINER@ACCOUNT.dfs.core.windows.net/NAME"),
              std::string::npos)
        << status.message();
  }
}

#ifdef ARROW_AZURE
TEST(ObjectUri, OfAzureNamesForArrowTheAccountAndTheContainerThatTheDocumentationSays) {
  for (const std::string text : {"abfs://container@account.dfs.core.windows.net/folder/name",
                                 "abfs://account@127.0.0.1:10000/container/folder/name"}) {
    object::ObjectUri uri;
    EXPECT_TRUE(object::parse_uri(text, uri).ok()) << text;
    std::string path;
    const arrow::Result<arrow::fs::AzureOptions> options =
        arrow::fs::AzureOptions::FromUri(uri.text, &path);
    ASSERT_TRUE(options.ok()) << options.status();
    EXPECT_EQ(options->account_name, "account");
    EXPECT_EQ(path, "container/folder/name");
  }
}
#endif

TEST(ObjectUri, MayHaveValuesThatLookLikeWordsForSecrets) {
  for (const std::string options :
       {"?endpoint_override=s3.kansas.edu", "?endpoint_override=tokenring:9000", "?region=x#monkey",
        "?region=password&scheme=http", "?scheme=http&region=%3Ftoken"}) {
    object::ObjectUri uri;
    EXPECT_TRUE(object::parse_uri("s3://bucket/name" + options, uri).ok()) << options;
  }
}

TEST(ObjectUri, IsRefusedWithoutBucketOrName) {
  const std::vector<std::string> texts = {"s3://",
                                          "s3:///name",
                                          "s3://bucket",
                                          "s3://bucket/",
                                          "s3://bucket/folder/",
                                          "foo://bucket/name",
                                          "s3://bucket/a//b",
                                          "s3://bucket/a/%2Fb",
                                          "s3://bucket/folder%2f",
                                          "abfs://account@host:10000/a//b",
                                          "bucket/name",
                                          "://bucket/name",
                                          "4s://bucket/name"};
  for (const std::string& text : texts) {
    object::ObjectUri uri;
    const Status status = object::parse_uri(text, uri);
    EXPECT_EQ(status.code().value(), EINVAL) << text;
    EXPECT_EQ(status.operation(), Operation::open);
  }
}

// For "s3://bucket/../other/x" the library of S3 would send requests about /other/x.
TEST(ObjectUri, IsRefusedIfAPartOfItsNameIsOneOrTwoDots) {
  object::ObjectUri uri;
  for (const std::string text :
       {"s3://bucket/../other/x", "s3://bucket/a/..", "s3://bucket/./x", "s3://../x",
        "s3://bucket/%2e%2E/x", "s3://bucket/a/.%2e", "s3://bucket/a%2F..%2Fx", "gs://bucket/../x",
        "abfs://account@host:10000/container/../other/x", "hdfs://host/a/../b"}) {
    const Status status = object::parse_uri(text, uri);
    EXPECT_EQ(status.code().value(), EINVAL) << text;
    EXPECT_NE(status.message().find("'.' or '..'"), std::string::npos) << status.message();
  }
  for (const std::string text : {"s3://bucket/...", "s3://bucket/..a/b..", "s3://bucket/.a/b.",
                                 "s3://bucket.with.dots/a", "file:///a/../b"}) {
    EXPECT_TRUE(object::parse_uri(text, uri).ok()) << text;
  }
}

TEST(ObjectUri, IsRefusedWithCredentialsAndNeverShowsThem) {
  const std::vector<std::string> texts = {"s3://KEYID:SECRET@bucket/name",
                                          "s3://KEYID:SEC/RET@bucket/name",
                                          "s3://KEYID@bucket/name",
                                          "s3://KEYID:SECRET",
                                          "s3://bucket/name?secret_key=SECRET",
                                          "abfs://:SECRET@account/name",
                                          "abfs://container/name?account_KEY=SECRET",
                                          "hdfs://KEYID:SECRET@host:8020/name",
                                          "gs://bucket/name?access_token=SECRET",
                                          "gs://bucket/name?region=x&access_t%6Fken=SECRET",
                                          "s3://bucket/name?a=b#secret=SECRET",
                                          "abfs://container@account/name?sv=1&sig=SECRET",
                                          "abfs://KEYID:SECRET@host:10000/container/name",
                                          "abfs://KEYID:12/RET@host:10000/container/name",
                                          "abfs://account:SECRET/container/name",
                                          "gs://KEYID:SECRET@bucket/name",
                                          "foo://KEYID:SECRET@bucket/name",
                                          "s3://KEYID:SEC@RET@bucket/name",
                                          "s3://bucket/name?region=x&%6bey=SECRET",
                                          "s3://bucket/name?%53as=SECRET",
                                          "s3://bucket/name?region=x#token=SECRET",
                                          "http://KEYID:SECRET@host:80/bucket/name",
                                          "https://KEYID:SECRET/bucket/name",
                                          "KEYID:SECRET@bucket"};
  for (const std::string& text : texts) {
    object::ObjectUri uri;
    const Status status = object::parse_uri(text, uri);
    EXPECT_EQ(status.code().value(), EINVAL) << text;
    for (const char* secret : {"KEYID", "SEC", "RET"}) {
      EXPECT_EQ(status.message().find(secret), std::string::npos) << status.message();
    }
  }
}

TEST(ObjectUri, ShowsNoOptionWhenArrowCannotReadTheUri) {
  std::unique_ptr<Sink> sink;
  for (const char* uri :
       {"s3://bucket/na[me?region=SHOWN", "gs://bucket/na[me?scheme=SHOWN",
        "gs://bucket/na[me?scheme=SHOWN#x", "hdfs://host:port/name?replication=SHOWN"}) {
    const Status status = make_object_sink(uri, {}, sink);
    EXPECT_FALSE(status.ok()) << uri;
    EXPECT_EQ(status.message().find("SHOWN"), std::string::npos) << status.message();
  }
}

TEST(ObjectUri, SaysHowToWriteTheLettersThatAUriMustNotHave) {
  std::unique_ptr<Sink> sink;
  for (const auto& [uri, written] :
       {std::pair("s3://bucket/na me", " %20 "), std::pair("s3://bucket/\xc3\xbc", " %C3%BC "),
        std::pair("s3://bucket/name?region=a b", " %20 "), std::pair("file:///a\x01", " %01 "),
        std::pair("s3://bucket/na#me?region=x", " %23 "), std::pair("gs://bucket/{x", " %7B "),
        std::pair("s3://bucket/100%", " %25 "), std::pair("s3://bucket/100%?region=x", " %25 "),
        std::pair("gs://bucket/%2", " %25 "), std::pair("gs://bucket/%2g/x", " %25 ")}) {
    const Status status = make_object_sink(uri, {}, sink);
    EXPECT_EQ(status.code().value(), EINVAL) << uri;
    EXPECT_NE(status.message().find(written), std::string::npos) << status.message();
  }
}

TEST(ObjectUri, NamesAllSignsThatAUriMustNotHave) {
  object::ObjectUri uri;
  for (char sign = '!'; sign <= '~'; ++sign) {
    const Status status = object::parse_uri(std::string("s3://bucket/a") + sign + "b", uri);
    if (status.ok() || sign == '#') continue;  // "#" has a message of its own
    const std::string& message = status.message();
    const std::size_t list = message.find("a URI must not have");
    ASSERT_NE(list, std::string::npos) << message;
    EXPECT_NE(message.find(sign, list), std::string::npos) << sign << " in " << message;
  }
}

TEST(ObjectUri, OfAWebServerSaysHowToNameItsObject) {
  object::ObjectUri uri;
  EXPECT_EQ(object::parse_uri("http://127.0.0.1:9000/bucket/name", uri).message(),
            "open http://127.0.0.1:9000/bucket/name: sluice does not know the scheme 'http'; "
            "schemes: s3, gs, gcs, abfs, abfss, hdfs, viewfs, file (a store at this address: "
            "s3://BUCKET/NAME?endpoint_override=127.0.0.1:9000&scheme=http)");
  const std::string secret = object::parse_uri("https://TOKEN@host:9000/b/n", uri).message();
  EXPECT_EQ(secret.find("TOKEN"), std::string::npos) << secret;
  const Status status = object::parse_uri("https://bucket.host/name", uri);
  EXPECT_NE(status.message().find("endpoint_override=HOST:PORT&scheme=https"), std::string::npos)
      << status.message();
}

TEST(ObjectUri, RefusesOptionsThatMakeNoSense) {
  std::unique_ptr<Sink> sink;
  std::unique_ptr<Source> source;
  for (const ObjectOptions options :
       {ObjectOptions{.parts_in_flight = 0}, ObjectOptions{.parts_in_flight = 65},
        ObjectOptions{.ranges_ahead = 65}, ObjectOptions{.range_bytes = 4095},
        ObjectOptions{.range_bytes = (std::size_t{1} << 30) + 1}}) {
    EXPECT_EQ(make_object_sink("file:///dev/shm/x", options, sink).code().value(), EINVAL);
    EXPECT_EQ(make_object_source("file:///dev/shm/x", options, source).code().value(), EINVAL);
  }
}

TEST(ObjectUri, TakesTheCreateModesThatReplaceAnObject) {
  const ScratchDirectory directory;
  const std::string uri = "file://" + directory.file("new");
  Writer writer;
  const Status refused = open_object(writer, uri, {}, {.create = CreateMode::exclusive});
  EXPECT_EQ(refused.code().value(), ENOTSUP);
  EXPECT_NE(refused.message().find("only if there is none"), std::string::npos);
  for (const CreateMode create : {CreateMode::append, CreateMode::existing}) {
    EXPECT_EQ(open_object(writer, uri, {}, {.create = create}).code().value(), EINVAL);
  }
  EXPECT_FALSE(file_exists(directory.file("new")));
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    EXPECT_TRUE(open_object(writer, uri, {}, {.create = create}).ok());
    writer.write("text");
    EXPECT_TRUE(writer.close().ok());
    Reader reader;
    std::string text;
    EXPECT_TRUE(open_object(reader, uri).ok());
    EXPECT_TRUE(reader.read_rest(text).ok());
    EXPECT_EQ(text, "text");
  }
}

TEST(ObjectUri, IsTakenForAPathWithoutScheme) {
  EXPECT_TRUE(is_object_uri("s3://bucket/name"));
  EXPECT_TRUE(is_object_uri("foo+bar-1.x://"));
  for (const char* path :
       {"", "://x", "./s3://x", "a b://x", "1://x", "file", "/a/b://c", "s3:/x"}) {
    EXPECT_FALSE(is_object_uri(path)) << path;
  }
}

}  // namespace
}  // namespace sluice::testing
