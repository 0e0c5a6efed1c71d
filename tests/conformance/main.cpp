// Sets up the machine that the tests expect, if MUSA is the CPU stand-in, which reads this at its
// first use.
#include <gtest/gtest.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  setenv("TORCHADA_HOST_DEVICES", "2", 1);
  setenv("TORCHADA_HOST_MEMORY", "256M", 1);
  setenv("TORCHADA_HOST_ACCOUNT", "none", 1);
  unsetenv("MUSA_VISIBLE_DEVICES");
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
