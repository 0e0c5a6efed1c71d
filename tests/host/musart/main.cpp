// Sets up the machine that the tests expect, regardless of the caller's environment. The runtime
// reads it at its first use.
#include <gtest/gtest.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  setenv("TORCHADA_HOST_DEVICES", HOST_DEVICES, 1);
  setenv("TORCHADA_HOST_MEMORY", HOST_MEMORY, 1);
  setenv("TORCHADA_HOST_ACCOUNT", "none", 1);
  unsetenv("MUSA_VISIBLE_DEVICES");
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
