// The bytes of a file without reading them: pages come when they are looked at.
#pragma once

#include <string>
#include <string_view>

namespace torchada {

class MappedFile {
 public:
  // Throws std::runtime_error with the reason (without the path) for what is missing, unreadable or
  // no regular file. An empty file has no bytes.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Valid as long as this object is.
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace torchada
