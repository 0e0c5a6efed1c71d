#pragma once

#include <string>

namespace torchada::recipes {

// The architecture for which images are made: that of the stand-in's devices.
std::string image_arch();

}  // namespace torchada::recipes
