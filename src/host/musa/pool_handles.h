#pragma once

#include "src/host/musa/pool.h"
#include "src/host/shared/handle_table.h"

namespace musa {

using PoolHandles = host::HandleTable<host::HandleKind::kPool, musaMemPool_t, Pool>;

PoolHandles& pool_handles();

}  // namespace musa
