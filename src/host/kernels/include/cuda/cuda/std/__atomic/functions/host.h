// libcu++'s atomic functions for CPUs serve device code, too.
#pragma once
#include <cuda/std/__atomic/functions/common.h>
#include <cuda/std/__atomic/order.h>
#include <cuda/std/__atomic/platform.h>

#include <cuda/std/type_traits>
#pragma clang force_cuda_host_device begin
#include_next <cuda/std/__atomic/functions/host.h>
#pragma clang force_cuda_host_device end
