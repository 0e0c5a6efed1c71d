// The bytes of a file. Those of a large one are not read: its pages are loaded when they are
// accessed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace torchada {

class MappedFile {
 public:
  // Throws std::runtime_error with the reason (without the path) if the file is missing, unreadable
  // or not a regular file. An empty file has no bytes.
  explicit MappedFile(const std::string& path);

  // The same. First shows the beginning of the file (1024 bytes, or all of a shorter file) to
  // `wants`. If that returns false, these bytes are all there are.
  MappedFile(const std::string& path, const std::function<bool(std::string_view)>& wants);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Valid while this object exists.
  std::string_view bytes() const { return bytes_; }

 private:
  void load(int descriptor, const std::function<bool(std::string_view)>& wants);
  void map(int descriptor, std::size_t size);

  std::string_view bytes_;
  std::unique_ptr<char[]> read_;  // Holds the bytes if they are not mapped.
};

// The first bytes of a regular file, up to 1024. Empty if there are none to read.
std::string beginning_of(const std::string& path);

// Tells the kernel how a part of a mapped file will be read: all of it soon, or only single places.
// By itself, the kernel reads much around a page that is missing: 128 KiB, and megabytes on some
// machines. Within a part of which places are read, a smaller part may be read whole. These change
// nothing else, and nothing for other memory.
void will_read_all(std::string_view part);
void will_read_places(std::string_view part);

}  // namespace torchada
