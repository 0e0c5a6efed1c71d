#include "tests/host/shared/library.h"

#include <gtest/gtest.h>

namespace {

using host_tests::Names;

TEST(MtrtcLibrary, ExportsWhatTheHeaderDeclares) {
  const Names declared = host_tests::declared_functions(HEADER_FILE, "mtrtc");
  EXPECT_EQ(declared.size(), 13U);
  EXPECT_EQ(host_tests::exported_symbols(LIBRARY_FILE), declared);
}

TEST(MtrtcLibrary, LooksLikeTheOneOfTheSdk) {
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "SONAME"), Names{"libmtrtc.so.5"});
}

TEST(MtrtcLibrary, NeedsOnlyLibc) {
  EXPECT_EQ(host_tests::needed_libraries(LIBRARY_FILE), Names{"libc.so.6"});
}

}  // namespace
