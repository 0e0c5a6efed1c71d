// Functions that name device code, against the recording backend: what the program registered with
// CUDA stays in the replacement library, everything else arrives unchanged. Which argument names
// the code, and what each call returns, is written by hand from CUDA's headers.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

#include "tests/recording/application.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/cuda_libraries.h"
#include "tests/recording/invocation.h"

namespace recording {
namespace {

enum class Code { kKernel, kVariable };

// A function and the argument word that names device code. With `in_struct`, the word points at a
// struct, and word number `in_struct` of that struct names it.
struct Guarded {
  const char* cuda;
  const char* musa;  // Null if MUSA has no function and no device code is served.
  Code code;
  unsigned word;
  int in_struct = -1;
  int first_major = 11;
  int last_major = 13;
  // The word that points at a struct of which MUSA gets a copy, or -1.
  int copied = -1;
  // Whether word 3 points at data of edges.
  bool has_edges() const { return musa && musa == std::string("musaGraphAddNode_v2"); }
};

constexpr Code kKernel = Code::kKernel;
constexpr Code kVariable = Code::kVariable;

constexpr Guarded kGuarded[] = {
    {"cudaLaunchKernel", "musaLaunchKernel", kKernel, 0},
    {"cudaLaunchKernel_ptsz", "musaLaunchKernel_ptsz", kKernel, 0},
    {"cudaLaunchKernelExC", "musaLaunchKernelExC", kKernel, 1, -1, 11, 13, 0},
    {"cudaLaunchKernelExC_ptsz", "musaLaunchKernelExC_ptsz", kKernel, 1, -1, 11, 13, 0},
    {"cudaLaunchCooperativeKernel", "musaLaunchCooperativeKernel", kKernel, 0},
    {"cudaLaunchCooperativeKernel_ptsz", "musaLaunchCooperativeKernel_ptsz", kKernel, 0},
    {"cudaLaunchCooperativeKernelMultiDevice", "musaLaunchCooperativeKernelMultiDevice", kKernel, 0,
     0, 11, 12, 0},
    {"__cudaLaunchKernel", nullptr, kKernel, 0, -1, 12},
    {"__cudaLaunchKernel_ptsz", nullptr, kKernel, 0, -1, 12},
    {"cudaFuncGetAttributes", "musaFuncGetAttributes", kKernel, 1, -1, 11, 13, 0},
    {"cudaFuncSetAttribute", "musaFuncSetAttribute", kKernel, 0},
    {"cudaFuncSetCacheConfig", "musaFuncSetCacheConfig", kKernel, 0},
    {"cudaFuncSetSharedMemConfig", "musaFuncSetSharedMemConfig", kKernel, 0},
    {"cudaFuncGetParamInfo", "musaFuncGetParamInfo", kKernel, 0, -1, 12},
    {"cudaFuncGetParamCount", nullptr, kKernel, 0, -1, 13},
    {"cudaGetFuncBySymbol", "musaGetFuncBySymbol", kKernel, 1},
    {"cudaGetKernel", "musaGetKernel", kKernel, 1, -1, 12},
    {"cudaKernelSetAttributeForDevice", "musaKernelSetAttributeForDevice", kKernel, 0, -1, 12},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor",
     "musaOccupancyMaxActiveBlocksPerMultiprocessor", kKernel, 1},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
     "musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", kKernel, 1},
    {"cudaOccupancyAvailableDynamicSMemPerBlock", "musaOccupancyAvailableDynamicSMemPerBlock",
     kKernel, 1},
    {"cudaOccupancyMaxPotentialClusterSize", "musaOccupancyMaxPotentialClusterSize", kKernel, 1, -1,
     11, 13, 2},
    {"cudaOccupancyMaxActiveClusters", "musaOccupancyMaxActiveClusters", kKernel, 1, -1, 11, 13, 2},
    {"cudaGraphAddKernelNode", "musaGraphAddKernelNode", kKernel, 4, 0},
    {"cudaGraphKernelNodeSetParams", "musaGraphKernelNodeSetParams", kKernel, 1, 0},
    {"cudaGraphExecKernelNodeSetParams", "musaGraphExecKernelNodeSetParams", kKernel, 2, 0},
    {"cudaGraphAddNode", "musaGraphAddNode", kKernel, 4, 2, 12, 12, 4},
    {"cudaGraphAddNode", "musaGraphAddNode_v2", kKernel, 5, 2, 13, 13, 5},
    {"cudaGraphAddNode_v2", "musaGraphAddNode_v2", kKernel, 5, 2, 12, 12, 5},
    {"cudaGraphNodeSetParams", "musaGraphNodeSetParams", kKernel, 1, 2, 12, 13, 1},
    {"cudaGraphExecNodeSetParams", "musaGraphExecNodeSetParams", kKernel, 2, 2, 12, 13, 2},
    {"cudaGetSymbolAddress", "musaGetSymbolAddress", kVariable, 1},
    {"cudaMemcpyToSymbol", "musaMemcpyToSymbol", kVariable, 0},
    {"cudaMemcpyToSymbol_ptds", "musaMemcpyToSymbol_ptds", kVariable, 0},
    {"cudaMemcpyToSymbolAsync", "musaMemcpyToSymbolAsync", kVariable, 0},
    {"cudaMemcpyToSymbolAsync_ptsz", "musaMemcpyToSymbolAsync_ptsz", kVariable, 0},
    {"cudaMemcpyFromSymbol", "musaMemcpyFromSymbol", kVariable, 1},
    {"cudaMemcpyFromSymbol_ptds", "musaMemcpyFromSymbol_ptds", kVariable, 1},
    {"cudaMemcpyFromSymbolAsync", "musaMemcpyFromSymbolAsync", kVariable, 1},
    {"cudaMemcpyFromSymbolAsync_ptsz", "musaMemcpyFromSymbolAsync_ptsz", kVariable, 1},
    {"cudaGraphAddMemcpyNodeToSymbol", "musaGraphAddMemcpyNodeToSymbol", kVariable, 4},
    {"cudaGraphAddMemcpyNodeFromSymbol", "musaGraphAddMemcpyNodeFromSymbol", kVariable, 5},
    {"cudaGraphMemcpyNodeSetParamsToSymbol", "musaGraphMemcpyNodeSetParamsToSymbol", kVariable, 1},
    {"cudaGraphMemcpyNodeSetParamsFromSymbol", "musaGraphMemcpyNodeSetParamsFromSymbol", kVariable,
     2},
    {"cudaGraphExecMemcpyNodeSetParamsToSymbol", "musaGraphExecMemcpyNodeSetParamsToSymbol",
     kVariable, 2},
    {"cudaGraphExecMemcpyNodeSetParamsFromSymbol", "musaGraphExecMemcpyNodeSetParamsFromSymbol",
     kVariable, 3},
};

