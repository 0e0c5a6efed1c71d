// Registered variables of device code that a kernel library has.
#include <stddef.h>

#include "stubs/cudart/kernel_code.h"

using namespace torchada;

namespace {

constexpr int kToDevice = static_cast<int>(cuda::cudaMemcpyHostToDevice);
constexpr int kToHost = static_cast<int>(cuda::cudaMemcpyDeviceToHost);
constexpr int kOnDevice = static_cast<int>(cuda::cudaMemcpyDeviceToDevice);
constexpr int kDefault = static_cast<int>(cuda::cudaMemcpyDefault);

// A part of a variable.
struct Part {
  const void* symbol;
  size_t bytes;
  size_t offset;
};

// Calls use(address) with the part's address on the device. `kind` may also be `also`.
template <typename Use>
int with_part(const char* function, const Part& part, int kind, int also, Use use) {
  return with_code(function, part.symbol, [&](const kernels::Code& code) {
    if (part.offset > code.bytes || part.bytes > code.bytes - part.offset) return kInvalidValue;
    if (kind != also && kind != kOnDevice && kind != kDefault) {
      return static_cast<int>(cuda::cudaErrorInvalidMemcpyDirection);
    }
    return use(reinterpret_cast<char*>(code.address) + part.offset);
  });
}

int to_symbol(const char* function, const Part& part, const void* from, int kind) {
  return with_part(function, part, kind, kToDevice,
                   [&](char* to) { return musaMemcpy(to, from, part.bytes, kind); });
}

int from_symbol(const char* function, void* to, const Part& part, int kind) {
  return with_part(function, part, kind, kToHost,
                   [&](const char* from) { return musaMemcpy(to, from, part.bytes, kind); });
}

int to_symbol(const char* function, const Part& part, const void* from, int kind, void* stream) {
  return with_part(function, part, kind, kToDevice,
                   [&](char* to) { return musaMemcpyAsync(to, from, part.bytes, kind, stream); });
}

int from_symbol(const char* function, void* to, const Part& part, int kind, void* stream) {
  return with_part(function, part, kind, kToHost, [&](const char* from) {
    return musaMemcpyAsync(to, from, part.bytes, kind, stream);
  });
}

}  // namespace

extern "C" {

int torchada_registered_cudaGetSymbolAddress(void** address, const void* symbol) {
  if (!address) return fail(kInvalidValue);
  return with_code("cudaGetSymbolAddress", symbol, [=](const kernels::Code& code) {
    *address = reinterpret_cast<void*>(code.address);
    return 0;
  });
}

int torchada_registered_cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes,
                                           size_t offset, int kind) {
  return to_symbol("cudaMemcpyToSymbol", {symbol, bytes, offset}, from, kind);
}

int torchada_registered_cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes,
                                             size_t offset, int kind) {
  return from_symbol("cudaMemcpyFromSymbol", to, {symbol, bytes, offset}, kind);
}

int torchada_registered_cudaMemcpyToSymbol_ptds(const void* symbol, const void* from, size_t bytes,
                                                size_t offset, int kind) {
  return after_own_stream(to_symbol("cudaMemcpyToSymbol_ptds", {symbol, bytes, offset}, from, kind,
                                    own_stream(nullptr)));
}

int torchada_registered_cudaMemcpyFromSymbol_ptds(void* to, const void* symbol, size_t bytes,
                                                  size_t offset, int kind) {
  return after_own_stream(from_symbol("cudaMemcpyFromSymbol_ptds", to, {symbol, bytes, offset},
                                      kind, own_stream(nullptr)));
}

int torchada_registered_cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                                size_t offset, int kind, void* stream) {
  return to_symbol("cudaMemcpyToSymbolAsync", {symbol, bytes, offset}, from, kind, stream);
}

int torchada_registered_cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes,
                                                  size_t offset, int kind, void* stream) {
  return from_symbol("cudaMemcpyFromSymbolAsync", to, {symbol, bytes, offset}, kind, stream);
}

int torchada_registered_cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* from,
                                                     size_t bytes, size_t offset, int kind,
                                                     void* stream) {
  return to_symbol("cudaMemcpyToSymbolAsync_ptsz", {symbol, bytes, offset}, from, kind,
                   own_stream(stream));
}

int torchada_registered_cudaMemcpyFromSymbolAsync_ptsz(void* to, const void* symbol, size_t bytes,
                                                       size_t offset, int kind, void* stream) {
  return from_symbol("cudaMemcpyFromSymbolAsync_ptsz", to, {symbol, bytes, offset}, kind,
                     own_stream(stream));
}

int torchada_registered_cudaGraphAddMemcpyNodeToSymbol(void** node, void* graph,
                                                       const void** before, size_t count,
                                                       const void* symbol, const void* from,
                                                       size_t bytes, size_t offset, int kind) {
  return with_part(
      "cudaGraphAddMemcpyNodeToSymbol", {symbol, bytes, offset}, kind, kToDevice, [=](char* to) {
        return musaGraphAddMemcpyNode1D(node, graph, before, count, to, from, bytes, kind);
      });
}

int torchada_registered_cudaGraphAddMemcpyNodeFromSymbol(void** node, void* graph,
                                                         const void** before, size_t count,
                                                         void* to, const void* symbol, size_t bytes,
                                                         size_t offset, int kind) {
  return with_part("cudaGraphAddMemcpyNodeFromSymbol", {symbol, bytes, offset}, kind, kToHost,
                   [=](const char* from) {
                     return musaGraphAddMemcpyNode1D(node, graph, before, count, to, from, bytes,
                                                     kind);
                   });
}

int torchada_registered_cudaGraphMemcpyNodeSetParamsToSymbol(void* node, const void* symbol,
                                                             const void* from, size_t bytes,
                                                             size_t offset, int kind) {
  return with_part(
      "cudaGraphMemcpyNodeSetParamsToSymbol", {symbol, bytes, offset}, kind, kToDevice,
      [=](char* to) { return musaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind); });
}

int torchada_registered_cudaGraphMemcpyNodeSetParamsFromSymbol(void* node, void* to,
                                                               const void* symbol, size_t bytes,
                                                               size_t offset, int kind) {
  return with_part("cudaGraphMemcpyNodeSetParamsFromSymbol", {symbol, bytes, offset}, kind, kToHost,
                   [=](const char* from) {
                     return musaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind);
                   });
}

int torchada_registered_cudaGraphExecMemcpyNodeSetParamsToSymbol(void* exec, void* node,
                                                                 const void* symbol,
                                                                 const void* from, size_t bytes,
                                                                 size_t offset, int kind) {
  return with_part("cudaGraphExecMemcpyNodeSetParamsToSymbol", {symbol, bytes, offset}, kind,
                   kToDevice, [=](char* to) {
                     return musaGraphExecMemcpyNodeSetParams1D(exec, node, to, from, bytes, kind);
                   });
}

int torchada_registered_cudaGraphExecMemcpyNodeSetParamsFromSymbol(void* exec, void* node, void* to,
                                                                   const void* symbol, size_t bytes,
                                                                   size_t offset, int kind) {
  return with_part("cudaGraphExecMemcpyNodeSetParamsFromSymbol", {symbol, bytes, offset}, kind,
                   kToHost, [=](const char* from) {
                     return musaGraphExecMemcpyNodeSetParams1D(exec, node, to, from, bytes, kind);
                   });
}

}  // extern "C"
