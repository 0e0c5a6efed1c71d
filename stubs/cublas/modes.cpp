// Modes and hints of a handle that MUSA's BLAS is not told, because no source says how.
// `decided` in mappings/forward/types.yaml says what becomes of each.
#include "facts.h"
#include "stubs/adapting/decided_mode.h"
#include "stubs/adapting/kept_values.h"

namespace {

using torchada::fail;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

constexpr int kInvalidValue = static_cast<int>(cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kNoHandle = static_cast<int>(cuda::CUBLAS_STATUS_NOT_INITIALIZED);
constexpr int kNotSupported = static_cast<int>(cuda::CUBLAS_STATUS_NOT_SUPPORTED);
constexpr int kFailed = static_cast<int>(cuda::CUBLAS_STATUS_INTERNAL_ERROR);
constexpr int kNoRoom = static_cast<int>(cuda::CUBLAS_STATUS_ALLOC_FAILED);
constexpr unsigned kMode = 1;  // The parameter.

// A mode, and how a handle starts.
enum Kind : torchada::KeptKind { kMath, kAtomics, kStrategy, kMultiprocessors };
constexpr int kInitial = 0;
static_assert(cuda::CUBLAS_DEFAULT_MATH == kInitial &&
              cuda::CUBLAS_ATOMICS_NOT_ALLOWED == kInitial);

// Success if MUSA takes the handle.
int use(void* handle) {
  if (!handle) return fail(kNoHandle);
  int ignored = 0;
  return torchada_own_cublasGetPointerMode_v2(handle, &ignored);
}

int keep(void* handle, Kind kind, int value) {
  return torchada::keep_value(handle, kind, value, kInitial) ? 0 : fail(kNoRoom);
}

template <const auto& kDecided>
int set(const char* function, void* handle, Kind kind, int mode) {
  if (const int status = use(handle)) return status;
  const int status =
      torchada::decide_mode<kDecided>(function, kMode, mode, kInvalidValue, kNotSupported);
  return status != 0 ? status : keep(handle, kind, mode);
}

int get(void* handle, Kind kind, int* mode) {
  if (const int status = use(handle)) return status;
  if (!mode) return fail(kInvalidValue);
  *mode = static_cast<int>(torchada::kept_value(handle, kind, kInitial));
  return 0;
}

}  // namespace

extern "C" {

int torchada_adapter_cublasSetMathMode(void* handle, int mode) {
  return set<torchada::kDecided_cublasMath_t>("cublasSetMathMode", handle, kMath, mode);
}

int torchada_adapter_cublasGetMathMode(void* handle, int* mode) { return get(handle, kMath, mode); }

int torchada_adapter_cublasSetAtomicsMode(void* handle, int mode) {
  return set<torchada::kDecided_cublasAtomicsMode_t>("cublasSetAtomicsMode", handle, kAtomics,
                                                     mode);
}

int torchada_adapter_cublasGetAtomicsMode(void* handle, int* mode) {
  return get(handle, kAtomics, mode);
}

// How many multiprocessors other work leaves to the products; 0 for all.
int torchada_adapter_cublasSetSmCountTarget(void* handle, int count) {
  if (const int status = use(handle)) return status;
  int device = 0;
  int all = 0;
  if (musaGetDevice(&device) != 0 ||
      musaDeviceGetAttribute(&all, musa::musaDevAttrMultiProcessorCount, device) != 0) {
    return fail(kFailed);
  }
  if (count < 0 || count > all) return fail(kInvalidValue);
  return keep(handle, kMultiprocessors, count);
}

int torchada_adapter_cublasGetSmCountTarget(void* handle, int* count) {
  return get(handle, kMultiprocessors, count);
}

#if TORCHADA_ABI >= 12

static_assert(cuda::CUBLAS_EMULATION_STRATEGY_DEFAULT == kInitial);

int torchada_adapter_cublasSetEmulationStrategy(void* handle, int strategy) {
  return set<torchada::kDecided_cublasEmulationStrategy_t>("cublasSetEmulationStrategy", handle,
                                                           kStrategy, strategy);
}

int torchada_adapter_cublasGetEmulationStrategy(void* handle, int* strategy) {
  return get(handle, kStrategy, strategy);
}

#endif

}  // extern "C"
