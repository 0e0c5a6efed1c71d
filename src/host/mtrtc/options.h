// The options of mtrtcCompileProgram.
#pragma once

#include <string>
#include <vector>

namespace host_mtrtc {

// Appends flags of torchada-kernels. False if an option is unknown or wrong: `log` then gets a line
// for each such option.
bool read_options(const std::vector<std::string>& options, std::vector<std::string>* flags,
                  std::string* log);

}  // namespace host_mtrtc
