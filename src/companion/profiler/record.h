// A record while it is made: bytes in the layout of the program's CUPTI.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "src/shared/profiler_interface.h"

namespace torchada::profiler {

class Record {
 public:
  explicit Record(std::uint32_t size) : bytes_(size) {}

  template <typename Value>
  Record& set(std::uint32_t offset, Value value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
    return *this;
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace torchada::profiler
