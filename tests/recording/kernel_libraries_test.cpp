// Kernels and variables that a kernel library has, against the recording backend: which function of
// MUSA's driver each call becomes, and what it gets. Words are written by hand from CUDA's and
// MUSA's headers.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/cuda_libraries.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

// What the backend gives out.
constexpr std::uint64_t kContext = 0x77000, kModule = 0x78000, kFunction = 0x79000;
constexpr std::uint64_t kAddress = 0x70000000, kBytes = 64;
// A value that the replacement library supplies, such as the address of its own variable.
constexpr std::uint64_t kOwn = ~std::uint64_t{0};
constexpr std::uint64_t kStream = 0x5000, kPerThread = 2;

char kernel, variable;
char image[64] = "an image of MUSA's", text[] = "name";
std::uint64_t given;
std::uint64_t at(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
const std::uint64_t kKernel = at(&kernel), kVariable = at(&variable);

// A grid of 2 x 3 x 4, blocks of 5 x 6 x 7, as words that pass dim3.
constexpr std::uint64_t kGrid = 2 | 3ULL << 32, kBlock = 5 | 6ULL << 32;

struct Row {
  const char* cuda;
  const char* musa;
  Words passed;
  Words expected;
  int first_major = 11;
};

const Row kRows[] = {
    {"cudaLaunchKernel",
     "muLaunchKernel",
     {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0x300, kStream},
     {kFunction, 2, 3, 4, 5, 6, 7, 0x300, kStream, 0x1000, 0}},
    {"cudaLaunchKernel_ptsz",
     "muLaunchKernel",
     {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0x300, 0},
     {kFunction, 2, 3, 4, 5, 6, 7, 0x300, kPerThread, 0x1000, 0}},
    {"__cudaLaunchKernel",
     "muLaunchKernel",
     {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0x300, kStream},
     {kFunction, 2, 3, 4, 5, 6, 7, 0x300, kStream, 0x1000, 0},
     12},
    {"__cudaLaunchKernel_ptsz",
     "muLaunchKernel",
     {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0x300, 0},
     {kFunction, 2, 3, 4, 5, 6, 7, 0x300, kPerThread, 0x1000, 0},
     12},
    {"cudaLaunchCooperativeKernel",
     "muLaunchKernelEx",
     {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0x300, kStream},
     {kOwn, kFunction, 0x1000, 0}},
    {"cudaLaunchCooperativeKernel_ptsz",
     "muLaunchKernelEx",
     {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0x300, kStream},
     {kOwn, kFunction, 0x1000, 0}},
    {"cudaFuncSetAttribute", "muFuncSetAttribute", {kKernel, 8, 4096}, {kFunction, 8, 4096}},
    {"cudaFuncSetCacheConfig", "muFuncSetCacheConfig", {kKernel, 2}, {kFunction, 2}},
    {"cudaFuncSetSharedMemConfig", "muFuncSetSharedMemConfig", {kKernel, 1}, {kFunction, 1}},
    {"cudaFuncGetAttributes", "muFuncGetAttribute", {0x1000, kKernel}, {kOwn, 1, kFunction}},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor",
     "muOccupancyMaxActiveBlocksPerMultiprocessor",
     {0x1000, kKernel, 128, 1ULL << 33},
     {0x1000, kFunction, 128, 1ULL << 33}},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
     "muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
     {0x1000, kKernel, 128, 1ULL << 33, 1},
     {0x1000, kFunction, 128, 1ULL << 33, 1}},
    {"cudaMemcpyToSymbol",
     "musaMemcpy",
     {kVariable, 0x1000, 16, 32, 1},
     {kAddress + 32, 0x1000, 16, 1}},
    {"cudaMemcpyFromSymbol",
     "musaMemcpy",
     {0x1000, kVariable, 16, 32, 2},
     {0x1000, kAddress + 32, 16, 2}},
    {"cudaMemcpyToSymbolAsync",
     "musaMemcpyAsync",
     {kVariable, 0x1000, 16, 32, 1, kStream},
     {kAddress + 32, 0x1000, 16, 1, kStream}},
    {"cudaMemcpyFromSymbolAsync",
     "musaMemcpyAsync",
     {0x1000, kVariable, 16, 32, 2, kStream},
     {0x1000, kAddress + 32, 16, 2, kStream}},
    {"cudaMemcpyToSymbolAsync_ptsz",
     "musaMemcpyAsync",
     {kVariable, 0x1000, 16, 32, 1, 0},
     {kAddress + 32, 0x1000, 16, 1, kPerThread}},
    {"cudaMemcpyFromSymbolAsync_ptsz",
     "musaMemcpyAsync",
     {0x1000, kVariable, 16, 32, 2, 0},
     {0x1000, kAddress + 32, 16, 2, kPerThread}},
    {"cudaMemcpyToSymbol_ptds",
     "musaMemcpyAsync",
     {kVariable, 0x1000, 16, 32, 1},
     {kAddress + 32, 0x1000, 16, 1, kPerThread}},
    {"cudaMemcpyFromSymbol_ptds",
     "musaMemcpyAsync",
     {0x1000, kVariable, 16, 32, 2},
     {0x1000, kAddress + 32, 16, 2, kPerThread}},
    {"cudaGraphAddMemcpyNodeToSymbol",
     "musaGraphAddMemcpyNode1D",
     {0x1000, 0x2000, 0x3000, 4, kVariable, 0x5000, 16, 32, 1},
     {0x1000, 0x2000, 0x3000, 4, kAddress + 32, 0x5000, 16, 1}},
    {"cudaGraphAddMemcpyNodeFromSymbol",
     "musaGraphAddMemcpyNode1D",
     {0x1000, 0x2000, 0x3000, 4, 0x5000, kVariable, 16, 32, 2},
     {0x1000, 0x2000, 0x3000, 4, 0x5000, kAddress + 32, 16, 2}},
    {"cudaGraphMemcpyNodeSetParamsToSymbol",
     "musaGraphMemcpyNodeSetParams1D",
     {0x1000, kVariable, 0x5000, 16, 32, 1},
     {0x1000, kAddress + 32, 0x5000, 16, 1}},
    {"cudaGraphMemcpyNodeSetParamsFromSymbol",
     "musaGraphMemcpyNodeSetParams1D",
     {0x1000, 0x5000, kVariable, 16, 32, 2},
     {0x1000, 0x5000, kAddress + 32, 16, 2}},
    {"cudaGraphExecMemcpyNodeSetParamsToSymbol",
     "musaGraphExecMemcpyNodeSetParams1D",
     {0x1000, 0x2000, kVariable, 0x5000, 16, 32, 1},
     {0x1000, 0x2000, kAddress + 32, 0x5000, 16, 1}},
    {"cudaGraphExecMemcpyNodeSetParamsFromSymbol",
     "musaGraphExecMemcpyNodeSetParams1D",
     {0x1000, 0x2000, 0x5000, kVariable, 16, 32, 2},
     {0x1000, 0x2000, 0x5000, kAddress + 32, 16, 2}},
    {"cudaKernelSetAttributeForDevice",
     "muFuncSetAttribute",
     {kKernel, 8, 4096, 0},
     {kFunction, 8, 4096},
     12},
    {"cudaLibraryLoadData",
     "muModuleLoadDataEx",
     {at(&given), at(image), 0x3000, 0x4000, 5, 0, 0, 0},
     {kOwn, at(image), 5, 0x3000, 0x4000},
     12},
    {"cudaLibraryLoadFromFile",
     "muModuleLoad",
     {at(&given), at(text), 0x3000, 0x4000, 5, 0, 0, 0},
     {kOwn, at(text)},
     12},
};

