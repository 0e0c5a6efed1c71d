#ifndef TORCHADA_HOST_MUSART_POOL_HANDLES_H_
#define TORCHADA_HOST_MUSART_POOL_HANDLES_H_

#include "handles.h"
#include "pool.h"

namespace musart {

HandleTable<Pool>& pool_handles();

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_POOL_HANDLES_H_
