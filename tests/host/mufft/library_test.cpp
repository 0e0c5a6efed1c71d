#include "tests/host/shared/library.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using host_tests::Names;

std::string xt_header() {
  const std::string header = HEADER_FILE;
  return header.substr(0, header.size() - 2) + "Xt.h";
}

TEST(MufftLibrary, ExportsWhatTheHeadersDeclare) {
  Names declared = host_tests::declared_functions(HEADER_FILE, "mufft");
  EXPECT_EQ(declared.size(), 28U);
  declared.merge(host_tests::declared_functions(xt_header(), "mufft"));
  EXPECT_EQ(declared.size(), 31U);
  EXPECT_EQ(host_tests::exported_symbols(LIBRARY_FILE), declared);
}

TEST(MufftLibrary, LooksLikeTheOneOfTheSdk) {
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "SONAME"), Names{"libmufft.so.1"});
  EXPECT_EQ(host_tests::dynamic_entries(LIBRARY_FILE, "RUNPATH"), Names{"$ORIGIN"});
}

TEST(MufftLibrary, NeedsOnlyTheRuntimeAndLibc) {
  EXPECT_EQ(host_tests::needed_libraries(LIBRARY_FILE), (Names{"libc.so.6", "libmusart.so.5"}));
}

}  // namespace
