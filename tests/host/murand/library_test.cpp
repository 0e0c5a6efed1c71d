#include "tests/host/shared/library.h"

#include <gtest/gtest.h>

namespace {

using host_tests::Names;

TEST(MurandLibrary, ExportsWhatTheHeaderDeclares) {
  const Names declared = host_tests::declared_functions(HEADER_FILE, "murand");
  EXPECT_EQ(declared.size(), 12U);
  EXPECT_EQ(host_tests::exported_symbols(LIBRARY_FILE), declared);
}

TEST(MurandLibrary, LooksLikeTheOneOfTheSdk) {
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "SONAME"), Names{"libmurand.so.1"});
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "RUNPATH"), Names{"$ORIGIN"});
}

TEST(MurandLibrary, NeedsOnlyTheRuntimeAndLibc) {
  EXPECT_EQ(host_tests::needed_libraries(LIBRARY_FILE), (Names{"libc.so.6", "libmusart.so.5"}));
}

}  // namespace