constexpr int kNoKernelImage = 209;

// A program with one kernel and one variable. `stranger` is not registered.
class Program {
 public:
  explicit Program(const CudaLibrary& replacement)
      : path_(std::string(REPLACEMENT_FOLDER "/") + replacement.file),
        application_(path_, MUSA_ROOT) {
    handle_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto open = reinterpret_cast<void** (*)(const void*)>(symbol("__cudaRegisterFatBinary"));
    const auto function =
        reinterpret_cast<void (*)(void**, const char*, char*, const char*, int, void*, void*, void*,
                                  void*, int*)>(symbol("__cudaRegisterFunction"));
    const auto variable =
        reinterpret_cast<void (*)(void**, char*, char*, const char*, int, size_t, int, int)>(
            symbol("__cudaRegisterVar"));
    void** const module = open(&image_);
    function(module, &kernel, name_, "_Z6kernelv", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    variable(module, &constant, name_, "constant", 0, sizeof constant, 1, 0);
  }
  void* symbol(const char* name) const { return dlsym(handle_, name); }
  // The random call of `guarded`, with `code` as device code.
  Invocation call(const Guarded& guarded, const void* code) {
    Invocation invocation = invocation_of(guarded.cuda, 0);
    const bool is_in_struct = guarded.in_struct >= 0;
    std::fill(std::begin(params_), std::end(params_), 0);
    if (is_in_struct) params_[guarded.in_struct] = reinterpret_cast<std::uint64_t>(code);
    invocation.exchange.arguments.integers[guarded.word] =
        reinterpret_cast<std::uint64_t>(is_in_struct ? static_cast<const void*>(params_) : code);
    if (guarded.copied >= 0 && !is_in_struct) {
      invocation.exchange.arguments.integers[guarded.copied] =
          reinterpret_cast<std::uint64_t>(params_);
    }
    // How many structs there are, of which one is given.
    if (guarded.cuda == std::string("cudaLaunchCooperativeKernelMultiDevice")) {
      invocation.exchange.arguments.integers[1] = 1;
    }
    if (guarded.has_edges()) invocation.exchange.arguments.integers[3] = 0;
    announce(guarded.cuda);
    recording_reset();
    recording_invoke(symbol(guarded.cuda), &invocation);
    return invocation;
  }

  char kernel = 0;
  char constant = 0;
  char stranger = 0;

 private:
  std::string path_;
  Application application_;
  void* handle_ = nullptr;
  int image_ = 0;
  char name_[2] = "k";
  std::uint64_t params_[32] = {};
};

bool is_in(const Guarded& guarded, const CudaLibrary& replacement) {
  return guarded.first_major <= replacement.major() && replacement.major() <= guarded.last_major;
}

int status_of(const Invocation& invocation) {
  return static_cast<int>(invocation.exchange.results.rax);
}

std::string cuda_code_is_refused(const CudaLibrary& replacement) {
  Program program(replacement);
  std::string complaints;
  for (const Guarded& guarded : kGuarded) {
    if (!is_in(guarded, replacement)) continue;
    const char* own = guarded.code == kKernel ? &program.kernel : &program.constant;
    for (int round = 0; round < 2; ++round) {
      const int status = status_of(program.call(guarded, own));
      if (status == kNoKernelImage && backend_log().empty()) continue;
      complaints += std::string(guarded.cuda) + ": returned " + std::to_string(status) + ", " +
                    std::to_string(backend_log().size()) + " calls of the backend\n";
    }
  }
  return complaints;
}

// Other code goes to MUSA's function, with all arguments unchanged.
std::string other_code_arrives(const CudaLibrary& replacement) {
  Program program(replacement);
  std::string complaints;
  for (const Guarded& guarded : kGuarded) {
    if (!is_in(guarded, replacement)) continue;
    // A kernel is not a variable, and a variable is not a kernel: MUSA is asked, and decides.
    const char* const wrong_kind = guarded.code == kKernel ? &program.constant : &program.kernel;
    for (const char* code : {static_cast<const char*>(&program.stranger), wrong_kind}) {
      const Invocation done = program.call(guarded, code);
      if (guarded.musa == nullptr) {
        if (status_of(done) != kNoKernelImage || !backend_log().empty()) {
          complaints += std::string(guarded.cuda) + ": not refused\n";
        }
        continue;
      }
      // An adapter stands between, which passes a copy of the struct; tests/adapters looks into it.
      if (guarded.copied >= 0) {
        const std::uint64_t own = done.exchange.arguments.integers[guarded.copied];
        const CallLog log = backend_log();
        if (log.size() != 1 || log[0].musa != guarded.musa ||
            log[0].exchange.arguments.integers[guarded.copied] == own ||
            (guarded.in_struct < 0 && log[0].exchange.arguments.integers[guarded.word] !=
                                          reinterpret_cast<std::uint64_t>(code))) {
          complaints += std::string(guarded.cuda) + ": did not arrive\n";
        }
        continue;
      }
      complaints += difference({{guarded.cuda, guarded.musa, done.exchange}}, backend_log());
    }
  }
  return complaints;
}

// Queries that need no device are answered, and a null struct is the caller's error.
std::string answers(const CudaLibrary& replacement) {
  Program program(replacement);
  std::string complaints;
  const auto expect = [&](bool holds, const char* what) {
    if (!holds || !backend_log().empty()) complaints += std::string(what) + "\n";
  };
  recording_reset();
  const auto size_of =
      reinterpret_cast<int (*)(size_t*, const void*)>(program.symbol("cudaGetSymbolSize"));
  size_t size = 0;
  expect(size_of(&size, &program.constant) == 0 && size == 1, "the size of a variable");
  expect(size_of(nullptr, &program.constant) == 1, "the size to nowhere");
  if (replacement.major() >= 12) {
    const auto name_of =
        reinterpret_cast<int (*)(const char**, const void*)>(program.symbol("cudaFuncGetName"));
    const char* name = nullptr;
    expect(name_of(&name, &program.kernel) == 0 && std::strcmp(name, "_Z6kernelv") == 0,
           "the name of a kernel");
    expect(name_of(nullptr, &program.kernel) == 1, "the name to nowhere");
  }
  for (const Guarded& guarded : kGuarded) {
    if (guarded.in_struct < 0 || !is_in(guarded, replacement)) continue;
    Invocation invocation = invocation_of(guarded.cuda, 0);
    invocation.exchange.arguments.integers[guarded.word] = 0;
    recording_invoke(program.symbol(guarded.cuda), &invocation);
    expect(status_of(invocation) == 1, guarded.cuda);
  }
  return complaints;
}

class Guards : public testing::TestWithParam<CudaLibrary> {};

TEST_P(Guards, CodeForCudaIsRefused) {
  EXPECT_EQ(in_child([] { return cuda_code_is_refused(GetParam()); }), "");
}

TEST_P(Guards, OtherCodeArrives) {
  EXPECT_EQ(in_child([] { return other_code_arrives(GetParam()); }), "");
}

TEST_P(Guards, AnswerWhatNeedsNoDevice) {
  EXPECT_EQ(in_child([] { return answers(GetParam()); }), "");
}

INSTANTIATE_TEST_SUITE_P(Cudart, Guards, testing::ValuesIn(each_major_of("cudart")), name_of);

}  // namespace
}  // namespace recording