// A program with one kernel and one variable, of which a kernel library has both.
class Program {
 public:
  explicit Program(const CudaLibrary& replacement)
      : library_(replacement.file, MUSA_ROOT),
        handle_(
            dlopen((REPLACEMENT_FOLDER "/" + std::string(replacement.file)).c_str(), RTLD_NOW)) {
    // Any file will do: the backend loads everything.
    setenv("TORCHADA_KERNELS", NAMES_FILE, 1);
    const auto open = symbol<void** (*)(const void*)>("__cudaRegisterFatBinary");
    const auto function = symbol<void (*)(void**, const char*, char*, const char*, int, void*,
                                          void*, void*, void*, int*)>("__cudaRegisterFunction");
    const auto add_variable =
        symbol<void (*)(void**, char*, char*, const char*, int, std::size_t, int, int)>(
            "__cudaRegisterVar");
    void** const module = open(&image_);
    function(module, &kernel, nullptr, "_Z6kernelv", -1, nullptr, nullptr, nullptr, nullptr,
             nullptr);
    add_variable(module, &variable, nullptr, "variable", 0, kBytes, 0, 0);
    answer("muCtxGetCurrent", 0, kContext);
    answer("muModuleLoad", 0, kModule);
    answer("muModuleGetFunction", 0, kFunction);
    answer("muModuleGetGlobal_v2", 0, kAddress);
    recording_write("muModuleGetGlobal_v2", 1, &kBytes, sizeof kBytes);
    const int device = 0;
    recording_answer("muCtxGetDevice", 0);
    recording_write("muCtxGetDevice", 0, &device, sizeof device);
  }
  const Library& library() const { return library_; }

