#pragma once

#include <gtest/gtest.h>
#include <musa_runtime_api.h>

#include <cstdint>
#include <vector>

namespace host_tests {

// Known memory with unknown memory on both sides. Device memory may have neighbours.
class Island {
 public:
  static constexpr std::size_t kBytes = 4096;

  Island() : pages_(4 * kBytes) {
    const auto start = reinterpret_cast<std::uintptr_t>(pages_.data() + kBytes);
    data_ = pages_.data() + kBytes + (kBytes - start % kBytes) % kBytes;
    EXPECT_EQ(musaHostRegister(data_, kBytes, musaHostRegisterDefault), musaSuccess);
  }
  ~Island() { EXPECT_EQ(musaHostUnregister(data_), musaSuccess); }
  Island(const Island&) = delete;
  Island& operator=(const Island&) = delete;
  char* data() const { return data_; }

 private:
  std::vector<char> pages_;
  char* data_;
};

}  // namespace host_tests
