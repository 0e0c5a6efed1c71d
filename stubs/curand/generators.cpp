// Functions that take a generator: one of the device (muRAND's own) or of the host
// (host_generator.h).
#include "facts.h"
#include "stubs/curand/host_generator.h"
#include "stubs/curand/no_generator.h"
#include "stubs/curand/via.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/refusal.h"
#include "stubs/resolving/coverage.h"

TORCHADA_HIDDEN uint8_t torchada::curand::numbers_asked_for;

namespace {

using torchada::fail;
using torchada::curand::host_handle;
using torchada::curand::is_host;
using torchada::curand::no_generator;
using torchada::curand::numbers_asked_for;
namespace cuda = torchada::cuda;

constexpr int kNotInitialized = static_cast<int>(cuda::CURAND_STATUS_NOT_INITIALIZED);
constexpr int kTypeError = static_cast<int>(cuda::CURAND_STATUS_TYPE_ERROR);
constexpr int kInitializationFailed = static_cast<int>(cuda::CURAND_STATUS_INITIALIZATION_FAILED);

}  // namespace

extern "C" {

int torchada_adapter_curandCreateGeneratorHost(void** handle, int type) {
  if (!handle) return fail(kNotInitialized);
  int device = 0;
  if (musaGetDevice(&device) != 0) {
    torchada::report_absence("curandCreateGeneratorHost");
    return fail(kInitializationFailed);
  }
  constexpr const char* kName = "curandCreateGeneratorHost";
  constexpr unsigned kType = 1;  // The parameter.
  if (torchada::is_lacking(kName, kType, type)) {
    // Here, so that the line has the name of the function that the program called.
    return torchada::refuse_enumerator(kName, kType, type, nullptr, kTypeError);
  }
  void* generator = nullptr;
  if (const int status = torchada_own_curandCreateGenerator(&generator, type)) return status;
  void* made = host_handle(generator, device);
  if (!made) {
    murandDestroyGenerator(generator);
    return fail(kInitializationFailed);
  }
  *handle = made;
  return 0;
}

int torchada_adapter_curandSetStream(void* handle, void* stream) {
  if (!handle) return no_generator("curandSetStream");
  return is_host(handle) ? 0 : murandSetStream(handle, stream);
}

// Sets up the state, as the first numbers would: so there is nothing to do before them. After them,
// CUDA's numbers change with two types of generators (measured with NVIDIA's host generators). A
// handle is muRAND's generator, which tells neither its type nor whether it gave numbers.
int torchada_adapter_curandGenerateSeeds(const void* handle) {
  if (!handle) return no_generator("curandGenerateSeeds");
  static uint8_t said;
  if (__atomic_load_n(&numbers_asked_for, __ATOMIC_RELAXED) != 0 &&
      __atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) == 0) {
    torchada::Line line;
    line << "curandGenerateSeeds has no effect; if the generator has given numbers, CUDA's starts "
            "over with CURAND_RNG_PSEUDO_MTGP32, and goes on elsewhere with "
            "CURAND_RNG_PSEUDO_PHILOX4_32_10";
    torchada::log(torchada::LogLevel::kWarn, line);
  }
  return 0;
}

}  // extern "C"
