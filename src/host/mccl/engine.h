#pragma once

#include <string>

#include "src/host/mccl_engine/engine.h"

namespace host_mccl {

// The library beside this one that reaches other hosts. If it or gloo is not installed, returns
// null and sets `error`.
const MCCLEngineCalls* find_engine(std::string& error);

}  // namespace host_mccl
