// Hand-written adapters of cuFFT against the recording backend: programs hold numbers for plans,
// muFFT gets its own pointers.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/witness.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

constexpr std::uint64_t kPlan = 0xc100, kOther = 0xc200, kInput = 0x1000, kOutput = 0x2000,
                        kStream = 0x3000;
constexpr std::uint64_t kC2c = 0x29, kForward = 0xffffffff;
constexpr int kInvalidPlan = 1, kInvalidType = 3;

std::uint64_t word(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::string names_of(const CallLog& log) {
  std::string out;
  for (const LoggedCall& call : log) out += (out.empty() ? "" : " ") + call.musa;
  return out;
}

// The calls of muFFT while a program makes two plans and uses them.
std::string plans(const std::string& file) {
  const Library library(file, MUSA_ROOT);
  std::string complaints;
  const auto expect = [&](bool right, const std::string& what) {
    if (!right) complaints += what + "\n";
  };
  recording_answer_all(0);
  int plan = 0, other = 0;
  recording_write("mufftPlan1d", 0, &kPlan, sizeof kPlan);
  expect(library.call("cufftPlan1d", {word(&plan), 8, kC2c, 1}) == 0, "cufftPlan1d failed");
  CallLog log = backend_log();
  expect(names_of(log) == "mufftPlan1d" && received(log[0], 1) == 8 && received(log[0], 2) == kC2c,
         "cufftPlan1d: " + names_of(log));
  recording_write("mufftCreate", 0, &kOther, sizeof kOther);
  expect(library.call("cufftCreate", {word(&other)}) == 0, "cufftCreate failed");
  backend_log();
  expect(plan == 1 && other == 2, "numbers of plans");

  library.call("cufftExecC2C", {1, kInput, kOutput, kForward});
  log = backend_log();
  expect(names_of(log) == "mufftExecC2C" && received(log[0], 0) == kPlan &&
             received(log[0], 1) == kInput && received(log[0], 2) == kOutput,
         "cufftExecC2C: " + names_of(log));

  // muFFT gets a stream only for a plan that is made.
  library.call("cufftSetStream", {2, kStream});
  expect(backend_log().empty(), "the stream came too early");
  std::uint64_t bytes = 0;
  library.call("cufftMakePlan1d", {2, 8, kC2c, 1, word(&bytes)});
  log = backend_log();
  expect(names_of(log) == "mufftMakePlan1d mufftSetStream" && received(log[0], 0) == kOther &&
             received(log[1], 0) == kOther && received(log[1], 1) == kStream,
         "cufftMakePlan1d: " + names_of(log));

  // The numbers of no plan and of no type never reach muFFT.
  expect(library.call("cufftExecC2C", {3, kInput, kOutput, kForward}) == kInvalidPlan, "plan 3");
  expect(library.call("cufftMakePlan1d", {2, 8, 0x28, 1, word(&bytes)}) == kInvalidType, "type");
  expect(backend_log().empty(), "a bad number arrived");
  expect(library.call("cufftDestroy", {1}) == 0, "cufftDestroy failed");
  log = backend_log();
  expect(names_of(log) == "mufftDestroy" && received(log[0], 0) == kPlan, "cufftDestroy");
  expect(library.call("cufftDestroy", {1}) == kInvalidPlan, "destroyed twice");
  expect(backend_log().empty(), "a destroyed plan arrived");
  return complaints;
}

TEST(Cufft, PlansAreMusasPointers) {
  for (const char* file : {"libcufft.so.10", "libcufft.so.11", "libcufft.so.12"}) {
    EXPECT_EQ(in_child([file] { return plans(file); }), "") << file;
  }
}

}  // namespace
}  // namespace recording
