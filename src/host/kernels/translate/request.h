// What torchada-kernels is asked to make.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "src/host/kernels/include/torchada_image.h"

namespace kernels {

struct Request {
  std::vector<std::string> sources;
  std::string output;   // the image
  std::string headers;  // the folder of ours
  std::string standard = "c++17";
  std::vector<std::string> flags;  // -I, -D and the like, in their order
  int warp_size = 32;
  torchada_cpu_level cpu_level = TORCHADA_CPU_BASELINE;
  std::string cache;           // a folder for objects; empty: they are not kept
  unsigned int jobs = 1;       // compilers at a time
  unsigned int seconds = 0;    // of a processor, that a compiler may take; 0: no limit
  std::set<std::string> only;  // mangled names of the kernels that are wanted; empty: all

  // Of libmtrtc, with one source, which may be without a kernel:
  bool at_run_time = false;
  std::string result;  // gets a line for each name and file: "name MANGLED", "file PATH"
  std::vector<std::string> names;  // expressions for kernels and variables
  unsigned int names_line = 0;     // the source's line of the first one, a line each; 0: none
  bool default_device = false;     // what has no attribute is device code

  std::string runtime_file() const { return headers + "/../device_runtime.bc"; }
  std::string assembly_file() const { return headers + "/../assembly.bc"; }
  std::string plugin_file() const { return headers + "/../torchada-closures.so"; }
};

// False: they are not understood.
bool read_request(int count, char** words, Request* request);

}  // namespace kernels
