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
  bool asks_sizes = false;  // Size queries go to MUSA, which rejects an invalid object.
};

template <size_t kCount>
constexpr AttributeList list_of(const Attribute (&attributes)[kCount]) {
  return {attributes, kCount};
}

// `object` owns the attribute: a description or an algorithm.
int set_attribute(const Function& function, const AttributeList& attributes,
                  int (*set)(void*, int, const void*, size_t), void* object, int attribute,
                  const void* buffer, size_t size);

int get_attribute(const Function& function, const AttributeList& attributes,
                  int (*get)(void*, int, void*, size_t, size_t*), void* object, int attribute,
                  void* buffer, size_t size, size_t* written);

}  // namespace torchada
