// Compares every call into a replacement library with a recording backend: the logs of the
// application and the backend must be equal, line by line.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <map>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "tests/recording/application.h"
#include "tests/recording/child.h"
#include "tests/recording/cuda_libraries.h"
#include "tests/recording/refusal.h"
#include "tests/recording/witness.h"

namespace recording {
namespace {

constexpr unsigned kThreads = 8;

std::string path_of(const CudaLibrary& replacement) {
  return std::string(REPLACEMENT_FOLDER "/") + replacement.file;
}

std::vector<Decision> decisions_of(const CudaLibrary& replacement) {
  return read_decisions(DECISIONS_FILE, replacement.label);
}

bool leads_to_backend(const Decision& decision) {
  return decision.decision == "direct" && !decision.musa.empty();
}

std::vector<Decision> direct_symbols(const CudaLibrary& replacement) {
  std::vector<Decision> out;
  for (const Decision& decision : decisions_of(replacement)) {
    if (leads_to_backend(decision)) out.push_back(decision);
  }
  return out;
}

// Calls every direct symbol for the first time and then again, when its slot is set.
std::string replay(const CudaLibrary& replacement, const std::string& musa_root) {
  const Application application(path_of(replacement), musa_root);
  CallLog log;
  std::string complaints;
  for (unsigned round = 0; round < 2; ++round) {
    for (const Decision& decision : direct_symbols(replacement)) {
      application.call_direct(decision, round, &log, &complaints);
    }
  }
  return complaints + difference(log, backend_log());
}

// Deals the symbols out to threads that all start at once, so that first calls race.
std::string replay_in_threads(const CudaLibrary& replacement, const std::string& musa_root) {
  const Application application(path_of(replacement), musa_root);
  const std::vector<Decision> symbols = direct_symbols(replacement);
  std::string reports[kThreads];
  std::latch start(kThreads), finish(kThreads);
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      CallLog log;
      for (unsigned round = 0; round < 2; ++round) {
        for (std::size_t i = thread; i < symbols.size(); i += kThreads) {
          application.call_direct(symbols[i], round, &log, &reports[thread]);
        }
      }
      reports[thread] += difference(log, backend_log(recording_thread()));
      // Otherwise the system may give the id of an ended thread to one that has not begun.
      finish.arrive_and_wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string out;
  for (const std::string& report : reports) out += report;
  if (backend_log().size() != 2 * symbols.size()) out += "the backend's log has another length\n";
  return out;
}

// Emulated and recorded functions read their arguments, as the real ones do, and have tests of
// their own.
bool answers_by_itself(const Decision& decision) {
  return decision.decision == "emulated" || decision.decision == "recorded";
}

// Adapters change arguments and guards read them, so they are compared elsewhere (adapted_test.cpp,
// guarded_test.cpp).
bool converts(const Decision& decision) {
  return decision.decision == "adapted" || decision.decision == "delegated" ||
         decision.decision == "guarded";
}

// Calls everything that neither leads to the backend nor answers by itself.
std::string refuse(const CudaLibrary& replacement) {
  const Application application(path_of(replacement), MUSA_ROOT);
  std::string complaints;
  for (unsigned round = 0; round < 2; ++round) {
    for (const Decision& decision : decisions_of(replacement)) {
      if (leads_to_backend(decision) || answers_by_itself(decision) || converts(decision)) continue;
      const Invocation done = application.call(decision.cuda, round, &complaints);
      complaints += objection_to_refusal(decision, replacement, done);
    }
  }
  return complaints + difference({}, backend_log());
}

std::vector<CudaLibrary> libraries_with_direct_symbols() {
  std::vector<CudaLibrary> out;
  for (const CudaLibrary& replacement : cuda_libraries()) {
    if (replacement.direct > 0) out.push_back(replacement);
  }
  return out;
}

// Functions that do what another function of CUDA does, by CUDA's documentation, with MUSA's
// counterpart of that other one.
const std::map<std::string, std::string>& same_in_cuda() {
  static const std::map<std::string, std::string> kSame = {
      {"cuEventElapsedTime_v2", "muEventElapsedTime"},
      {"cuTexRefSetAddress2D_v2", "muTexRefSetAddress2D_v3"},
      {"cudaThreadExit", "musaDeviceReset"},
      {"cudaThreadGetCacheConfig", "musaDeviceGetCacheConfig"},
      {"cudaThreadGetLimit", "musaDeviceGetLimit"},
      {"cudaThreadSetCacheConfig", "musaDeviceSetCacheConfig"},
      {"cudaThreadSetLimit", "musaDeviceSetLimit"},
      {"cudaThreadSynchronize", "musaDeviceSynchronize"},
  };
  return kSame;
}

class Direct : public testing::TestWithParam<CudaLibrary> {};

TEST_P(Direct, LogsAreEqual) {
  const std::size_t count = direct_symbols(GetParam()).size();
  RecordProperty("direct_symbols", static_cast<int>(count));
  EXPECT_GE(count, GetParam().direct);
  const std::string report = in_child([] { return replay(GetParam(), MUSA_ROOT); });
  EXPECT_TRUE(report.empty()) << report;
}

TEST_P(Direct, LogsOfThreadsAreEqual) {
  const std::string report = in_child([] { return replay_in_threads(GetParam(), MUSA_ROOT); });
  EXPECT_TRUE(report.empty()) << report;
}

TEST_P(Direct, TargetsAreThoseOfTheEvidence) {
  const Witness witness(NAMES_FILE);
  for (const Decision& decision : direct_symbols(GetParam())) {
    // CUDA 13 gave the plain name to what CUDA 12 calls _v2 or _v3; MUSA follows CUDA 12. In the
    // driver, the plain name is an older form, of which some take the same arguments.
    const std::string& label = GetParam().label;
    const bool promoted = (label == "cudart-13" || label == "cuda-13") &&
                          witness.is_promoted(decision.cuda, decision.musa);
    const auto same = same_in_cuda().find(decision.cuda);
    if (same != same_in_cuda().end() && same->second == decision.musa) continue;
    if (promoted) continue;
    EXPECT_EQ(witness.objection(decision.cuda, decision.musa), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Libraries, Direct, testing::ValuesIn(libraries_with_direct_symbols()),
                         name_of);

// Once such a replacement library has a direct symbol, it must be compared, so cuda_libraries.csv
// needs a number for it.
TEST(NotDirect, OtherLibrariesHaveNoDirectSymbols) {
  for (const CudaLibrary& replacement : cuda_libraries()) {
    if (replacement.direct > 0) continue;
    EXPECT_EQ(direct_symbols(replacement).size(), 0u) << replacement.label;
  }
}

class Refused : public testing::TestWithParam<CudaLibrary> {};

TEST_P(Refused, CallsStayInTheLibrary) {
  const std::string report = in_child([] { return refuse(GetParam()); });
  EXPECT_TRUE(report.empty()) << report;
}

INSTANTIATE_TEST_SUITE_P(Libraries, Refused, testing::ValuesIn(cuda_libraries()), name_of);

TEST(Backend, VersionProbesAreToldApart) {
  const std::string report = in_child([]() -> std::string {
    void* backend = dlopen(MUSA_ROOT "/lib/libmusart.so.5", RTLD_NOW);
    if (!backend) return dlerror();
    const auto get = reinterpret_cast<int (*)(int*)>(dlsym(backend, "musaRuntimeGetVersion"));
    int version = 0;
    if (get(&version) != 0 || version != 50200) return "no version 5.2.0";
    if (recording_count() != 1 || !recording_get(0).version_probe) return "not logged as a probe";
    return difference({}, backend_log());
  });
  EXPECT_EQ(report, "");
}

// Shows that the tests above can fail: backends with one deliberate defect each.

TEST(Mutant, MisnamedFunctionIsReported) {
  const std::string report =
      in_child([] { return replay(cuda_library("cudart-12"), MISNAMING_ROOT); });
  EXPECT_NE(report.find("cudaMalloc: name: application musaMalloc, backend "
                        "musaFreeAsync_instead_of_musaMalloc\n"),
            std::string::npos)
      << report;
  // One symbol, called twice, and nothing else.
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 2) << report;
}

TEST(Mutant, DroppedArgumentRegisterIsReported) {
  const std::string report =
      in_child([] { return replay(cuda_library("cudart-12"), DROPPING_ROOT); });
  EXPECT_NE(report.find(": rcx: application 0x"), std::string::npos) << report;
  EXPECT_NE(report.find(", backend 0x0000000000000000\n"), std::string::npos) << report;
  EXPECT_EQ(report.find(": rdx: "), std::string::npos) << report;
}

TEST(Mutant, MissingBackendIsReported) {
  const std::string report =
      in_child([] { return replay(cuda_library("cudart-12"), MUSA_ROOT "/nowhere"); });
  EXPECT_NE(report.find("never reached the backend\n"), std::string::npos) << report;
}

TEST(Mutant, ReadThroughAnArgumentIsReported) {
  const std::string report = in_child([]() -> std::string {
    announce("reading");
    const auto address = invocation_of("cudaMalloc", 0).exchange.arguments.integers[0];
    return std::to_string(*reinterpret_cast<volatile const char*>(address));
  });
  EXPECT_EQ(report, "killed by Segmentation fault at: reading\n");
}

LoggedCall some_call(const char* cuda, const char* musa) {
  return {cuda, musa, invocation_of(cuda, 0).exchange};
}

TEST(Mutant, ChangedResultIsReported) {
  const CallLog application{some_call("cudaMalloc", "musaMalloc")};
  EXPECT_EQ(difference(application, application), "");
  CallLog backend = application;
  backend[0].exchange.results.rdx = 1;
  EXPECT_EQ(difference(application, backend),
            "call 0 cudaMalloc: returned rdx: application 0x0000000000000000, backend "
            "0x0000000000000001\n");
}

TEST(Mutant, ExchangedCallsAreReported) {
  const CallLog application{some_call("cudaMalloc", "musaMalloc"),
                            some_call("cudaFree", "musaFree")};
  const std::string report = difference(application, {application[1], application[0]});
  EXPECT_NE(report.find("nobody called, or not now: musaFree "), std::string::npos) << report;
  EXPECT_NE(report.find("call 1 cudaFree: musaFree never reached the backend\n"), std::string::npos)
      << report;
}

TEST(Mutant, WrongTargetIsReported) {
  const Witness witness(NAMES_FILE);
  EXPECT_EQ(witness.objection("cudaMalloc", "musaMalloc"), "");
  EXPECT_TRUE(witness.is_promoted("cudaMemAdvise", "musaMemAdvise_v2"));
  EXPECT_FALSE(witness.is_promoted("cudaMemAdvise", "musaMemPrefetchAsync_v2"));
  EXPECT_EQ(witness.objection("cudaMalloc", "musaFree"),
            "cudaMalloc is direct to musaFree, but by the evidence its counterpart is musaMalloc");
}

}  // namespace
}  // namespace recording
