// libcudart's adapters against the recording backend, which reports SDK 5.2.0: what a program
// passes and what MUSA gets. The backend returns numbers that are not success, so an adapter never
// makes a second call (to wait or to write results).
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/cuda_libraries.h"
#include "tests/recording/decisions.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

// kOwn: a value that the adapter supplies, such as the address of its own variable. kNothing: a
// register that carries no argument.
constexpr std::uint64_t kOwn = ~std::uint64_t{0}, kNothing = kOwn - 1;

// Empty if the call arrived as one call of `musa` with these words.
std::string objection(const Library& runtime, const char* cuda, const Words& passed,
                      const char* musa, const Words& expected) {
  runtime.call(cuda, passed);
  const CallLog log = backend_log();
  if (log.size() != 1 || log[0].musa != musa) {
    return std::string(cuda) + ": " + std::to_string(log.size()) + " calls" +
           (log.empty() ? "" : ", the first of " + log[0].musa) + "\n";
  }
  std::string out;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint64_t got = received(log[0], i);
    // The upper half of an int is undefined.
    const bool small = expected[i] < 0x1000;
    const bool fits =
        expected[i] == kNothing ||
        (expected[i] == kOwn ? got > 0xffff : (small ? got & 0xffffffff : got) == expected[i]);
    if (!fits)
      out += std::string(cuda) + ": argument " + std::to_string(i) + " is " + std::to_string(got) +
             "\n";
  }
  return out;
}

class OwnStream : public testing::TestWithParam<CudaLibrary> {};

// Calls every function for programs with a default stream per thread, with zeros, on a MUSA that
// lacks these names: the plain function gets 2 for each stream and zeros otherwise. Functions that
// pass no stream (and no other argument that selects it) cannot be served this way.
std::string plain_functions_get_own_stream(const CudaLibrary& replacement, std::size_t* served) {
  const Library runtime(replacement.file, PLAIN_ROOT);
  std::string complaints;
  for (const Decision& decision : read_decisions(DECISIONS_FILE, replacement.label)) {
    const bool waits = decision.musa.ends_with("_ptds");
    // With null for a struct, adapters pass null.
    const bool leads_to_musa = decision.decision == "direct" || decision.decision == "adapted";
    if (!leads_to_musa || !(waits || decision.musa.ends_with("_ptsz"))) continue;
    const int status = runtime.call(decision.cuda, {});
    const CallLog log = backend_log();
    const std::string plain = decision.musa.substr(0, decision.musa.size() - 5);
    if (plain.find("DriverEntryPoint") != std::string::npos ||
        plain == "musaGraphInstantiateWithParams" || plain == "musaLaunchKernelExC") {
      if (status != 801 || !log.empty()) complaints += decision.cuda + ": not refused\n";
      continue;
    }
    ++*served;
    // The only copy without an asynchronous form.
    const bool in_stream = plain != "musaMemcpy2DArrayToArray";
    const std::string expected = waits && in_stream ? plain + "Async" : plain;
    if (log.size() != 1 || log[0].musa != expected) {
      complaints += decision.cuda + ": expected " + expected + ", got " +
                    (log.empty() ? std::to_string(status) : log[0].musa) + "\n";
      continue;
    }
    std::size_t streams = 0;
    for (std::size_t i = 0; i < 14; ++i) streams += received(log[0], i) == 2 ? 1 : 0;
    const std::size_t wanted = plain == "musaStreamCopyAttributes" ? 2 : in_stream ? 1 : 0;
    if (streams < wanted) {
      complaints += decision.cuda + ": " + std::to_string(streams) + " streams of its own\n";
    }
  }
  return complaints;
}

TEST_P(OwnStream, PlainFunctionsGetItWhereMusaLacksTheName) {
  const std::string report = in_child([] {
    std::size_t served = 0;
    std::string complaints = plain_functions_get_own_stream(GetParam(), &served);
    if (served < 45) complaints += "only " + std::to_string(served) + " names seen\n";
    return complaints;
  });
  EXPECT_EQ("", report);
}

// A stream that is not a default stream stays unchanged, at its place in each argument list.
TEST_P(OwnStream, OtherStreamsAreLeftAlone) {
  const std::string report = in_child([] {
    const Library runtime(GetParam().file, PLAIN_ROOT);
    std::string out;
    for (const std::uint64_t stream : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{0x7000}}) {
      out += objection(runtime, "cudaMemcpyAsync_ptsz", {0x1000, 0x2000, 64, 1, stream},
                       "musaMemcpyAsync", {0x1000, 0x2000, 64, 1, stream});
      out += objection(runtime, "cudaStreamWaitEvent_ptsz", {stream, 0x3000, 0},
                       "musaStreamWaitEvent", {stream, 0x3000, 0});
      out +=
          objection(runtime, "cudaMemcpy2DAsync_ptsz", {0x1000, 64, 0x2000, 32, 16, 4, 2, stream},
                    "musaMemcpy2DAsync", {0x1000, 64, 0x2000, 32, 16, 4, 2, stream});
    }
    out += objection(runtime, "cudaMemcpyAsync_ptsz", {0x1000, 0x2000, 64, 1, 0}, "musaMemcpyAsync",
                     {0x1000, 0x2000, 64, 1, 2});
    out += objection(runtime, "cudaStreamWaitEvent_ptsz", {0, 0x3000, 0}, "musaStreamWaitEvent",
                     {2, 0x3000, 0});
    out += objection(runtime, "cudaMemcpy_ptds", {0x1000, 0x2000, 64, 3}, "musaMemcpyAsync",
                     {0x1000, 0x2000, 64, 3, 2});
    out += objection(runtime, "cudaMemset_ptds", {0x1000, 7, 64}, "musaMemsetAsync",
                     {0x1000, 7, 64, 2});
    // Structs by value: three integer registers are used; the rest is on the stack.
    out += objection(runtime, "cudaMemset3D_ptds", {7, 0, 0, 0, 0, 0, 0x1000, 64, 32, 8, 16, 4, 2},
                     "musaMemset3DAsync",
                     {7, 2, kNothing, kNothing, kNothing, kNothing, 0x1000, 64, 32, 8, 16, 4, 2});
    return out;
  });
  EXPECT_EQ("", report);
}