 private:
  template <typename Function>
  Function symbol(const char* name) const {
    return reinterpret_cast<Function>(dlsym(handle_, name));
  }
  static void answer(const char* name, unsigned argument, const std::uint64_t& value) {
    recording_answer(name, 0);
    recording_write(name, argument, &value, sizeof value);
  }

  Library library_;
  void* handle_;
  int image_ = 0;
};

std::string names_of(const CallLog& log) {
  std::string out;
  for (const LoggedCall& call : log) out += (out.empty() ? "" : " ") + call.musa;
  return out;
}

// Empty if the last call of the backend was one of `musa` with these words. The backend answers
// with numbers that are not success, and the program must get the same.
std::string objection(const Program& program, const Row& row) {
  const int status = program.library().call(row.cuda, row.passed);
  const CallLog log = backend_log();
  const std::string name = row.cuda;
  if (log.empty() || log.back().musa != row.musa) return name + ": " + names_of(log) + "\n";
  const LoggedCall& last = log.back();
  std::string out;
  if (static_cast<int>(last.exchange.results.rax) != status) {
    out += name + ": status " + std::to_string(status) + "\n";
  }
  for (std::size_t i = 0; i < row.expected.size(); ++i) {
    const std::uint64_t got = received(last, i);
    // The upper half of an int is undefined.
    const bool small = row.expected[i] < 0x1000;
    if (row.expected[i] == kOwn ? got > 0xffff
                                : (small ? got & 0xffffffff : got) == row.expected[i]) {
      continue;
    }
    out += name + ": argument " + std::to_string(i) + " is " + std::to_string(got) + "\n";
  }
  return out;
}

class KernelLibraries : public testing::TestWithParam<CudaLibrary> {};

TEST_P(KernelLibraries, CallsGoToTheDriver) {
  EXPECT_EQ("", in_child([] {
              const Program program(GetParam());
              std::string out;
              for (const Row& row : kRows) {
                if (row.first_major <= GetParam().major()) out += objection(program, row);
              }
              return out;
            }));
}

