// Virtual memory management. The structs are the same on both sides, but CUDA's newer releases know
// more places and kinds of memory than MUSA's header: these are refused.
#include "stubs/cuda/virtual_memory.h"

#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

struct Location {
  int type;
  int id;
};
static_assert(sizeof(Location) == musa::sizeof_MUmemLocation);
static_assert(sizeof(Location) == cuda::sizeof_CUmemLocation);

struct Properties {
  int type;
  int handle_types;
  Location location;
  void* win32;
  unsigned char flags[8];
};
static_assert(sizeof(Properties) == musa::sizeof_MUmemAllocationProp);
static_assert(sizeof(Properties) == cuda::sizeof_CUmemAllocationProp);
static_assert(offsetof(Properties, location) == musa::MUmemAllocationProp_location);
static_assert(offsetof(Properties, location) == cuda::CUmemAllocationProp_location);
static_assert(offsetof(Properties, handle_types) == musa::MUmemAllocationProp_requestedHandleTypes);

struct Access {
  Location location;
  int flags;
};
static_assert(sizeof(Access) == musa::sizeof_MUmemAccessDesc);
static_assert(sizeof(Access) == cuda::sizeof_CUmemAccessDesc);

int refuse_number(const char* function, const char* parameter, const char* enumeration, int value,
                  const char* reason) {
  return torchada::refuse_argument(function, parameter,
                                   torchada::enumerator_text(enumeration, value).c_str(), reason,
                                   torchada::kUnsupported);
}

}  // namespace

namespace torchada::driver {

// MUSA refuses CU_MEM_LOCATION_TYPE_INVALID itself.
int check_place(const char* function, const char* parameter, const void* location) {
  const int type = static_cast<const Location*>(location)->type;
  if (type <= static_cast<int>(musa::MU_MEM_LOCATION_TYPE_DEVICE)) return 0;
  return refuse_number(function, parameter, "CUmemLocationType", type,
                       "MUSA's virtual memory is known to lie on devices only");
}

int check_properties(const char* function, const void* properties) {
  const auto* const wanted = static_cast<const Properties*>(properties);
  if (!wanted) return fail(kInvalid);
  if (wanted->type > static_cast<int>(musa::MU_MEM_ALLOCATION_TYPE_PINNED)) {
    return refuse_number(function, "prop->type", "CUmemAllocationType", wanted->type,
                         "MUSA is known to have pinned memory only");
  }
  constexpr int kHandles = musa::MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR |
                           musa::MU_MEM_HANDLE_TYPE_WIN32 | musa::MU_MEM_HANDLE_TYPE_WIN32_KMT;
  constexpr int kFabric = cuda::CU_MEM_HANDLE_TYPE_FABRIC;
  if ((wanted->handle_types & ~kHandles) != 0) {
    return refuse_number(function, "prop->requestedHandleTypes", "CUmemAllocationHandleType",
                         wanted->handle_types,
                         (wanted->handle_types & kFabric) != 0
                             ? "MUSA's handle for other hosts has 128 bytes, CUDA's has 64"
                             : "no public source gives MUSA's number for such handles");
  }
  return check_place(function, "prop->location.type", &wanted->location);
}

}  // namespace torchada::driver

extern "C" int torchada_adapter_cuMemSetAccess(unsigned long long address, size_t size,
                                               const void* access, size_t count) {
  const auto* const all = static_cast<const Access*>(access);
  for (size_t i = 0; all && i < count; ++i) {
    if (const int refused = torchada::driver::check_place("cuMemSetAccess", "desc->location.type",
                                                          &all[i].location)) {
      return refused;
    }
  }
  return torchada::outcome({"cuMemSetAccess", "muMemSetAccess"},
                           muMemSetAccess(address, size, access, count));
}
