// The driver: virtual memory that is mapped and unmapped, and contexts.
#include "tests/long_run/work.h"

namespace {
void enter_primary_context() {
  CUcontext context = nullptr;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
}
}  // namespace

void use_virtual_memory(unsigned seed) {
  enter_primary_context();
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  std::size_t size = 0;
  OK(cuMemGetAllocationGranularity(&size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr address{};
  OK(cuMemAddressReserve(&address, size, 0, {}, 0));
  const CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  for (unsigned turn = 0; turn < 2; ++turn) {
    CUmemGenericAllocationHandle handle{};
    OK(cuMemCreate(&handle, size, &properties, 0));
    OK(cuMemMap(address, size, 0, handle, 0));
    OK(cuMemSetAccess(address, size, &access, 1));
    const Numbers values = numbers(256, seed + turn);
    Numbers got(values.size());
    OK(cuMemcpyHtoD_v2(address, values.data(), values.size() * sizeof(float)));
    OK(cuMemcpyDtoH_v2(got.data(), address, got.size() * sizeof(float)));
    compare("virtual memory", values, got);
    OK(cuMemUnmap(address, size));
    OK(cuMemRelease(handle));
  }
  OK(cuMemAddressFree(address, size));
  OK(cuDevicePrimaryCtxRelease_v2(0));
}

void use_contexts(unsigned seed) {
  enter_primary_context();
  CUcontext made = nullptr, previous = nullptr;
  OK(cuCtxCreate_v2(&made, 0, 0));
  const Numbers values = numbers(256, seed);
  Numbers got(values.size());
  CUdeviceptr memory{};
  OK(cuMemAlloc_v2(&memory, values.size() * sizeof(float)));
  OK(cuMemcpyHtoD_v2(memory, values.data(), values.size() * sizeof(float)));
  OK(cuMemcpyDtoH_v2(got.data(), memory, got.size() * sizeof(float)));
  compare("contexts", values, got);
  OK(cuMemFree_v2(memory));
  OK(cuCtxPopCurrent_v2(&previous));
  OK(cuCtxDestroy_v2(made));
  OK(cuDevicePrimaryCtxRelease_v2(0));
}
