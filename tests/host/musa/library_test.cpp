#include "tests/host/shared/library.h"

#include <gtest/gtest.h>

namespace {

using host_tests::Names;

TEST(MusaLibrary, ExportsWhatTheHeaderDeclares) {
  const Names declared = host_tests::declared_functions(HEADER_FILE, "mu");
  EXPECT_EQ(declared.size(), 213U);
  EXPECT_EQ(host_tests::exported_symbols(LIBRARY_FILE), declared);
}

TEST(MusaLibrary, LooksLikeTheOneOfTheDriver) {
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "SONAME"), Names{"libmusa.so.1"});
}

TEST(MusaLibrary, NeedsOnlyLibc) {
  EXPECT_EQ(host_tests::needed_libraries(LIBRARY_FILE), (Names{"libc.so.6"}));
}

}  // namespace
