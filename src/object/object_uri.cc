#include "object/object_uri.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>

#include "sluice/object.h"

namespace sluice::object {
namespace {

constexpr std::string_view separator = "://";
constexpr std::array<std::string_view, 8> schemes = {"s3",    "gs",   "gcs",    "abfs",
                                                     "abfss", "hdfs", "viewfs", "file"};
constexpr std::array<std::string_view, 6> secret_words = {"key",      "secret",     "token",
                                                          "password", "credential", "sas"};

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return small;
}

// The letter that "%6b" and the like at this place stand for.
std::optional<char> encoded_letter(std::string_view text, std::size_t at) {
  unsigned letter = 0;
  const std::string_view digits = text.substr(at + 1, text[at] == '%' ? 2 : 0);
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), letter, 16).ptr;
  if (digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
  return static_cast<char>(letter);
}

std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::optional<char> letter = encoded_letter(text, at);
    plain += letter.value_or(text[at]);
    if (letter) at += 2;
  }
  return plain;
}

// The values of credential_kind are public words, such as "cli" and "anonymous". "sig" is the
// signature in a token of Azure (SAS).
bool is_name_of_secret(std::string_view name) {
  const std::string small = in_small_letters(decoded(name));
  if (small == "credential_kind") return false;
  return small == "sig" || std::ranges::any_of(secret_words, [&](std::string_view word) {
           return small.find(word) != std::string::npos;
         });
}

bool is_port(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// True if a colon may stand before the port. On abfs:// and https:// it may stand before a key.
bool may_have_port(std::string_view scheme, std::string_view host, std::string_view path) {
  if (scheme == "hdfs" || scheme == "viewfs" || scheme == "file") return true;
  const bool is_of_web = scheme == "http" || scheme == "https";
  if (!is_of_web && scheme != "abfs" && scheme != "abfss") return false;
  const bool is_key = path.find('@') != std::string_view::npos;
  return is_port(host.substr(host.rfind(':') + 1)) && !is_key;
}

// Only the names of the options count. A value may have such a word in it, as a host's name may.
bool holds_secret(std::string_view options) {
  constexpr std::string_view separators = "?&;#";
  while (!options.empty()) {
    const std::size_t end = std::min(options.find_first_of(separators), options.size());
    const std::size_t equals = options.substr(0, end).find('=');
    if (equals != std::string_view::npos && is_name_of_secret(options.substr(0, equals))) {
      return true;
    }
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  return false;
}

// "user@" of the authority, with the at sign; the rest stays in `place`.
std::string_view take_user(std::string_view& place, std::size_t authority_bytes) {
  const std::size_t at = place.substr(0, authority_bytes).rfind('@');
  const std::size_t taken = at == std::string_view::npos ? 0 : at + 1;
  const std::string_view user = place.substr(0, taken);
  place.remove_prefix(taken);
  return user;
}

// Takes from the front of `place` what may be a key or a password. A secret that was not encoded
// may have a slash in it, so it may reach beyond the authority.
bool take_credentials(std::string_view scheme, std::string_view& place) {
  const std::string_view authority = place.substr(0, place.find('/'));
  const std::string_view user = authority.substr(0, authority.rfind('@') + 1);
  const std::string_view host = authority.substr(user.size());
  const bool has_port = may_have_port(scheme, host, place.substr(authority.size()));
  const bool has_colon = (has_port ? user : authority).find(':') != std::string_view::npos;
  const bool is_key = !user.empty() && (scheme == "s3" || scheme.starts_with("http"));
  if (!has_colon && !is_key) return false;
  const std::size_t at = place.rfind('@');
  place.remove_prefix(at == std::string_view::npos ? authority.size() : at + 1);
  return true;
}

std::string hint_for(std::string_view scheme, std::string_view place) {
  if (scheme != "http" && scheme != "https") return "";
  const std::string_view host = place.substr(0, place.find('/'));
  const bool has_port = host.find(':') != std::string_view::npos;
  return " (a store at this address: s3://BUCKET/NAME?endpoint_override=" +
         std::string(has_port ? host : "HOST:PORT") + "&scheme=" + std::string(scheme) + ")";
}

Status refused(const ObjectUri& uri, std::string_view reason) {
  return Status::failure(Operation::open, uri.shown, EINVAL, std::nullopt, reason);
}

constexpr std::string_view refused_signs = "\"<>\\^`{|}";

bool is_of_uris(char letter) {
  return letter > ' ' && letter < '\x7f' && refused_signs.find(letter) == std::string_view::npos;
}

std::string encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string all;
  for (const char letter : text) {
    const auto value = static_cast<unsigned char>(letter);
    all += {'%', digits[value / 16], digits[value % 16]};
  }
  return all;
}

// A number sign would silently end the name of the object.
Status check_letters(const ObjectUri& uri, std::size_t question) {
  const std::string& text = uri.text;
  if (question < text.size() && text[question] == '#') {
    return refused(uri, "the name of an object must not have a '#': write %23 instead");
  }
  const auto first = std::ranges::find_if_not(text, is_of_uris);
  if (first == text.end()) return {};
  const std::string strange(first, std::find_if(first, text.end(), is_of_uris));
  return refused(uri,
                 "a URI must not have spaces, control characters, characters beyond ASCII, or " +
                     std::string(refused_signs) + ": write " + encoded(strange) + " instead");
}

Status check_percent_signs(const ObjectUri& uri) {
  for (std::size_t at = uri.text.find('%'); at < uri.text.size(); at = uri.text.find('%', at + 1)) {
    if (encoded_letter(uri.text, at)) continue;
    return refused(uri,
                   "a URI must not have a '%' without two hexadecimal digits behind it: write %25 "
                   "instead");
  }
  return {};
}

bool has_dots_as_part(std::string_view name) {
  for (;;) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part == "." || part == "..") return true;
    if (slash == std::string_view::npos) return false;
    name.remove_prefix(slash + 1);
  }
}

