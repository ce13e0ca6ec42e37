// A model of a FILE in text mode: the bytes of the file, and a position among them. The file has
// "\r\n" where the program has '\n'.
#pragma once

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace sluice::testing {

struct OfTheModel {
  struct File {
    std::string path;
    std::string bytes;
    std::size_t position = 0;
    std::string pushed_back;
    bool reads = false;
    bool writes = false;
    bool appends = false;
    bool at_end = false;
    bool has_failed = false;
  };

  static File* open(const char* path, const char* mode) {
    std::ifstream old(path, std::ios::binary);
    if (!old && *mode == 'r') return nullptr;
    auto* const file = new File;
    file->path = path;
    if (*mode != 'w') file->bytes.assign(std::istreambuf_iterator<char>(old), {});
    const bool updates = std::strchr(mode, '+') != nullptr;
    file->reads = *mode == 'r' || updates;
    file->writes = *mode != 'r' || updates;
    file->appends = *mode == 'a';
    return file;
  }
  static int close(File* file) {
    flush(file);
    delete file;
    return 0;
  }
  static int flush(File* file) {
    if (file->writes) std::ofstream(file->path, std::ios::binary) << file->bytes;
    return 0;
  }

  static int put(int value, File* file) {
    if (!file->writes) {
      file->has_failed = true;
      return EOF;
    }
    const std::string raw = value == '\n' ? "\r\n" : std::string(1, static_cast<char>(value));
    if (file->appends) file->position = file->bytes.size();
    if (file->position > file->bytes.size()) file->bytes.resize(file->position);
    file->bytes.replace(file->position, raw.size(), raw);
    file->position += raw.size();
    return static_cast<unsigned char>(value);
  }
  static std::size_t write(const void* from, std::size_t size, std::size_t count, File* file) {
    const std::string_view bytes(static_cast<const char*>(from), size * count);
    for (const char byte : bytes) {
      if (put(static_cast<unsigned char>(byte), file) == EOF) return 0;
    }
    return count;
  }
  static int puts(const char* text, File* file) {
    return *text == '\0' || write(text, std::strlen(text), 1, file) == 1 ? 1 : EOF;
  }

  static int get(File* file) {
    if (!file->reads) file->has_failed = true;
    if (!file->reads || file->at_end) return EOF;
    if (!file->pushed_back.empty()) {
      const char byte = file->pushed_back.back();
      file->pushed_back.pop_back();
      return static_cast<unsigned char>(byte);
    }
    file->at_end = file->position >= file->bytes.size();
    if (file->at_end) return EOF;
    if (file->bytes.compare(file->position, 2, "\r\n") == 0) ++file->position;
    return static_cast<unsigned char>(file->bytes[file->position++]);
  }
  static int unget(int value, File* file) {
    file->pushed_back.push_back(static_cast<char>(value));
    file->at_end = false;
    return value;
  }
  static std::size_t read(void* into, std::size_t size, std::size_t count, File* file) {
    auto* to = static_cast<char*>(into);
    std::size_t done = 0;
    for (int byte = 0; done < size * count && (byte = get(file)) != EOF; ++done) {
      *to++ = static_cast<char>(byte);
    }
    return size == 0 ? 0 : done / size;
  }
  static char* gets(char* into, int bytes, File* file) {
    char* to = into;
    for (int byte = 0; bytes > 1 && byte != '\n' && (byte = get(file)) != EOF; --bytes) {
      *to++ = static_cast<char>(byte);
    }
    if (to == into) return nullptr;
    *to = '\0';
    return into;
  }

  static int seek(File* file, long offset, int whence) {
    const auto size = static_cast<long>(file->bytes.size());
    const auto position = static_cast<long>(file->position);
    const long target = offset + (whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size);
    flush(file);
    file->pushed_back.clear();
    if (target < 0) return -1;
    file->position = static_cast<std::size_t>(target);
    file->at_end = false;
    return 0;
  }
  static long tell(File* file) { return static_cast<long>(file->position); }
  static void rewind(File* file) {
    seek(file, 0, SEEK_SET);
    clear(file);
  }
  static int buffer(File*, char*, int, std::size_t) { return 0; }
  static int error(File* file) { return file->has_failed ? 1 : 0; }
  static int end(File* file) { return file->at_end ? 1 : 0; }
  static void clear(File* file) { file->has_failed = file->at_end = false; }
  static int print(File* file, const char* /*"%d %s|\n"*/, int number, const char* word) {
    const std::string text = std::to_string(number) + " " + word + "|\n";
    return puts(text.c_str(), file) < 0 ? -1 : static_cast<int>(text.size());
  }
};

}  // namespace sluice::testing
