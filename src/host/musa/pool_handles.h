#ifndef TORCHADA_HOST_MUSA_POOL_HANDLES_H_
#define TORCHADA_HOST_MUSA_POOL_HANDLES_H_

#include "src/host/musa/handles.h"
#include "src/host/musa/pool.h"

namespace musa {

HandleTable<Pool>& pool_handles();

}  // namespace musa

#endif  // TORCHADA_HOST_MUSA_POOL_HANDLES_H_
