#include "tests/host/shared/library.h"

#include <gtest/gtest.h>

namespace {

using host_tests::Names;

TEST(MublasLtLibrary, ExportsWhatTheHeaderDeclares) {
  const Names declared = host_tests::declared_functions(HEADER_FILE, "mublasLt");
  EXPECT_EQ(declared.size(), 25U);
  EXPECT_EQ(host_tests::exported_symbols(LIBRARY_FILE), declared);
}

TEST(MublasLtLibrary, LooksLikeTheOneOfTheSdk) {
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "SONAME"), Names{"libmublasLt.so.1"});
  EXPECT_EQ(host_tests::needed_libraries(LIBRARY_FILE), (Names{"libc.so.6", "libmusart.so.5"}));
}

}  // namespace
