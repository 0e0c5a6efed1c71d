// find_entry_point in the table of entry_points/entry_points.inc.
#include "stubs/cuda/entry_points.h"

#include <gtest/gtest.h>

extern "C" {
char torchada_trampolines[256];
}

namespace torchada {
namespace {

// Index of the symbol found, or minus the answer.
int find(const char* name, int version, bool per_thread = false) {
  void* function = torchada_trampolines + 255;
  const Found found = find_entry_point(name, version, per_thread, &function);
  if (found != Found::kFunction) {
    EXPECT_EQ(nullptr, function);
    return -static_cast<int>(found);
  }
  return static_cast<int>((static_cast<char*>(function) - torchada_trampolines) / 16);
}

TEST(EntryPoints, newest_function_that_the_version_has) {
  EXPECT_EQ(-2, find("probeCopy", 1999));
  EXPECT_EQ(4, find("probeCopy", 2000));
  EXPECT_EQ(4, find("probeCopy", 3010));
  EXPECT_EQ(5, find("probeCopy", 3020));
  EXPECT_EQ(5, find("probeCopy", 12090));
  EXPECT_EQ(7, find("probeCopy", 13000));
  EXPECT_EQ(7, find("probeCopy", 99000));
}

TEST(EntryPoints, function_per_thread_from_its_own_version_on) {
  EXPECT_EQ(-2, find("probeCopy", 2000, true));
  EXPECT_EQ(-2, find("probeCopy", 6050, true));
  EXPECT_EQ(6, find("probeCopy", 7000, true));
  EXPECT_EQ(8, find("probeCopy", 13000, true));
  EXPECT_EQ(3, find("probeAddress", 13000, true));
  EXPECT_EQ(1, find("probeAdd", 13000, true));  // It has none.
}

TEST(EntryPoints, every_name_is_found_and_no_other) {
  EXPECT_EQ(1, find("probeAdd", 2000));
  EXPECT_EQ(2, find("probeAddress", 12080));
  EXPECT_EQ(9, find("probeZ", 4000));
  for (const char* name : {"", "a", "probe", "probeAd", "probeAddr", "probeAddresses",
                           "probeCopy_v2", "probeZz", "z"}) {
    EXPECT_EQ(-1, find(name, 13000)) << name;
  }
}

TEST(EntryPoints, versions_out_of_any_range) {
  EXPECT_EQ(-2, find("probeAdd", 0));
  EXPECT_EQ(-2, find("probeAdd", -1));
  EXPECT_EQ(1, find("probeAdd", 0x7fffffff));
}

}  // namespace
}  // namespace torchada
