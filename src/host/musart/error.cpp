#include "src/host/musart/error.h"

#include <utility>

#include "src/host/musa/operations.h"

namespace musart {
namespace {

thread_local musaError_t last_error = musaSuccess;

}  // namespace

musaError_t remember(musaError_t error) {
  last_error = error;
  return error;
}

}  // namespace musart

musaError_t musaGetLastError() { return std::exchange(musart::last_error, musaSuccess); }

musaError_t musaPeekAtLastError() { return musart::last_error; }

const char* musaGetErrorName(musaError_t error) { return musa::error_name(error); }

const char* musaGetErrorString(musaError_t error) { return musa::error_text(error); }
