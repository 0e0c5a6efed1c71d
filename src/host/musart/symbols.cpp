// Variables of device code. How programs register them has not been published, so none is known.
#include "src/host/musart/call.h"

namespace musart {
namespace {

musaError_t no_such_symbol(bool arguments_good) {
  return call([&](int) { return arguments_good ? musaErrorInvalidSymbol : musaErrorInvalidValue; });
}

// Data goes to the device or comes from it (`outside`), or moves within it.
musaError_t check_kind(musaMemcpyKind kind, musaMemcpyKind outside) {
  return kind == outside || kind == musaMemcpyDeviceToDevice || kind == musaMemcpyDefault
             ? musaSuccess
             : musaErrorInvalidMemcpyDirection;
}

musaError_t copy_symbol(const void* memory, musaMemcpyKind kind, musaMemcpyKind outside,
                        musaStream_t stream) {
  return call([&](int) {
    musaError_t checked = check_kind(kind, outside);
    if (checked == musaSuccess) checked = musa::check_stream(stream);
    if (checked != musaSuccess) return checked;
    return memory == nullptr ? musaErrorInvalidValue : musaErrorInvalidSymbol;
  });
}

}  // namespace
}  // namespace musart

musaError_t musaGetSymbolAddress(void** devPtr, const void*) {
  return musart::no_such_symbol(devPtr != nullptr);
}

musaError_t musaGetSymbolSize(size_t* size, const void*) {
  return musart::no_such_symbol(size != nullptr);
}

musaError_t musaMemcpyToSymbol(const void*, const void* src, size_t, size_t,
                               enum musaMemcpyKind kind) {
  return musart::copy_symbol(src, kind, musaMemcpyHostToDevice, nullptr);
}

musaError_t musaMemcpyToSymbolAsync(const void*, const void* src, size_t, size_t,
                                    enum musaMemcpyKind kind, musaStream_t stream) {
  return musart::copy_symbol(src, kind, musaMemcpyHostToDevice, stream);
}

musaError_t musaMemcpyFromSymbol(void* dst, const void*, size_t, size_t, enum musaMemcpyKind kind) {
  return musart::copy_symbol(dst, kind, musaMemcpyDeviceToHost, nullptr);
}

musaError_t musaMemcpyFromSymbolAsync(void* dst, const void*, size_t, size_t,
                                      enum musaMemcpyKind kind, musaStream_t stream) {
  return musart::copy_symbol(dst, kind, musaMemcpyDeviceToHost, stream);
}
