#pragma once

#include <mublasLt.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

namespace host_mublaslt {

struct Attribute {
  int name;
  std::size_t size;
  std::int64_t initial;
};

// The attributes of a descriptor: each a value of at most 8 bytes.
class Attributes {
 public:
  explicit Attributes(const std::vector<Attribute>& known);

  mublasStatus_t set(int name, const void* buffer, std::size_t size);
  mublasStatus_t get(int name, void* buffer, std::size_t size, std::size_t* written) const;

  // The attribute must exist.
  template <typename T>
  T value(int name) const {
    T result{};
    static_cast<void>(get(name, &result, sizeof result, nullptr));
    return result;
  }

 private:
  struct Slot {
    int name;
    std::size_t size;
    std::array<unsigned char, 8> bytes;
  };

  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
};

// Copies a value to the caller. With size 0, only reports how large the value is.
mublasStatus_t give(const void* value, std::size_t value_size, void* buffer, std::size_t size,
                    std::size_t* written);

}  // namespace host_mublaslt
