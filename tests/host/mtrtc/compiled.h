// A program that is destroyed, and folders for tests.
#pragma once

#include <gtest/gtest.h>
#include <mtrtc.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace mtrtc_tests {

class Program {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;  // name and text

  explicit Program(const std::string& source, const char* name = nullptr,
                   const Headers& headers = {}) {
    std::vector<const char*> names, texts;
    for (const auto& [include_name, text] : headers) {
      names.push_back(include_name.c_str());
      texts.push_back(text.c_str());
    }
    EXPECT_EQ(mtrtcCreateProgram(&program_, source.c_str(), name, static_cast<int>(headers.size()),
                                 texts.data(), names.data()),
              MTRTC_SUCCESS);
  }
  ~Program() { EXPECT_EQ(mtrtcDestroyProgram(&program_), MTRTC_SUCCESS); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  mtrtcProgram get() const { return program_; }

  void add(const char* expression) const {
    EXPECT_EQ(mtrtcAddNameExpression(program_, expression), MTRTC_SUCCESS);
  }
  mtrtcResult compile(const std::vector<const char*>& options = {}) const {
    return mtrtcCompileProgram(program_, static_cast<int>(options.size()), options.data());
  }
  std::string log() const {
    std::size_t size = 0;
    EXPECT_EQ(mtrtcGetProgramLogSize(program_, &size), MTRTC_SUCCESS);
    std::string text(size, '?');
    EXPECT_EQ(mtrtcGetProgramLog(program_, text.data()), MTRTC_SUCCESS);
    EXPECT_EQ(text.find('\0'), size - 1);
    text.resize(size - 1);
    return text;
  }
  std::string lowered(const char* expression) const {
    const char* name = nullptr;
    EXPECT_EQ(mtrtcGetLoweredName(program_, expression, &name), MTRTC_SUCCESS);
    return name == nullptr ? "" : name;
  }
  std::string image() const {
    std::size_t size = 0;
    EXPECT_EQ(mtrtcGetFatBinSize(program_, &size), MTRTC_SUCCESS);
    std::string bytes(size, '\0');
    EXPECT_EQ(mtrtcGetFatBin(program_, bytes.data()), MTRTC_SUCCESS);
    return bytes;
  }

 private:
  mtrtcProgram program_ = nullptr;
};

// A new folder, which goes with the test.
class Folder {
 public:
  Folder() {
    path_ = (std::filesystem::temp_directory_path() / "mtrtc-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(path_.data()), nullptr);
  }
  // A compiler whose program was killed may still be removing its own files.
  ~Folder() {
    std::error_code error;
    for (int i = 0; i < 200; ++i) {
      std::filesystem::remove_all(path_, error);
      if (!error) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ADD_FAILURE() << path_ << ": " << error.message();
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::string path_;
};

// Sets a variable, or clears it with null, until the test ends.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* const before = std::getenv(name);
    was_set_ = before != nullptr;
    if (was_set_) before_ = before;
    set(value);
  }
  ~Variable() { set(was_set_ ? before_.c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }

  const char* name_;
  std::string before_;
  bool was_set_ = false;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kSmall = "extern \"C\" __global__ void k(int* p) { *p = 1; }\n";

}  // namespace mtrtc_tests