INSTANTIATE_TEST_SUITE_P(Libraries, OwnStream, testing::ValuesIn(each_major_of("cudart")), name_of);

TEST(Arguments, GraphsOfCuda11OnSdk5) {
  EXPECT_EQ("", in_child([] {
              const Library runtime(cuda_library("cudart-11").file, MUSA_ROOT);
              int place = 0;
              void* blamed = &place;
              char log[4] = "old";
              std::string out = objection(runtime, "cudaGraphInstantiate",
                                          {0x1000, 0x2000, reinterpret_cast<std::uint64_t>(&blamed),
                                           reinterpret_cast<std::uint64_t>(log), sizeof log},
                                          "musaGraphInstantiate", {0x1000, 0x2000, 0});
              if (blamed != nullptr || log[0] != '\0') out += "cudaGraphInstantiate: not cleared\n";
              out += objection(runtime, "cudaGraphInstantiate", {0x1000, 0x2000, 0, 0, 0},
                               "musaGraphInstantiate", {0x1000, 0x2000, 0});
              int result = 77;
              out += objection(runtime, "cudaGraphExecUpdate",
                               {0x1000, 0x2000, reinterpret_cast<std::uint64_t>(&blamed),
                                reinterpret_cast<std::uint64_t>(&result)},
                               "musaGraphExecUpdate", {0x1000, 0x2000, kOwn});
              if (result != 77) out += "cudaGraphExecUpdate: wrote though it failed\n";
              return out;
            }));
}

TEST(Arguments, BatchesOfCuda13) {
  EXPECT_EQ("", in_child([] {
              const Library runtime(cuda_library("cudart-13").file, MUSA_ROOT);
              std::string out;
              const unsigned char structs[512] = {};  // tests/adapters looks at what MUSA gets.
              const auto some_structs = reinterpret_cast<std::uint64_t>(structs);
              for (const char* suffix : {"", "_ptsz"}) {
                const std::uint64_t own = *suffix == '\0' ? 0 : 2;
                for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{0x9000}}) {
                  const std::uint64_t expected = stream == 0 ? own : stream;
                  const std::string one = std::string("cudaMemcpyBatchAsync") + suffix;
                  out += objection(runtime, one.c_str(),
                                   {0x1000, 0x2000, 0x3000, 3, some_structs, 0x5000, 1, stream},
                                   "musaMemcpyBatchAsync",
                                   {0x1000, 0x2000, 0x3000, 3, kOwn, 0x5000, 1, kOwn, expected});
                  const std::string other = std::string("cudaMemcpy3DBatchAsync") + suffix;
                  out += objection(runtime, other.c_str(), {3, some_structs, 0, stream},
                                   "musaMemcpy3DBatchAsync", {3, kOwn, kOwn, 0, expected});
                }
              }
              return out;
            }));
}

TEST(Arguments, PointerAttributesOfCuda13) {
  EXPECT_EQ(
      "", in_child([] {
        const Library runtime(cuda_library("cudart-13").file, MUSA_ROOT);
        std::array<unsigned char, 128> program;
        program.fill(0xa5);
        const auto before = program;
        std::string out = objection(runtime, "cudaPointerGetAttributes",
                                    {reinterpret_cast<std::uint64_t>(program.data()), 0x1234},
                                    "musaPointerGetAttributes", {kOwn, 0x1234});
        const CallLog log = backend_log();
        if (log.empty() || received(log[0], 0) == reinterpret_cast<std::uint64_t>(program.data())) {
          out += "MUSA got the program's struct\n";
        }
        if (program != before) out += "wrote though it failed\n";
        out += objection(runtime, "cudaPointerGetAttributes", {0, 0x1234},
                         "musaPointerGetAttributes", {0, 0x1234});
        return out;
      }));
}

TEST(Arguments, DeviceAttributesArriveAsTheyAre) {
  for (const CudaLibrary& replacement : each_major_of("cudart")) {
    EXPECT_EQ("", in_child([&] {
                const Library runtime(replacement.file, MUSA_ROOT);
                setenv("TORCHADA_COMPUTE_CAPABILITY", "8.6", 1);
                std::string out;
                for (const std::uint64_t attribute : {1, 16, 75, 76, 115}) {
                  out += objection(runtime, "cudaDeviceGetAttribute", {0x1000, attribute, 1},
                                   "musaDeviceGetAttribute", {0x1000, attribute, 1});
                }
                return out;
              }));
  }
}

}  // namespace
}  // namespace recording
