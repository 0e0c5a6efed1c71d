// Starting and ending NVML.
#include "stubs/nvml/session.h"

using torchada::nvml::initialise;

extern "C" {

int torchada_adapter_nvmlInit_v2() { return initialise(TORCHADA_NVML(Init_v2, LibraryInit)); }

int torchada_adapter_nvmlShutdown() {
  return torchada::nvml::shut_down(TORCHADA_NVML(Shutdown, LibraryShutDown));
}

}  // extern "C"
