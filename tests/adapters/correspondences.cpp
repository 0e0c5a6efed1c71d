#include "tests/adapters/correspondences.h"

#include <set>
#include <stdexcept>

namespace adapters {
namespace {

using Numbers = std::map<std::int64_t, std::int64_t>;

// Every algorithm, numbered or not, is a hint. muBLAS has two: 0, and 1 with tensor cores.
Numbers gemm_algorithms() {
  Numbers out;
  for (std::int64_t i = -1; i <= 23; ++i) out[i] = 0;
  for (std::int64_t i = 99; i <= 115; ++i) out[i] = 1;
  return out;
}

const std::map<std::string, Numbers>& arguments() {
  static const std::map<std::string, Numbers> kArguments = {
      // N, T, C. MUSA lacks conjugation without transposition (3).
      {"cublasOperation_t", {{0, 111}, {1, 112}, {2, 113}}},
      // Lower is 0 in cuBLAS and 122 in muBLAS; upper is 1 and 121.
      {"cublasFillMode_t", {{0, 122}, {1, 121}, {2, 123}}},
      {"cublasDiagType_t", {{0, 131}, {1, 132}}},
      {"cublasSideMode_t", {{0, 141}, {1, 142}}},
      {"cublasGemmAlgo_t", gemm_algorithms()},
      // Half, float, double, integers, and float by TF32. Float by half (74) or bfloat16 (75) only
      // permits less exactness, and sums of integers (73) are exact in any case. MUSA is not known
      // to have exact half, float and double (65, 69, 71), or emulation (78, 79).
      {"cublasComputeType_t",
       {{64, 64}, {68, 68}, {70, 70}, {72, 72}, {73, 72}, {74, 68}, {75, 68}, {77, 77}}},
      // MUSA's handle for other hosts (8) is longer than CUDA's.
      {"CUmemAllocationHandleType", {{0, 0}, {1, 1}, {2, 2}, {4, 4}}},
      {"cudaMemAllocationHandleType", {{0, 0}, {1, 1}, {2, 2}, {4, 4}}},
      // XORWOW, MRG32K3A, MTGP32, Philox, and the default.
      {"curandRngType_t", {{100, 400}, {101, 401}, {121, 402}, {141, 403}, {161, 404}}},
  };
  return kArguments;
}

const std::map<std::string, Numbers>& statuses() {
  static const std::map<std::string, Numbers> kStatuses = {
      // Only success is documented. The order in which code lists the names is no number, so every
      // other number is an internal error: the listed ones too, and 7 above all, which would be
      // "performance degraded" in one reading and "invalid value" in another.
      {"cublasStatus_t",
       {{0, 0},
        {1, 14},
        {2, 14},
        {3, 14},
        {4, 14},
        {5, 14},
        {6, 14},
        {7, 14},
        {8, 14},
        {9, 14},
        {10, 14},
        {11, 14},
        {12, 14},
        {13, 14},
        {14, 14},
        {99, 14},
        {-1, 14}}},
  };
  return kStatuses;
}

}  // namespace

const Numbers* correspondence(const std::string& type) {
  const auto found = arguments().find(type);
  return found == arguments().end() ? nullptr : &found->second;
}

bool has_cudas_numbers(const std::string& type) {
  // Host and device pointers are 0 and 1 in muBLAS. MUSA's runtime numbers data types, and MCCL its
  // own, as CUDA does wherever a source gives a number.
  static const std::set<std::string> kSame = {"cublasPointerMode_t", "cudaDataType",
                                              "cudaDataType_t",      "ncclDataType_t",
                                              "ncclRedOp_t",         "ncclScalarResidence_t"};
  return kSame.count(type) != 0;
}

bool is_combined(const std::string& type) {
  static const std::set<std::string> kCombined = {"CUmemAllocationHandleType",
                                                  "cudaMemAllocationHandleType", "ncclRedOp_t"};
  return kCombined.count(type) != 0;
}

const Numbers& musa_statuses(const std::string& type) {
  // Numbers that all libraries share.
  static const Numbers kSame = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}};
  static const Numbers kCurand = {{0, 0},     {100, 100}, {103, 103},
                                  {104, 104}, {201, 201}, {999, 999}};
  if (type == "curandStatus_t") return kCurand;
  const auto found = statuses().find(type);
  return found == statuses().end() ? kSame : found->second;
}

std::int64_t status_in_cuda(const std::string& type, std::int64_t musa) {
  return musa_statuses(type).at(musa);
}

std::int64_t status_of_stranger(const std::string& type) {
  static const std::map<std::string, std::int64_t> kInvalid = {{"cublasStatus_t", 7},
                                                               {"curandStatus_t", 103},
                                                               {"cudaError_t", 1},
                                                               {"ncclResult_t", 4},
                                                               {"CUresult", 1}};
  const auto found = kInvalid.find(type);
  if (found == kInvalid.end()) throw std::runtime_error("no invalid status known of " + type);
  return found->second;
}

std::int64_t status_of_missing(const std::string& type) {
  if (type == "cublasStatus_t") return 15;
  if (type == "cudaError_t") return 801;
  if (type == "ncclResult_t") return 5;
  return status_of_stranger(type);
}

std::int64_t status_of_wide(const std::string& type) {
  return type == "curandStatus_t" ? 104 : status_of_stranger(type);
}

}  // namespace adapters