// Behind a library is a module. Its handle is no module's.
TEST_P(KernelLibraries, LibrariesHaveHandles) {
  if (GetParam().major() < 12) return;  // Has none.
  EXPECT_EQ("", in_child([] {
              const Program program(GetParam());
              constexpr std::uint64_t kOfLibrary = 0x7000;
              recording_answer("muModuleLoadDataEx", 0);
              recording_write("muModuleLoadDataEx", 0, &kOfLibrary, sizeof kOfLibrary);
              std::uint64_t library = 0;
              std::string out;
              const Library& replacement = program.library();
              if (replacement.call("cudaLibraryLoadData",
                                   {at(&library), at(image), 0, 0, 0, 0, 0, 0}) != 0 ||
                  library == 0 || library == kOfLibrary) {
                out += "no library\n";
              }
              const auto rows_with = [](std::uint64_t handle) {
                return std::vector<Row>{
                    {"cudaLibraryGetKernel",
                     "muModuleGetFunction",
                     {at(&given), handle, at(text)},
                     {kOwn, kOfLibrary, at(text)}},
                    {"cudaLibraryGetGlobal",
                     "muModuleGetGlobal_v2",
                     {at(&given), at(&given), handle, at(text)},
                     {kOwn, kOwn, kOfLibrary, at(text)}},
                    {"cudaLibraryUnload", "muModuleUnload", {handle}, {kOfLibrary}},
                };
              };
              for (const std::uint64_t wrong : {kOfLibrary, library + 8, std::uint64_t{0x1000}}) {
                for (const Row& row : rows_with(wrong)) {
                  if (replacement.call(row.cuda, row.passed) != 400) {
                    out += std::string(row.cuda) + " takes " + std::to_string(wrong) + "\n";
                  }
                }
              }
              for (const Row& row : rows_with(library)) out += objection(program, row);
              return out;
            }));
}

// cudaKernelNodeParams, and MUSA's.
struct Node {
  std::uint64_t function;
  unsigned grid[3], block[3], shared;
  std::uint64_t arguments, extra;
};

TEST_P(KernelLibraries, NodesGoToTheDriver) {
  EXPECT_EQ("", in_child([] {
              const Program program(GetParam());
              const Node node = {kKernel, {2, 3, 4}, {5, 6, 7}, 0x300, 0x1000, 0x2000};
              std::uint64_t typed[32] = {};
              static_cast<int*>(static_cast<void*>(typed))[0] = 0;  // cudaGraphNodeTypeKernel
              std::memcpy(typed + 2, &node, sizeof node);
              const Row rows[] = {
                  {"cudaGraphAddKernelNode",
                   "muGraphAddKernelNode",
                   {0x1000, 0x2000, 0x3000, 4, at(&node)},
                   {0x1000, 0x2000, 0x3000, 4, kOwn}},
                  {"cudaGraphKernelNodeSetParams",
                   "muGraphKernelNodeSetParams",
                   {0x1000, at(&node)},
                   {0x1000, kOwn}},
                  {"cudaGraphExecKernelNodeSetParams",
                   "muGraphExecKernelNodeSetParams",
                   {0x1000, 0x2000, at(&node)},
                   {0x1000, 0x2000, kOwn}},
                  {"cudaGraphNodeSetParams",
                   "muGraphKernelNodeSetParams",
                   {0x1000, at(typed)},
                   {0x1000, kOwn},
                   12},
                  {"cudaGraphExecNodeSetParams",
                   "muGraphExecKernelNodeSetParams",
                   {0x1000, 0x2000, at(typed)},
                   {0x1000, 0x2000, kOwn},
                   12},
              };
              // The kernel in the description is MUSA's. The program's stays as it is.
              recording_look("muGraphAddKernelNode", 0, 4);
              recording_look("muGraphKernelNodeSetParams", 0, 1);
              recording_look("muGraphExecKernelNodeSetParams", 0, 2);
              std::string out;
              for (const Row& row : rows) {
                if (row.first_major > GetParam().major()) continue;
                out += objection(program, row);
                const recording_call last = recording_get(recording_count() - 1);
                std::uint64_t seen[2] = {};
                std::memcpy(seen, last.seen[0], sizeof seen);
                if (seen[0] != kFunction || seen[1] != kGrid) {
                  out += std::string(row.cuda) + ": MUSA got another description\n";
                }
              }
              if (node.function != kKernel) out += "the program's description changed\n";
              return out;
            }));
}

