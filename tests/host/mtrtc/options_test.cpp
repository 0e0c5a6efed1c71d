// The options of mtrtcCompileProgram.
#include "tests/host/mtrtc/compiled.h"

namespace {

using mtrtc_tests::contains;
using mtrtc_tests::kSmall;
using mtrtc_tests::Program;

TEST(MtrtcOptions, mtrtcCompileProgram_takes_each_way_to_write_an_option) {
  const mtrtc_tests::Folder folder;
  folder.write("one/one.h", "#define ONE 1\n");
  folder.write("two/two.h", "#define TWO 2\n");
  folder.write("three.h", "#define THREE 3\n");
  const std::string one = "-I" + folder.path() + "/one";
  const std::string two = "--include-path=" + folder.path() + "/two";
  const std::string three = folder.path() + "/three.h";
  const Program program(
      "#include <one.h>\n#include <two.h>\n"
      "static_assert(ONE == 1 && TWO == 2 && THREE == 3 && A == 1 && B == 2 && C == 3);\n"
      "#if defined(D) || defined(E)\n#error\n#endif\n"
      "static_assert(__cplusplus == 202002L);\n" +
      std::string(kSmall));
  EXPECT_EQ(program.compile({one.c_str(),   two.c_str(),
                             "-include",    three.c_str(),
                             "-DA",         "-D",
                             "B=2",         "--define-macro=C=3",
                             "-DD=4",       "-UD",
                             "-DE",         "--undefine-macro=E",
                             "--std=c++20", "--offload-arch=mp_31",
                             "-O3",         "-w",
                             "-Wno-all",    "-x",
                             "musa",        "-ftemplate-depth=100"}),
            MTRTC_SUCCESS)
      << program.log();
}

TEST(MtrtcOptions, mtrtcCompileProgram_compiles_for_the_architecture) {
  const Program program("static_assert(warpSize == 128);\n");
  EXPECT_EQ(program.compile({"--gpu-architecture=mp_22", "-std=c++11"}), MTRTC_SUCCESS)
      << program.log();
  EXPECT_EQ(program.compile({"-arch=mp_31"}), MTRTC_ERROR_COMPILATION);
}

TEST(MtrtcOptions, mtrtcCompileProgram_without_an_architecture_takes_that_of_the_device) {
  const mtrtc_tests::Variable architecture("TORCHADA_HOST_ARCH", "mp_21");
  const Program program("static_assert(warpSize == 128);\n");
  EXPECT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
}

TEST(MtrtcOptions, mtrtcCompileProgram_makes_device_code_of_what_has_no_attribute) {
  const Program program(
      "int number = 3;\nint same(int a) { return a; }\n"
      "extern \"C\" __global__ void k(int* p) { *p = same(number); }\n");
  program.add("number");
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_EQ(program.compile({"--device-as-default-execution-space"}), MTRTC_SUCCESS)
      << program.log();
  EXPECT_EQ(program.lowered("number"), "number");
}

TEST(MtrtcOptions, mtrtcCompileProgram_names_each_option_that_it_does_not_know) {
  const Program program(kSmall);
  EXPECT_EQ(program.compile({"-DA", "-maxrregcount=32", "--nonsense", "", "-arch=sm_80",
                             "-std=c++98", "-O7", "-I"}),
            MTRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(program.log(),
            "mtrtc: error: unknown option '-maxrregcount=32'\n"
            "mtrtc: error: unknown option '--nonsense'\n"
            "mtrtc: error: unknown option ''\n"
            "mtrtc: error: -arch=sm_80: expected mp_21, mp_22 or mp_31\n"
            "mtrtc: error: -std=c++98: expected c++03, c++11, c++14, c++17, c++20 or c++23\n"
            "mtrtc: error: unknown option '-O7'\n"
            "mtrtc: error: option '-I' has no value\n");
  EXPECT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
}

}  // namespace
