#ifndef TORCHADA_HOST_MUSART_POOL_HANDLES_H_
#define TORCHADA_HOST_MUSART_POOL_HANDLES_H_

#include "src/host/musart/handles.h"
#include "src/host/musart/pool.h"

namespace musart {

HandleTable<Pool>& pool_handles();

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_POOL_HANDLES_H_
