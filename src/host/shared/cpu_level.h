// Which instructions this CPU has, as levels of x86-64.
#pragma once

#include "src/host/kernels/include/torchada_image.h"

namespace host {

torchada_cpu_level cpu_level();

}  // namespace host
