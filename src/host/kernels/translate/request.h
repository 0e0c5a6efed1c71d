// What torchada-kernels is asked to make.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "src/host/kernels/include/torchada_image.h"

namespace kernels {

// Of a source, by names as nvcc or clang has them. Without any: everything.
struct Wanted {
  std::set<std::string> kernels;
  std::set<std::string> variables;
  bool whole_if_variables = false;

  bool is_everything() const { return kernels.empty() && variables.empty(); }
};

struct Request {
  std::vector<std::string> sources;
  std::string output;   // the image
  std::string headers;  // the folder of ours
  std::string standard = "c++17";
  std::vector<std::string> flags;  // -I, -D and the like, in their order
  int warp_size = 32;
  torchada_cpu_level cpu_level = TORCHADA_CPU_BASELINE;
  std::string cache;         // a folder; empty: nothing is kept
  unsigned int jobs = 1;     // compilers at a time
  unsigned int seconds = 0;  // of a processor, that a compiler may take; 0: no limit
  Wanted wanted;
  bool front_end_only = false;  // fills the cache, and makes no image
  // A file that gets lines: "name MANGLED", "file PATH" for what was read, and "whole" if the image
  // has all of the source.
  std::string report;

  // Of libmtrtc, with one source, which may be without a kernel:
  bool at_run_time = false;
  std::vector<std::string> names;  // expressions for kernels and variables
  unsigned int names_line = 0;     // the source's line of the first one, a line each; 0: none
  bool default_device = false;     // what has no attribute is device code

  // What a kernel's ptxVersion tells: of the architectures that nvcc was told, the first from 700
  // on, or from the flags' own __CUDA_ARCH__, or else the last.
  unsigned int cuda_arch() const;
  std::string runtime_file() const { return headers + "/../device_runtime.bc"; }
  std::string assembly_file() const { return headers + "/../assembly.bc"; }
  std::string plugin_file() const { return headers + "/../torchada-closures.so"; }
  // Whether other parts of the sources are expected to be wanted later.
  bool is_in_parts() const { return front_end_only || !wanted.is_everything(); }
};

// False: they are not understood.
bool read_request(int count, char** words, Request* request);

}  // namespace kernels
