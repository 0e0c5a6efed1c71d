#include "src/host/musart/error.h"

namespace musart {
namespace {

thread_local musaError_t last_error = musaSuccess;

}  // namespace

musaError_t record_error(musaError_t error) {
  if (error != musaSuccess && error != musaErrorNotReady) last_error = error;
  return error;
}

}  // namespace musart

musaError_t musaGetLastError() { return std::exchange(musart::last_error, musaSuccess); }

musaError_t musaPeekAtLastError() { return musart::last_error; }

const char* musaGetErrorName(musaError_t error) { return musart::error_name(error); }

const char* musaGetErrorString(musaError_t error) { return musart::error_text(error); }
