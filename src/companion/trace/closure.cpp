#include "src/companion/trace/closure.h"

namespace torchada::trace {

void* closure(ffi_cif* interface, Handler handler, void* data) {
  void* code = nullptr;
  auto* out = static_cast<ffi_closure*>(ffi_closure_alloc(sizeof(ffi_closure), &code));
  if (!out) return nullptr;
  if (ffi_prep_closure_loc(out, interface, handler, data, code) == FFI_OK) return code;
  ffi_closure_free(out);
  return nullptr;
}

}  // namespace torchada::trace
