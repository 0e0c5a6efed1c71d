// Arguments, and the order of calls.
#include "tests/host/mtrtc/compiled.h"

namespace {

using mtrtc_tests::contains;
using mtrtc_tests::kSmall;
using mtrtc_tests::Program;

mtrtcProgram number(std::uintptr_t value) { return reinterpret_cast<mtrtcProgram>(value); }

TEST(MtrtcProgram, mtrtcVersion_is_that_of_the_sdk) {
  int major = 0, minor = 0;
  EXPECT_EQ(mtrtcVersion(&major, &minor), MTRTC_SUCCESS);
  EXPECT_EQ(major, 5);
  EXPECT_EQ(minor, 2);
  EXPECT_EQ(mtrtcVersion(nullptr, &minor), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcVersion(&major, nullptr), MTRTC_ERROR_INVALID_INPUT);
}

TEST(MtrtcProgram, mtrtcGetErrorString_names_each_result) {
  EXPECT_STREQ(mtrtcGetErrorString(MTRTC_SUCCESS), "MTRTC_SUCCESS");
  EXPECT_STREQ(mtrtcGetErrorString(MTRTC_ERROR_COMPILATION), "MTRTC_ERROR_COMPILATION");
  for (int result = 1; result <= MTRTC_ERROR_INTERNAL_ERROR; ++result) {
    EXPECT_TRUE(contains(mtrtcGetErrorString(static_cast<mtrtcResult>(result)), "MTRTC_ERROR_"));
  }
  EXPECT_STREQ(mtrtcGetErrorString(static_cast<mtrtcResult>(12)), "MTRTC_ERROR unknown");
}

TEST(MtrtcProgram, mtrtcCreateProgram_refuses_what_it_cannot_read) {
  mtrtcProgram program = nullptr;
  const char* const text = "";
  const char* const none = nullptr;
  EXPECT_EQ(mtrtcCreateProgram(nullptr, "", "", 0, nullptr, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCreateProgram(&program, nullptr, "", 0, nullptr, nullptr),
            MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCreateProgram(&program, "", "", -1, &text, &text), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCreateProgram(&program, "", "", 1, nullptr, &text), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCreateProgram(&program, "", "", 1, &text, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCreateProgram(&program, "", "", 1, &text, &none), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(program, nullptr);
}

TEST(MtrtcProgram, mtrtcDestroyProgram_clears_the_handle) {
  mtrtcProgram program = nullptr;
  ASSERT_EQ(mtrtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr), MTRTC_SUCCESS);
  mtrtcProgram copy = program;
  EXPECT_EQ(mtrtcDestroyProgram(&program), MTRTC_SUCCESS);
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(mtrtcDestroyProgram(&program), MTRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(mtrtcDestroyProgram(&copy), MTRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(mtrtcDestroyProgram(nullptr), MTRTC_ERROR_INVALID_INPUT);
}

TEST(MtrtcProgram, EveryFunctionRefusesAForeignHandle) {
  std::size_t size = 7;
  char text[8] = "before";
  const char* name = nullptr;
  for (const mtrtcProgram program : {number(0), number(1), number(0xdeadbeef)}) {
    EXPECT_EQ(mtrtcAddNameExpression(program, "k"), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcCompileProgram(program, 0, nullptr), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetLoweredName(program, "k", &name), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetFatBinSize(program, &size), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetFatBin(program, text), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetMUSASize(program, &size), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetMUSA(program, text), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetProgramLogSize(program, &size), MTRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(mtrtcGetProgramLog(program, text), MTRTC_ERROR_INVALID_PROGRAM);
  }
  EXPECT_EQ(size, 7U);
  EXPECT_STREQ(text, "before");
}

TEST(MtrtcProgram, NothingIsWrittenThroughNull) {
  const Program program(kSmall);
  EXPECT_EQ(mtrtcAddNameExpression(program.get(), nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCompileProgram(program.get(), 1, nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcCompileProgram(program.get(), -1, nullptr), MTRTC_ERROR_INVALID_INPUT);
  const char* const none = nullptr;
  EXPECT_EQ(mtrtcCompileProgram(program.get(), 1, &none), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetLoweredName(program.get(), "k", nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetFatBinSize(program.get(), nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetFatBin(program.get(), nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetMUSASize(program.get(), nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetMUSA(program.get(), nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetProgramLogSize(program.get(), nullptr), MTRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(mtrtcGetProgramLog(program.get(), nullptr), MTRTC_ERROR_INVALID_INPUT);
}

TEST(MtrtcProgram, mtrtcGetProgramLogSize_counts_the_zero) {
  const Program program(kSmall);
  std::size_t size = 0;
  EXPECT_EQ(mtrtcGetProgramLogSize(program.get(), &size), MTRTC_SUCCESS);
  EXPECT_EQ(size, 1U);
}

TEST(MtrtcProgram, mtrtcGetLoweredName_needs_a_compilation_and_a_name_that_was_added) {
  const Program program(kSmall);
  program.add("k");
  const char* name = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(mtrtcGetLoweredName(program.get(), "k", &name),
            MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  EXPECT_EQ(mtrtcGetFatBinSize(program.get(), &size), MTRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(mtrtcGetMUSASize(program.get(), &size), MTRTC_ERROR_INVALID_PROGRAM);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(program.lowered("k"), "k");
  EXPECT_EQ(mtrtcGetLoweredName(program.get(), "other", &name),
            MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT_EQ(mtrtcAddNameExpression(program.get(), "other"),
            MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
}

}  // namespace
