#include "stubs/cublas/modes.h"

using torchada::fail;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

extern "C" {

// How many multiprocessors other work leaves to the products; 0 for all.
int torchada_adapter_cublasSetSmCountTarget(void* handle, int count) {
  if (const int status = torchada::modes::use(handle)) return status;
  int device = 0;
  int all = 0;
  if (musaGetDevice(&device) != 0 ||
      musaDeviceGetAttribute(&all, musa::musaDevAttrMultiProcessorCount, device) != 0) {
    return fail(static_cast<int>(cuda::CUBLAS_STATUS_INTERNAL_ERROR));
  }
  if (count < 0 || count > all) return fail(torchada::kInvalid);
  return torchada::modes::keep(handle, torchada::modes::kMultiprocessors, count);
}

}  // extern "C"
