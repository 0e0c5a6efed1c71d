// Lines on stderr, from several threads.
#pragma once

#include <string>

namespace torchada::recipes {

// "torchada: kernels: TEXT". Nothing with TORCHADA_LOG=off.
void say(const std::string& text);

// "14.2 s"
std::string seconds_text(double seconds);

}  // namespace torchada::recipes
