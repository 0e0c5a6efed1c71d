// Makes an image of a program.
#pragma once

#include "src/host/mtrtc/program.h"

namespace host_mtrtc {

// From the cache, or by torchada-kernels. Whatever fails is told in the log. Any number of threads
// may call this; as many compilers run at a time as the process may use cores.
Output compile(const Input& input);

}  // namespace host_mtrtc
