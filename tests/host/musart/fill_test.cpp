// What the conformance tests of fills, which also run on the stand-in alone, do not say.
#include "tests/host/musart/support.h"

namespace {

TEST(Fill, EndsWithTheAllocation) {
  constexpr size_t kSize = 600;
  char host[10] = {};
  void* memory = nullptr;
  ASSERT_OK(musaMalloc(&memory, kSize));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(host, 0, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset2D(memory, 100, 0, 100, 7));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemset3DAsync({memory, 10, 10, 6}, 0, {10, 6, 11}, nullptr));
  EXPECT_OK(musaMemset(nullptr, 0, 0));
  EXPECT_OK(musaFree(memory));
}

}  // namespace
