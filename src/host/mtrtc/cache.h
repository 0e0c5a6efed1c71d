// What was compiled before. TORCHADA_HOST_COMPILE_CACHE says where it is kept:
//   not set     in the process, up to 64 MiB of images
//   off         nowhere
//   a folder    there as well, for other processes: a path with a slash. It is made if need be.
//               What another user could have written there is not used, and a line says so
//
// A program counts as the same if its source, headers, name expressions, options, the files that it
// includes, and the compilers are the same.
#pragma once

#include <optional>
#include <string>

#include "src/host/mtrtc/program.h"
#include "src/host/shared/compile_cache.h"

namespace host_mtrtc {

class Cache {
 public:
  // `kernels`: the folder of the compilers.
  Cache(const Input& input, const std::string& kernels);

  bool find(Output* output) const;
  void keep(const Output& output) const;

 private:
  bool in_process_ = true;
  timespec begin_;
  std::optional<host::CompileCache> on_disk_;
  std::string key_;
};

}  // namespace host_mtrtc
