#pragma once

#include "src/host/musa/handles.h"
#include "src/host/musa/pool.h"

namespace musa {

HandleTable<Pool>& pool_handles();

}  // namespace musa
