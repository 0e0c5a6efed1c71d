// Which header is found.
#include "tests/host/mtrtc/compiled.h"

namespace {

using mtrtc_tests::contains;
using mtrtc_tests::Folder;
using mtrtc_tests::kSmall;
using mtrtc_tests::Program;
using mtrtc_tests::Variable;

constexpr const char* kHostile = "#error hostile\n";

TEST(MtrtcIncludes, mtrtcCreateProgram_gives_headers_by_their_names) {
  const Program program("#include \"a/b.h\"\n#include <c.h>\nstatic_assert(B + C == 5);\n", nullptr,
                        {{"a/b.h", "#include \"../d.h\"\n#define B D\n"},
                         {"c.h", "#define C 3\n"},
                         {"d.h", "#define D 2\n"}});
  EXPECT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
}

TEST(MtrtcIncludes, mtrtcCompileProgram_refuses_a_header_outside_of_its_folder) {
  for (const char* const name : {"/etc/hosts.h", "../up.h", "a/../../up.h", ".."}) {
    const Program program(kSmall, nullptr, {{name, ""}});
    EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
    EXPECT_TRUE(contains(program.log(), std::string("header '") + name + "': expected a relative"));
  }
}

// A folder of a CUDA toolkit, as programs name it, and one that a program brings along.
TEST(MtrtcIncludes, mtrtcCompileProgram_finds_its_own_headers_first) {
  const Folder folder;
  for (const char* const name :
       {"cuda_fp16.h", "cuda_runtime.h", "cuda_runtime_api.h", "torchada_device.h",
        "vector_types.h", "math_constants.h", "torchada_image.h"}) {
    folder.write(name, kHostile);
  }
  const std::string option = "-I" + folder.path();
  const std::string system = folder.path();
  const Variable path("CPATH", folder.path().c_str());
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Program program(
      "#include <cuda_runtime.h>\n#include \"cuda_fp16.h\"\n#include <math_constants.h>\n"
      "__device__ __half number;\n" +
          std::string(kSmall),
      (folder.path() + "/beside.cu").c_str(),
      {{"cuda_fp16.h", kHostile}, {"cooperative_groups.h", kHostile}});
  EXPECT_EQ(program.compile({option.c_str(), "-isystem", system.c_str()}), MTRTC_SUCCESS)
      << program.log();
  std::filesystem::current_path(before);
}

// Where a toolkit is installed, its other headers are found as well.
TEST(MtrtcIncludes, mtrtcCompileProgram_with_the_folder_of_a_toolkit) {
  const char* const folder = "/usr/local/cuda/include";
  const bool there = std::filesystem::exists(folder);
  const std::string option = std::string("-I") + folder;
  const Program program(std::string("#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n") +
                        (there ? "#include <curand_kernel.h>\n" : "") + kSmall);
  EXPECT_EQ(program.compile({option.c_str()}), MTRTC_SUCCESS) << program.log();
}

TEST(MtrtcIncludes, mtrtcCompileProgram_finds_headers_beside_a_source_that_has_a_folder) {
  const Folder folder;
  folder.write("beside.h", "#define BESIDE 1\n");
  const Program program("#include \"beside.h\"\nstatic_assert(BESIDE);\n",
                        (folder.path() + "/k.cu").c_str());
  EXPECT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
}

}  // namespace
