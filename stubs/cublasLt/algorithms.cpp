// Algorithms live in the program's memory: 64 opaque bytes, and search results that hold these
// together with a status.
#include <atomic>

#include "facts.h"
#include "stubs/adapting/conditions.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cublasLt/guarded_memory.h"
#include "stubs/cublasLt/handles.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::GuardedMemory;
using torchada::kInvalid;
using torchada::kNullHandle;
using torchada::outcome;

constexpr unsigned kAlgorithmSize = torchada::cuda::sizeof_cublasLtMatmulAlgo_t;
constexpr unsigned kResultSize = torchada::cuda::sizeof_cublasLtMatmulHeuristicResult_t;
constexpr unsigned kStateOffset = torchada::cuda::cublasLtMatmulHeuristicResult_t_state;

// Set once MUSA's results have proved to fit CUDA's size.
std::atomic<bool> results_fit{false};

int refuse_size(const Function& function) {
  return torchada::refuse(
      function, "muBLASLt's algorithm structs are larger than CUDA's, which programs allocate");
}

void convert_state(const Function& function, void* result) {
  char* const state = static_cast<char*>(result) + kStateOffset;
  int value = 0;
  memcpy(&value, state, sizeof value);
  value = outcome(function, value);
  memcpy(state, &value, sizeof value);
}

// The parameters that both functions with types begin with.
constexpr unsigned kComputeType = 1;
constexpr unsigned kFirstDataType = 2;

// Converts the enumerator in parameter `number` of `function`. Returns 0 or the status to return.
int to_musa(const Function& function, unsigned number, torchada::Enumeration type, int* value) {
  const int given = *value;
  const int status = torchada::enumerator_to_musa(type, given, value);
  if (status == 0) return 0;
  if (status != torchada::kUnsupported) return fail(status);
  return torchada::refuse_enumerator(function.cuda, number, given, nullptr, status);
}

// Converts the type of computation and those of scale, A, B, C and D.
int types_to_musa(const Function& function, int* compute, int (&types)[5]) {
  if (const int status =
          to_musa(function, kComputeType, torchada::Enumeration::k_cublasComputeType_t, compute)) {
    return status;
  }
  for (unsigned i = 0; i < 5; ++i) {
    if (const int status = to_musa(function, kFirstDataType + i,
                                   torchada::Enumeration::k_cudaDataType, &types[i])) {
      return status;
    }
  }
  return 0;
}

}  // namespace

extern "C" int torchada_adapter_cublasLtMatmulAlgoGetIds(void* handle, int compute, int scale,
                                                         int a, int b, int c, int d, int requested,
                                                         int* ids, int* returned) {
  static constexpr Function kSelf = {"cublasLtMatmulAlgoGetIds", "mublasLtMatmulAlgoGetIds"};
#if TORCHADA_ABI > 11
  if (!handle) return fail(kNullHandle);
#endif
  // Written before anything else is checked, as in the real library.
  if (returned) *returned = 0;
  if (!handle || requested <= 0 || !ids || !returned) return fail(kInvalid);
  int types[5] = {scale, a, b, c, d};
  void* musa = nullptr;
  if (const int status = types_to_musa(kSelf, &compute, types)) return status;
  if (const int status = torchada::musa_handle(kSelf, handle, &musa)) return status;
  return outcome(kSelf, mublasLtMatmulAlgoGetIds(musa, compute, types[0], types[1], types[2],
                                                 types[3], types[4], requested, ids, returned));
}

extern "C" int torchada_adapter_cublasLtMatmulAlgoInit(void* handle, int compute, int scale, int a,
                                                       int b, int c, int d, int id,
                                                       void* algorithm) {
  static constexpr Function kSelf = {"cublasLtMatmulAlgoInit", "mublasLtMatmulAlgoInit"};
  if (!handle) return fail(kNullHandle);
  if (!algorithm) return fail(kInvalid);
  const int given = compute;
  int types[5] = {scale, a, b, c, d};
  void* musa = nullptr;
  if (const int status = types_to_musa(kSelf, &compute, types)) return status;
  if (const int status = torchada::musa_handle(kSelf, handle, &musa)) return status;
  GuardedMemory guarded(kAlgorithmSize);
  const int status =
      outcome(kSelf,
              mublasLtMatmulAlgoInit(musa, compute, types[0], types[1], types[2], types[3],
                                     types[4], id, guarded.memory()),
              [=] {
                return torchada::documented_status(torchada::kConditions_cublasLtMatmulAlgoInit,
                                                   handle, given, scale, a, b, c, d, id, algorithm);
              });
  if (status != 0) return status;
  if (guarded.is_overrun()) return refuse_size(kSelf);
  guarded.copy_to(algorithm);
  return 0;
}

extern "C" int torchada_adapter_cublasLtMatmulAlgoCheck(void* handle, void* description, void* a,
                                                        void* b, void* c, void* d,
                                                        const void* algorithm, void* result) {
  static constexpr Function kSelf = {"cublasLtMatmulAlgoCheck", "mublasLtMatmulAlgoCheck"};
  if (!handle || !description || !a || !b || !c || !d || !algorithm || !result) {
    return fail(kInvalid);
  }
  void* musa = nullptr;
  if (const int status = torchada::musa_handle(kSelf, handle, &musa)) return status;
  GuardedMemory guarded(kResultSize, result);
  const int status = outcome(
      kSelf, mublasLtMatmulAlgoCheck(musa, description, a, b, c, d, algorithm, guarded.memory()));
  if (status != 0) return status;
  if (guarded.is_overrun()) return refuse_size(kSelf);
  convert_state(kSelf, guarded.memory());
  guarded.copy_to(result);
  return 0;
}

extern "C" int torchada_adapter_cublasLtMatmulAlgoGetHeuristic(void* handle, void* description,
                                                               void* a, void* b, void* c, void* d,
                                                               void* preference, int requested,
                                                               void* results, int* returned) {
  static constexpr Function kSelf = {"cublasLtMatmulAlgoGetHeuristic",
                                     "mublasLtMatmulAlgoGetHeuristic"};
  if (!handle || !description || !a || !b || !c || !d || !preference || requested <= 0 ||
      !results || !returned) {
    return fail(kInvalid);
  }
  void* musa = nullptr;
  if (const int status = torchada::musa_handle(kSelf, handle, &musa)) return status;
  int found = 0;
  if (requested == 1 || !results_fit.load(std::memory_order_relaxed)) {
    GuardedMemory guarded(kResultSize);
    const int status =
        outcome(kSelf, mublasLtMatmulAlgoGetHeuristic(musa, description, a, b, c, d, preference, 1,
                                                      guarded.memory(), &found));
    if (status != 0) return status;
    if (guarded.is_overrun()) return refuse_size(kSelf);
    if (found > 0) results_fit.store(true, std::memory_order_relaxed);
    if (found <= 0 || requested == 1) {
      if (found > 0) {
        convert_state(kSelf, guarded.memory());
        guarded.copy_to(results);
      }
      *returned = found > 0 ? 1 : 0;
      return 0;
    }
  }
  const int status =
      outcome(kSelf, mublasLtMatmulAlgoGetHeuristic(musa, description, a, b, c, d, preference,
                                                    requested, results, &found));
  if (status != 0) return status;
  if (found > requested) found = requested;
  for (int i = 0; i < found; ++i) {
    convert_state(kSelf,
                  static_cast<char*>(results) + size_t{kResultSize} * static_cast<size_t>(i));
  }
  *returned = found;
  return 0;
}
