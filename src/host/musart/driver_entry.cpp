// Looks up functions of the driver. Nobody serves them through the runtime yet, so it finds none.
#include "src/host/musart/call.h"

namespace musart {
namespace {

musaError_t find_entry(const char* symbol, void** function, unsigned long long flags,
                       musaDriverEntryPointQueryResult* result) {
  return call([&](int) {
    if (symbol == nullptr || *symbol == '\0' || function == nullptr ||
        flags > musaEnablePerThreadDefaultStream) {
      return musaErrorInvalidValue;
    }
    *function = nullptr;
    // A caller that passes `result` gets the reason there, and success.
    if (result == nullptr) return musaErrorSymbolNotFound;
    *result = musaDriverEntryPointSymbolNotFound;
    return musaSuccess;
  });
}

}  // namespace
}  // namespace musart

musaError_t musaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    enum musaDriverEntryPointQueryResult* driverStatus) {
  return musart::find_entry(symbol, funcPtr, flags, driverStatus);
}

musaError_t musaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int,
                                             unsigned long long flags,
                                             enum musaDriverEntryPointQueryResult* driverStatus) {
  return musart::find_entry(symbol, funcPtr, flags, driverStatus);
}
