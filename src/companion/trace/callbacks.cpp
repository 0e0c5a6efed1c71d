#include "src/companion/trace/callbacks.h"

#include "src/companion/trace/ffi_types.h"

namespace torchada::trace {

void* Callbacks::wrap(const Traced& giver, std::uint32_t index, void* function, Handler handler) {
  const std::lock_guard lock(mutex_);
  // Either a getter of another library's trace returned it, or it is wrapped already.
  if (originals_.count(function) != 0) return function;
  void*& wrapped = wrapped_[{giver.prototype, index, function}];
  if (wrapped) return wrapped;
  const ValueType& type = giver.type_of(index);
  ffi_cif* interface = call_interface(type.target, type.first, type.count);
  if (!interface) return function;
  wrapped = closure(interface, handler, new Callback{&giver, index, function, interface});
  if (!wrapped) return function;
  originals_[wrapped] = function;
  return wrapped;
}

void* Callbacks::unwrap(void* function) {
  const std::lock_guard lock(mutex_);
  const auto found = originals_.find(function);
  return found == originals_.end() ? function : found->second;
}

}  // namespace torchada::trace
