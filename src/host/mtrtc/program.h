// A source with its headers, and what the last compilation made of it.
#pragma once

#include <mtrtc.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace host_mtrtc {

// What is compiled.
struct Input {
  std::string source;
  std::string name;                                          // for messages
  std::vector<std::pair<std::string, std::string>> headers;  // name and text
  std::vector<std::string> expressions;
  std::vector<std::string> flags;  // of torchada-kernels
};

// What a compilation gives. Without success, only the log has meaning.
struct Output {
  bool success = false;
  bool compiler_missing = false;
  std::string log;
  std::string image;
  std::vector<std::string> names;  // lowered, one for each expression
  std::vector<std::string> files;  // that the source includes, beside its headers
};

struct Program {
  std::mutex mutex;  // of all members
  Input input;
  Output output;
  bool compiled = false;  // whether somebody tried
};

}  // namespace host_mtrtc
