// Variables of device code. The runtime has none: those that programs register belong to code for a
// GPU.
#include "src/host/musart/call.h"
#include "src/host/musart/registration.h"
#include "src/host/shared/forward.h"

namespace musart {
namespace {

musaError_t no_symbol(const void* symbol) { return why_no_code(symbol, musaErrorInvalidSymbol); }

musaError_t no_such_symbol(const void* symbol, bool arguments_good) {
  return call([&](int) { return arguments_good ? no_symbol(symbol) : musaErrorInvalidValue; });
}

// Data goes to the device or comes from it (`outside`), or moves within it.
musaError_t check_kind(musaMemcpyKind kind, musaMemcpyKind outside) {
  return kind == outside || kind == musaMemcpyDeviceToDevice || kind == musaMemcpyDefault
             ? musaSuccess
             : musaErrorInvalidMemcpyDirection;
}

musaError_t copy_symbol(const void* symbol, const void* memory, musaMemcpyKind kind,
                        musaMemcpyKind outside, musaStream_t stream) {
  return call([&](int) {
    musaError_t checked = check_kind(kind, outside);
    if (checked == musaSuccess) checked = musa::check_stream(stream);
    if (checked != musaSuccess) return checked;
    return memory == nullptr ? musaErrorInvalidValue : no_symbol(symbol);
  });
}

}  // namespace
}  // namespace musart

#define SYMBOL(count, function, answer) HOST_ANSWER(musaError_t, count, function, musart::answer)
SYMBOL(2, musaGetSymbolAddress, no_such_symbol(a1, a0 != nullptr))
SYMBOL(2, musaGetSymbolSize, no_such_symbol(a1, a0 != nullptr))
SYMBOL(5, musaMemcpyToSymbol, copy_symbol(a0, a1, a4, musaMemcpyHostToDevice, nullptr))
SYMBOL(6, musaMemcpyToSymbolAsync, copy_symbol(a0, a1, a4, musaMemcpyHostToDevice, a5))
SYMBOL(5, musaMemcpyFromSymbol, copy_symbol(a1, a0, a4, musaMemcpyDeviceToHost, nullptr))
SYMBOL(6, musaMemcpyFromSymbolAsync, copy_symbol(a1, a0, a4, musaMemcpyDeviceToHost, a5))
