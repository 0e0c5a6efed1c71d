// Hand-written adapters of NVRTC against the recording backend: MTRTC gets the program's own source
// when it is compiled, and each result is asked for once.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/witness.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

constexpr std::uint64_t kProgram = 0xd100;
constexpr std::size_t kImage = 40;
constexpr int kInvalidProgram = 4, kInvalidOption = 5, kCompilation = 6, kTooEarly = 9;

std::uint64_t word(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::string names_of(const CallLog& log) {
  std::string out;
  for (const LoggedCall& call : log) out += (out.empty() ? "" : " ") + call.musa;
  return out;
}

std::string text_at(std::uint64_t address) { return reinterpret_cast<const char*>(address); }

// The calls of MTRTC while a program is made, compiled, asked and destroyed.
std::string life(const std::string& file) {
  const Library library(file, MUSA_ROOT);
  std::string complaints;
  const auto expect = [&](bool right, const std::string& what) {
    if (!right) complaints += what + "\n";
  };
  const auto calls = [&](const std::string& names, const std::string& what) {
    const CallLog log = backend_log();
    expect(names_of(log) == names, what + ": " + names_of(log));
    return names_of(log) == names ? log : CallLog(8);
  };
  recording_answer_all(0);
  const char source[] = "source", name[] = "name.cu", header[] = "text", include[] = "h.h";
  const char* const headers[] = {header};
  const char* const includes[] = {include};
  void* program = nullptr;
  expect(library.call("nvrtcCreateProgram", {word(&program), word(source), word(name), 1,
                                             word(headers), word(includes)}) == 0,
         "nvrtcCreateProgram failed");
  library.call("nvrtcAddNameExpression", {word(program), word("k<int>")});
  calls("", "nothing is compiled yet");

  // No device: the architecture that was asked for.
  recording_write("mtrtcCreateProgram", 0, &kProgram, sizeof kProgram);
  const char* const options[] = {"-arch=sm_31", "-DX", "--maxrregcount=32"};
  expect(library.call("nvrtcCompileProgram", {word(program), 3, word(options)}) == 0,
         "nvrtcCompileProgram failed");
  CallLog log =
      calls("muInit muDeviceGetCount mtrtcCreateProgram mtrtcAddNameExpression mtrtcCompileProgram",
            "nvrtcCompileProgram");
  expect(received(log[2], 1) != word(source) && text_at(received(log[2], 1)) == source,
         "the source is copied");
  expect(text_at(received(log[2], 2)) == name && received(log[2], 3) == 1, "name and headers");
  expect(received(log[3], 0) == kProgram && text_at(received(log[3], 1)) == "k<int>", "expression");
  expect(received(log[4], 0) == kProgram && received(log[4], 1) == 2, "-DX and the architecture");

  std::size_t size = 0;
  recording_write("mtrtcGetFatBinSize", 1, &kImage, sizeof kImage);
  library.call("nvrtcGetCUBINSize", {word(program), word(&size)});
  log = calls("mtrtcGetFatBinSize", "nvrtcGetCUBINSize");
  expect(size == kImage && received(log[0], 0) == kProgram, "size of a cubin");
  library.call("nvrtcGetPTXSize", {word(program), word(&size)});
  calls("mtrtcGetFatBinSize", "nvrtcGetPTXSize");
  expect(size == kImage + 1, "size of PTX");
  char image[kImage + 2];
  std::memset(image, 'x', sizeof image);
  library.call("nvrtcGetPTX", {word(program), word(image)});
  log = calls("mtrtcGetFatBinSize mtrtcGetFatBin", "nvrtcGetPTX");
  expect(received(log[1], 1) == word(image), "the image goes to the program's memory");
  expect(image[kImage] == '\0' && image[kImage - 1] == 'x' && image[kImage + 1] == 'x',
         "one zero behind the image");
  const char* lowered = nullptr;
  library.call("nvrtcGetLoweredName", {word(program), word("k<int>"), word(&lowered)});
  log = calls("mtrtcGetLoweredName", "nvrtcGetLoweredName");
  expect(received(log[0], 0) == kProgram && received(log[0], 2) == word(&lowered), "lowered name");

  // A wrong option does not reach MTRTC, and ends what was there.
  const char* const wrong[] = {"--wrong"};
  expect(library.call("nvrtcCompileProgram", {word(program), 1, word(wrong)}) == kInvalidOption,
         "--wrong");
  calls("mtrtcDestroyProgram", "--wrong");
  expect(library.call("nvrtcGetLoweredName", {word(program), word("k<int>"), word(&lowered)}) ==
             kTooEarly,
         "a name before the compilation");
  calls("", "nvrtcGetLoweredName");

  // MTRTC's own status, and its log.
  recording_answer("mtrtcCompileProgram", kCompilation);
  expect(library.call("nvrtcCompileProgram", {word(program), 0, 0}) == kCompilation, "errors");
  calls("muInit muDeviceGetCount mtrtcCreateProgram mtrtcAddNameExpression mtrtcCompileProgram",
        "errors");
  library.call("nvrtcGetCUBINSize", {word(program), word(&size)});
  calls("", "no image");
  expect(size == 0, "no image");
  library.call("nvrtcGetProgramLog", {word(program), word(image)});
  log = calls("mtrtcGetProgramLog", "nvrtcGetProgramLog");
  expect(received(log[0], 1) == word(image), "the log goes to the program's memory");

  expect(library.call("nvrtcDestroyProgram", {word(&program)}) == 0, "nvrtcDestroyProgram failed");
  calls("mtrtcDestroyProgram", "nvrtcDestroyProgram");
  expect(program == nullptr, "the handle is kept");
  expect(library.call("nvrtcDestroyProgram", {word(&program)}) == kInvalidProgram,
         "destroyed twice");
  calls("", "destroyed twice");
  return complaints;
}

TEST(Nvrtc, ProgramsAreCompiledByMtrtc) {
  for (const char* file : {"libnvrtc.so.11.2", "libnvrtc.so.12", "libnvrtc.so.13"}) {
    EXPECT_EQ(in_child([file] { return life(file); }), "") << file;
  }
}

}  // namespace
}  // namespace recording
