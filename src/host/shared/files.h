// Whole files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace host {

// Both return false on failure; last_error() then tells why.
bool write_file(const std::string& path, const std::string& text);
bool read_file(const std::string& path, std::string* text);
std::string last_error();  // of errno

// A folder in which this user keeps files that only this user can have written. It is made (0700)
// if it does not exist. A folder that others could have filled is not used: why() then tells it.
class OwnFolder {
 public:
  explicit OwnFolder(const std::string& path);
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  // Empty if the folder can be used.
  const std::string& why() const { return why_; }

  // Replaces the file in one step, or leaves it as it is and returns false.
  bool write(const std::string& name, const std::string& text) const;
  // Reads a regular file of this user that nobody else may write to, of at most `most` bytes, that
  // begins with `start` after the first `skipped` bytes. `why`: what keeps a file that is there
  // from being read.
  bool read(const std::string& name, std::size_t skipped, std::string_view start, std::size_t most,
            std::string* text, std::string* why) const;

 private:
  int folder_ = -1;
  std::string why_;
};

}  // namespace host
