// libcu++'s atomic functions for CPUs serve device code, too. Who waits for another thread loads
// again and again.
#pragma once
#include <cuda/std/__atomic/functions/common.h>
#include <cuda/std/__atomic/order.h>
#include <cuda/std/__atomic/platform.h>

#include <cuda/std/type_traits>
#pragma clang force_cuda_host_device begin
#define __atomic_load(from, to, order) (torchada_spin_here(), __atomic_load(from, to, order))
#include_next <cuda/std/__atomic/functions/host.h>
#undef __atomic_load
#pragma clang force_cuda_host_device end
