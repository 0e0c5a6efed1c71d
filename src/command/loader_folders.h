// The directories that the machine's configuration gives to the loader.
#pragma once

#include <string>
#include <vector>

#include "src/command/files.h"

namespace torchada {

// Those in ld.so.conf, which ldconfig reads for the loader's cache. Paths of the tree.
std::vector<std::string> configured_folders(const Files& files);

}  // namespace torchada
