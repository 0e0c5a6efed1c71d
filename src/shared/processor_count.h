// How much can be worked on side by side.
#pragma once

#include <algorithm>
#include <thread>

namespace torchada {

// At least 1, also where the system does not tell.
inline unsigned processor_count() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace torchada