// Arrow decodes the name, so a slash or a dot may stand there as %2F or %2E.
Status check_names(const ObjectUri& uri, std::string_view place) {
  const std::size_t slash = place.find('/');
  if (uri.scheme != "file" && (slash == 0 || place.empty())) {
    return refused(uri, "the URI names no bucket: use " + uri.scheme + "://BUCKET/NAME");
  }
  const std::string plain = decoded(place);
  if (slash == std::string_view::npos || plain.ends_with('/')) {
    return refused(uri, "the URI names no object: a name follows the bucket and a slash");
  }
  if (uri.scheme == "file") return {};
  const bool is_of_files = uri.scheme == "hdfs" || uri.scheme == "viewfs";
  if (!is_of_files && plain.find("//") != std::string::npos) {
    return refused(uri, "Arrow, which speaks to the store, has no names of objects with '//'");
  }
  // A name such as BUCKET/../OTHER/x would lead to another bucket.
  if (!has_dots_as_part(plain)) return {};
  return refused(uri,
                 "a part of the name is '.' or '..', and the libraries below sluice leave out such "
                 "parts: give the object a name without them");
}

// Arrow takes the first name of "abfs://x@y/NAME" for the account, and the programs of Azure take
// it for the container. So `host` must show what it is: by a dot, as in y.dfs.core.windows.net, or
// by the port of a store of one's own.
Status check_account(const ObjectUri& uri, std::string_view host) {
  if (uri.scheme != "abfs" && uri.scheme != "abfss") return {};
  if (host.find_first_of(".:") != std::string_view::npos) return {};
  return refused(uri, "the URI names no host of Azure: use " + uri.scheme +
                          "://CONTAINER@ACCOUNT.dfs.core.windows.net/NAME");
}

}  // namespace

Status parse_uri(std::string_view text, ObjectUri& uri) {
  uri.text = text;
  const std::size_t end = text.find(separator);
  if (!is_object_uri(text)) {
    uri.shown = text.substr(text.rfind('@') + 1);  // all of it, if there is none
    uri.shown.resize(std::min(uri.shown.size(), uri.shown.find('?')));
    return refused(uri, "this is no URI such as s3://BUCKET/NAME");
  }
  uri.scheme = in_small_letters(text.substr(0, end));
  const std::size_t question = text.find_first_of("?#", end + separator.size());
  std::string_view place = text.substr(end + separator.size());
  std::string_view options;
  if (question != std::string_view::npos) {
    options = text.substr(question);
    place = text.substr(end + separator.size(), question - end - separator.size());
  }
  const bool has_credentials = take_credentials(uri.scheme, place);
  uri.shown = uri.scheme + std::string(separator) + std::string(place);
  if (std::ranges::find(schemes, uri.scheme) == schemes.end()) {
    return refused(uri, "sluice does not know the scheme '" + uri.scheme +
                            "'; schemes: s3, gs, gcs, abfs, abfss, hdfs, viewfs, file" +
                            hint_for(uri.scheme, place));
  }
  if (has_credentials || holds_secret(options)) {
    return refused(uri,
                   "a URI must not hold credentials, because others can read it: put them into the "
                   "environment or a profile");
  }
  static_cast<void>(take_user(place, place.find('/')));
  Status status = check_letters(uri, question);
  if (status.ok()) status = check_percent_signs(uri);
  if (status.ok()) status = check_names(uri, place);
  return status.ok() ? check_account(uri, place.substr(0, place.find('/'))) : status;
}

}  // namespace sluice::object
