// Maps the host address of registered device code to its record. Callers hold the lock of
// registered_code.cpp.
//
// Two modules may register the same address: the stub of a template's kernel is one function for
// the whole process. The index then holds both, so that unloading one leaves the other.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stubs/cudart/code_kind.h"

namespace torchada {

// RegisteredCode without its padding: there are tens of thousands of records.
struct CodeRecord {
  const void* host;
  const char* name;
  size_t size;
  CodeKind kind;
  bool reported;  // A printed line has named it.
  uint32_t number;
};

class CodeIndex {
 public:
  // Makes room for `count` records in total, including those already here. False without memory;
  // nothing has changed then.
  bool reserve(size_t count);
  // Only for a record that a reserve() has counted.
  void add(CodeRecord* record);
  void remove(const CodeRecord* record);
  CodeRecord* find(const void* host) const;
  // Whether is_meant(record) holds for any.
  template <typename Test>
  bool has(Test is_meant) const {
    for (size_t at = 0; at < capacity_; ++at) {
      if (slots_[at] && slots_[at]->name && is_meant(slots_[at])) return true;
    }
    return false;
  }

 private:
  size_t place_of(const void* host) const;

  CodeRecord** slots_ = nullptr;
  size_t capacity_ = 0;  // A power of two, 0 at first.
  size_t used_ = 0;      // Slots that are not empty, including those of removed records.
  size_t live_ = 0;      // Records.
};

}  // namespace torchada
