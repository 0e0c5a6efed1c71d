// Names and texts of errors. They need no MUSA, and MUSA's own would name MUSA's constants.
#include "facts.h"
#include "stubs/reporting/fallback.h"

extern "C" {

// Emitted; null for a number that is no error of CUDA's.
TORCHADA_HIDDEN const char* torchada_text_cuGetErrorName(int code);
TORCHADA_HIDDEN const char* torchada_text_cuGetErrorString(int code);

int torchada_adapter_cuGetErrorName(int error, const char** text) {
  if (!text) return torchada::fail(torchada::kInvalid);
  *text = torchada_text_cuGetErrorName(error);
  return *text ? 0 : torchada::fail(torchada::kInvalid);
}

// The runtime has the same numbers for errors of the driver, and more: those of its own have no
// name here.
int torchada_adapter_cuGetErrorString(int error, const char** text) {
  if (!text) return torchada::fail(torchada::kInvalid);
  *text = torchada_text_cuGetErrorName(error) ? torchada_text_cuGetErrorString(error) : nullptr;
  return *text ? 0 : torchada::fail(torchada::kInvalid);
}

}  // extern "C"
