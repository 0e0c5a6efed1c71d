// The functions that are operations of the driver. The runtime adds the thread's last error.
#include "src/host/musa/operations.h"

#include "src/host/musart/error.h"
#include "src/host/shared/forward.h"

#define OPERATION(count, function, operation)                           \
  musaError_t function(HOST_PARAMETERS_##count(::function)) {           \
    return musart::recorded(musa::operation(HOST_ARGUMENTS_##count())); \
  }
#include "src/host/musa/operation_list.inc"
