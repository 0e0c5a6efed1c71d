#include "tests/host/shared/library.h"

#include <gtest/gtest.h>

namespace {

using host_tests::Names;

TEST(MublasLibrary, ExportsWhatTheHeaderDeclares) {
  const Names declared = host_tests::declared_functions(HEADER_FILE, "mublas");
  EXPECT_EQ(declared.size(), 214U);
  EXPECT_EQ(host_tests::without_cxx_parameters(host_tests::exported_symbols(LIBRARY_FILE)),
            declared);
}

TEST(MublasLibrary, LooksLikeTheOneOfTheSdk) {
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "SONAME"), Names{"libmublas.so.1"});
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "RUNPATH"), Names{"$ORIGIN"});
}

TEST(MublasLibrary, NeedsOnlyTheRuntimeAndLibc) {
  EXPECT_EQ(host_tests::needed_libraries(LIBRARY_FILE), (Names{"libc.so.6", "libmusart.so.5"}));
}

}  // namespace
