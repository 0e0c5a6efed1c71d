#pragma once

#include <string>

#include "../mccl_engine/engine.h"

namespace host_mccl {

// The library beside this one that reaches other hosts. Null, and why in `error`, when it or gloo
// is not installed.
const MCCLEngineCalls* find_engine(std::string& error);

}  // namespace host_mccl