// One image is loaded once, and one name looked up once.
TEST_P(KernelLibraries, AreAskedOnce) {
  EXPECT_EQ(
      "", in_child([] {
        const Program program(GetParam());
        recording_answer("muLaunchKernel", 0);
        const Words words = {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0, 0};
        std::string out;
        program.library().call("cudaLaunchKernel", words);
        const std::string first = names_of(backend_log());
        if (first.find("muModuleLoad muModuleGetFunction muLaunchKernel") == std::string::npos) {
          out += "the first launch: " + first + "\n";
        }
        program.library().call("cudaLaunchKernel", words);
        const std::string second = names_of(backend_log());
        if (second != "muCtxGetCurrent muLaunchKernel") {
          out += "the second launch: " + second + "\n";
        }
        return out;
      }));
}

TEST_P(KernelLibraries, AreAskedAgainAfterAReset) {
  EXPECT_EQ(
      "", in_child([] {
        const Program program(GetParam());
        recording_answer("muLaunchKernel", 0);
        recording_answer("musaDeviceReset", 0);
        const Words words = {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0, 0};
        program.library().call("cudaLaunchKernel", words);
        program.library().call("cudaDeviceReset", {});
        std::string out;
        if (names_of(backend_log()) != "muCtxGetCurrent musaDeviceReset") {
          out += "the reset: " + names_of(backend_log()) + "\n";
        }
        program.library().call("cudaLaunchKernel", words);
        const std::string names = names_of(backend_log());
        if (names.find("muModuleLoad muModuleGetFunction muLaunchKernel") == std::string::npos) {
          out += "after the reset: " + names + "\n";
        }
        return out;
      }));
}

// An image that lacks the name is asked, and then the call is refused.
TEST_P(KernelLibraries, WithoutTheNameNothingIsLaunched) {
  EXPECT_EQ("", in_child([] {
              const Program program(GetParam());
              recording_answer("muModuleGetFunction", 500);  // MUSA_ERROR_NOT_FOUND
              std::string out;
              const int status = program.library().call(
                  "cudaLaunchKernel", {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0, 0});
              if (status != 209) out += "status " + std::to_string(status) + "\n";
              const std::string names = names_of(backend_log());
              if (names.find("muLaunchKernel") != std::string::npos) out += names + "\n";
              if (names.find("muModuleGetFunction") == std::string::npos) out += names + "\n";
              return out;
            }));
}

// What an earlier kernel did to the context is told, and nothing is kept: later it may work.
TEST_P(KernelLibraries, AFailedContextIsTold) {
  EXPECT_EQ("", in_child([] {
              const Program program(GetParam());
              const Words words = {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0, 0};
              std::string out;
              recording_answer("muModuleLoad", 700);  // MUSA_ERROR_ILLEGAL_ADDRESS
              if (program.library().call("cudaLaunchKernel", words) != 700) out += "loading\n";
              recording_answer("muModuleLoad", 0);
              recording_answer("muModuleGetFunction", 700);
              if (program.library().call("cudaLaunchKernel", words) != 700) out += "asking\n";
              recording_answer("muModuleGetFunction", 0);
              recording_answer("muLaunchKernel", 0);
              if (program.library().call("cudaLaunchKernel", words) != 0) out += "launching\n";
              return out;
            }));
}

// A thread without a context gets the runtime's.
TEST_P(KernelLibraries, MakeTheContext) {
  EXPECT_EQ("", in_child([] {
              const Program program(GetParam());
              recording_answer("muCtxGetCurrent", 3);  // MUSA_ERROR_NOT_INITIALIZED
              recording_answer("musaFree", 0);
              std::string out;
              const int status = program.library().call(
                  "cudaLaunchKernel", {kKernel, kGrid, 4, kBlock, 7, 0x1000, 0, 0});
              if (status != 3) out += "status " + std::to_string(status) + "\n";
              if (names_of(backend_log()) != "muCtxGetCurrent musaFree muCtxGetCurrent") {
                out += names_of(backend_log()) + "\n";
              }
              return out;
            }));
}

INSTANTIATE_TEST_SUITE_P(Cudart, KernelLibraries, testing::ValuesIn(each_major_of("cudart")),
                         name_of);

}  // namespace
}  // namespace recording
