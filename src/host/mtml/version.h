#pragma once

#include <string>

namespace mtml {

// As musaDriverGetVersion() reports it, written: "5.1.0".
std::string driver_version();

}  // namespace mtml
