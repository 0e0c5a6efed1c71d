// The bytes of a file without reading it: pages are loaded when they are accessed.
#pragma once

#include <string>
#include <string_view>

namespace torchada {

class MappedFile {
 public:
  // Throws std::runtime_error with the reason (without the path) if the file is missing, unreadable
  // or not a regular file. An empty file has no bytes.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Valid while this object exists.
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace torchada
