// Attributes in byte buffers: numbers, sizes and enumerations are converted, and errors are those
// of the real library.
#pragma once

#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"

namespace torchada {

struct AttributeList {
  const Attribute* first;
  size_t count;
  bool asks_sizes;  // Size queries go to MUSA, which rejects an invalid object.

  template <size_t kCount>
  constexpr AttributeList(const Attribute (&attributes)[kCount], bool asks = false)
      : first(attributes), count(kCount), asks_sizes(asks) {}
};

using AttributeSetter = int (*)(void* object, int attribute, const void* buffer, size_t size);

// MUSA's function, which may take the object as const.
class AttributeGetter {
 public:
  template <typename Object>
  using Call = int (*)(Object*, int, void*, size_t, size_t*);

  AttributeGetter(Call<void> call) : call_(call) {}
  AttributeGetter(Call<const void> call) : const_call_(call) {}

  int operator()(const void* object, int attribute, void* buffer, size_t size,
                 size_t* written) const {
    if (const_call_) return const_call_(object, attribute, buffer, size, written);
    return call_(const_cast<void*>(object), attribute, buffer, size, written);
  }

 private:
  Call<void> call_ = nullptr;
  Call<const void> const_call_ = nullptr;
};

// `object` owns the attribute: a description or an algorithm.
int set_attribute(const Function& function, const AttributeList& attributes, AttributeSetter set,
                  void* object, int attribute, const void* buffer, size_t size);

int get_attribute(const Function& function, const AttributeList& attributes, AttributeGetter get,
                  const void* object, int attribute, void* buffer, size_t size, size_t* written);

}  // namespace torchada
