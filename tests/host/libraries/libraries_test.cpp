// The libraries of the newest tree look like those of the SDK and of the driver.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/host/shared/library.h"

namespace {

using host_tests::Names;

struct Library {
  std::string name, folder, prefix;
  std::vector<std::string> headers;
  std::size_t functions;  // that the headers declare
  std::string soname;
  Names runpath, needed;
};

const std::string kSdk = HOST "/assumed/lib/";
const std::string kDriver = HOST "/driver/assumed/";
const Names kOrigin{"$ORIGIN"};
const Names kLibc{"libc.so.6"};
const Names kRuntimeAndLibc{"libc.so.6", "libmusart.so.5"};

const Library kLibraries[] = {
    {"mccl", kSdk, "mccl", {"mccl.h"}, 33, "libmccl.so.2", kOrigin, kRuntimeAndLibc},
    {"mtml", kDriver, "mtml", {"mtml.h"}, 116, "libmtml.so.2", kOrigin, kLibc},
    {"mtrtc", kSdk, "mtrtc", {"mtrtc.h"}, 13, "libmtrtc.so.5", kOrigin, kLibc},
    {"mublas", kSdk, "mublas", {"mublas.h"}, 214, "libmublas.so.1", kOrigin, kRuntimeAndLibc},
    {"mublasLt",
     kSdk,
     "mublasLt",
     {"mublasLt.h"},
     25,
     "libmublasLt.so.1",
     kOrigin,
     kRuntimeAndLibc},
    {"mufft",
     kSdk,
     "mufft",
     {"mufft.h", "mufftXt.h"},
     31,
     "libmufft.so.1",
     kOrigin,
     kRuntimeAndLibc},
    {"murand", kSdk, "murand", {"murand.h"}, 12, "libmurand.so.1", kOrigin, kRuntimeAndLibc},
    {"musa", kDriver, "mu", {"musa.h"}, 221, "libmusa.so.1", kOrigin, kLibc},
};

class Libraries : public testing::TestWithParam<Library> {
 protected:
  const Library& library_ = GetParam();
  const std::string file_ = library_.folder + "lib" + library_.name + ".so";
};

TEST_P(Libraries, ExportsWhatItsHeadersDeclare) {
  Names declared;
  for (const std::string& header : library_.headers) {
    declared.merge(
        host_tests::declared_functions(HOST "/assumed/include/" + header, library_.prefix));
  }
  EXPECT_EQ(declared.size(), library_.functions);
  EXPECT_EQ(host_tests::without_cxx_parameters(host_tests::exported_symbols(file_)), declared);
}

TEST_P(Libraries, HasItsNameAndNeedsNoMore) {
  EXPECT_EQ(host_tests::dynamic_entries(file_, "SONAME"), Names{library_.soname});
  EXPECT_EQ(host_tests::dynamic_entries(file_, "RUNPATH"), library_.runpath);
  EXPECT_EQ(host_tests::needed_libraries(file_), library_.needed);
}

INSTANTIATE_TEST_SUITE_P(StandIn, Libraries, testing::ValuesIn(kLibraries),
                         [](const auto& each) { return each.param.name; });

}  // namespace
