// Generated adapters against the recording backend: what a program passes and what MUSA gets. The
// numbers on the right are written by hand from the public evidence, not taken from the tables.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/decisions.h"
#include "tests/recording/witness.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

struct Replacement {
  const char* label;
  const char* file;
  std::size_t least_adapted;
  int invalid;  // The status for an enumerator outside its type.
};

constexpr Replacement kReplacements[] = {
    {"cublas-11", "libcublas.so.11", 200, 7}, {"cublas-12", "libcublas.so.12", 390, 7},
    {"cublas-13", "libcublas.so.13", 390, 7}, {"curand-13", "libcurand.so.10", 1, 103},
    {"nccl-13", "libnccl.so.2", 18, 5},
};

std::vector<Decision> adapted_symbols(const Replacement& replacement) {
  std::vector<Decision> out;
  for (const Decision& decision : read_decisions(DECISIONS_FILE, replacement.label)) {
    if (decision.decision == "adapted") out.push_back(decision);
  }
  return out;
}

void PrintTo(const Replacement& replacement, std::ostream* out) { *out << replacement.label; }

class Adapted : public testing::TestWithParam<Replacement> {};
// For cuBLAS only: cuRAND has one adapted function and no enumerator that is zero; see
// Literal.CurandTypes.
class AdaptedCublas : public Adapted {};

// Zero is an enumerator of every type that cuBLAS passes except the compute types, where 68 is
// CUBLAS_COMPUTE_32F. So each call must arrive, at the function that the evidence gives.
std::string zeros_arrive(const Replacement& replacement) {
  const Library library(replacement.file, MUSA_ROOT);
  std::string complaints;
  for (const Decision& decision : adapted_symbols(replacement)) {
    library.call(decision.cuda, {});
    CallLog log = backend_log();
    for (std::size_t i = 6; i < kArguments && log.empty(); ++i) {
      Words words(kArguments);
      words[i] = 68;
      library.call(decision.cuda, words);
      log = backend_log();
    }
    if (log.size() != 1 || log[0].musa != decision.musa) {
      complaints += decision.cuda + ": expected one call of " + decision.musa +
                    ", the backend got " + std::to_string(log.size()) +
                    (log.empty() ? "" : ": " + log[0].musa) + "\n";
    }
  }
  return complaints;
}

TEST_P(Adapted, AreAsManyAsTheTablesSay) {
  EXPECT_GE(adapted_symbols(GetParam()).size(), GetParam().least_adapted);
}

TEST_P(AdaptedCublas, CallsArriveAtTheirTarget) {
  const std::string report = in_child([] { return zeros_arrive(GetParam()); });
  EXPECT_TRUE(report.empty()) << report;
}

// An argument that was converted in the call with zeros is an enumerator. With a number outside its
// type, MUSA must not be called.
std::string strangers_stay_out(const Replacement& replacement) {
  const Library library(replacement.file, MUSA_ROOT);
  std::string complaints;
  std::size_t with_enumerators = 0;
  for (const Decision& decision : adapted_symbols(replacement)) {
    library.call(decision.cuda, {});
    const CallLog log = backend_log();
    for (std::size_t i = 0; i < kArguments && !log.empty(); ++i) {
      const auto value = static_cast<std::uint32_t>(received(log[0], i));
      if (value != 111 && value != 122 && value != 131 && value != 141) continue;
      ++with_enumerators;
      for (const std::uint64_t stranger :
           {std::uint64_t{127}, ~std::uint64_t{0}, std::uint64_t{111}}) {
        Words words(kArguments);
        words[i] = stranger;
        const int status = library.call(decision.cuda, words);
        if (status != replacement.invalid || !backend_log().empty()) {
          complaints += decision.cuda + ": argument " + std::to_string(i) + " = " +
                        std::to_string(stranger) + " gave " + std::to_string(status) + "\n";
        }
      }
    }
  }
  if (with_enumerators < 100)
    complaints += "only " + std::to_string(with_enumerators) + " enumerators seen\n";
  return complaints;
}

TEST_P(AdaptedCublas, NumbersOutsideAnEnumerationStayOut) {
  const std::string report = in_child([] { return strangers_stay_out(GetParam()); });
  EXPECT_TRUE(report.empty()) << report;
}

TEST_P(Adapted, TargetsAreThoseOfTheEvidence) {
  const Witness witness(NAMES_FILE);
  for (const Decision& decision : adapted_symbols(GetParam())) {
    // The evidence is about functions by the names that programs use.
    std::string plain = decision.cuda;
    for (const std::string suffix : {"_64", "_v2"}) {
      if (plain.ends_with(suffix)) plain.resize(plain.size() - 3);
    }
    EXPECT_EQ(witness.objection(plain, decision.musa), "") << decision.cuda;
  }
}

std::string suffix_of(const testing::TestParamInfo<Replacement>& tested) {
  std::string name = tested.param.label;
  name[name.find('-')] = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Libraries, Adapted, testing::ValuesIn(kReplacements), suffix_of);
INSTANTIATE_TEST_SUITE_P(Libraries, AdaptedCublas,
                         testing::Values(kReplacements[0], kReplacements[1], kReplacements[2]),
                         suffix_of);

// One explicit call: what the program passes and what MUSA gets.
struct Literal {
  const char* cuda;
  const char* musa;
  std::vector<std::uint64_t> passed;
  std::vector<std::uint64_t> received;
  std::vector<std::uint64_t> again = {};  // By a second call, if the first one fails.
};

constexpr std::uint64_t kHandle = 0x1000, kAlpha = 0x2000, kA = 0x3000, kB = 0x4000, kBeta = 0x5000,
                        kC = 0x6000;

const Literal kLiterals[] = {
    {"cublasSgemm_v2",
     "mublasSgemm",
     {kHandle, 0, 1, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8},
     {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8}},
    {"cublasZgemm_v2",
     "mublasZgemm",
     {kHandle, 2, 0, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8},
     {kHandle, 113, 111, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8}},
    {"cublasDgemm_v2_64",
     "mublasDgemm",
     {kHandle, 1, 1, 3, 4, 0x7fffffff, kAlpha, kA, 0x7fffffff, kB, 7, kBeta, kC, 8},
     {kHandle, 112, 112, 3, 4, 0x7fffffff, kAlpha, kA, 0x7fffffff, kB, 7, kBeta, kC, 8}},
    {"cublasSgemmStridedBatched",
     "mublasSgemmStridedBatched",
     {kHandle, 1, 1, 3, 4, 5, kAlpha, kA, 6, 1ULL << 40, kB, 7, 2, kBeta, kC, 8, 3, 9},
     {kHandle, 112, 112, 3, 4, 5, kAlpha, kA, 6, 1ULL << 40, kB, 7, 2, kBeta, kC, 8, 3, 9}},
    {"cublasStrsm_v2",
     "mublasStrsm",
     {kHandle, 0, 0, 0, 0, 3, 4, kAlpha, kA, 5, kB, 6},
     {kHandle, 141, 122, 111, 131, 3, 4, kAlpha, kA, 5, kB, 6}},
    {"cublasDtrsm_v2",
     "mublasDtrsm",
     {kHandle, 1, 1, 1, 1, 3, 4, kAlpha, kA, 5, kB, 6},
     {kHandle, 142, 121, 112, 132, 3, 4, kAlpha, kA, 5, kB, 6}},
    {"cublasCtrmm_v2",
     "mublasCtrmm",
     {kHandle, 1, 0, 2, 1, 3, 4, kAlpha, kA, 5, kB, 6, kC, 7},
     {kHandle, 142, 122, 113, 132, 3, 4, kAlpha, kA, 5, kB, 6, kC, 7}},
    {"cublasSsyrk_v2",
     "mublasSsyrk",
     {kHandle, 1, 1, 3, 4, kAlpha, kA, 5, kBeta, kC, 6},
     {kHandle, 121, 112, 3, 4, kAlpha, kA, 5, kBeta, kC, 6}},
    {"cublasCherk_v2",
     "mublasCherk",
     {kHandle, 0, 2, 3, 4, kAlpha, kA, 5, kBeta, kC, 6},
     {kHandle, 122, 113, 3, 4, kAlpha, kA, 5, kBeta, kC, 6}},
    {"cublasDgemv_v2",
     "mublasDgemv",
     {kHandle, 1, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, 2},
     {kHandle, 112, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, 2}},
    {"cublasStrsv_v2",
     "mublasStrsv",
     {kHandle, 0, 1, 1, 3, kA, 4, kB, 5},
     {kHandle, 122, 112, 132, 3, kA, 4, kB, 5}},
    {"cublasSdgmm",
     "mublasSdgmm",
     {kHandle, 1, 3, 4, kA, 5, kB, 6, kC, 7},
     {kHandle, 142, 3, 4, kA, 5, kB, 6, kC, 7}},
    // CUDA_R_16F is 2, CUDA_R_32F 0 and CUBLAS_COMPUTE_32F 68 on both sides; the algorithms differ.
    {"cublasGemmEx",
     "_Z12mublasGemmExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvS3_14musaDataType_tiS3_S4_iS3_"
     "PvS4_"
     "i19mublasComputeType_t16mublasGemmAlgo_t",
     {kHandle, 0, 1, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 0, 8, 68, 99},
     {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 0, 8, 68, 1},
     {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 0, 8, 68, 0}},
    {"cublasGemmEx",
     "_Z12mublasGemmExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvS3_14musaDataType_tiS3_S4_iS3_"
     "PvS4_"
     "i19mublasComputeType_t16mublasGemmAlgo_t",
     {kHandle, 0, 0, 3, 4, 5, kAlpha, kA, 0, 6, kB, 0, 7, kBeta, kC, 0, 8, 68, 0xffffffff},
     {kHandle, 111, 111, 3, 4, 5, kAlpha, kA, 0, 6, kB, 0, 7, kBeta, kC, 0, 8, 68, 0}},
    {"cublasSetPointerMode_v2", "mublasSetPointerMode", {kHandle, 1}, {kHandle, 1}},
    {"cublasSetStream_v2", "mublasSetStream", {kHandle, 2}, {kHandle, 2}},
    {"cublasDestroy_v2", "mublasDestroy", {kHandle}, {kHandle}},
};

std::string differences(const char* cuda, const LoggedCall& call,
                        const std::vector<std::uint64_t>& expected) {
  std::string out;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool wide = expected[i] > 0xffffffff;
    const std::uint64_t got = received(call, i);
    if ((wide ? got : got & 0xffffffff) != expected[i]) {
      out += std::string(cuda) + ": argument " + std::to_string(i) + ": expected " +
             std::to_string(expected[i]) + ", got " + std::to_string(got) + "\n";
    }
  }
  return out;
}

std::string literals() {
  const Library library(kReplacements[1].file, MUSA_ROOT);
  std::string complaints;
  for (const Literal& literal : kLiterals) {
    const int status = library.call(literal.cuda, literal.passed);
    const CallLog log = backend_log();
    const std::size_t calls = literal.again.empty() ? 1 : 2;
    if (log.size() != calls || log[0].musa != literal.musa || log.back().musa != literal.musa) {
      complaints += std::string(literal.cuda) + ": did not reach " + literal.musa + "\n";
      continue;
    }
    // The backend returns numbers that are not a status, and the arguments are as documented: the
    // result is CUBLAS_STATUS_INTERNAL_ERROR.
    if (status != 14)
      complaints += std::string(literal.cuda) + ": status " + std::to_string(status) + "\n";
    complaints += differences(literal.cuda, log[0], literal.received);
    complaints += differences(literal.cuda, log.back(),
                              literal.again.empty() ? literal.received : literal.again);
  }
  return complaints;
}

TEST(Literal, CallsOfCublas) {
  EXPECT_EQ(in_child([] { return literals(); }), "");
}

std::string refusals() {
  const Library library(kReplacements[1].file, MUSA_ROOT);
  std::string complaints;
  const auto expect = [&](const char* what, const char* name, const Words& words, int expected) {
    const int status = library.call(name, words);
    if (status == expected && backend_log().empty()) return;
    complaints += std::string(what) + ": status " + std::to_string(status) + ", " +
                  std::to_string(backend_log().size()) + " calls\n";
  };
  constexpr std::uint64_t kWide = 1ULL << 31;
  expect("n of 2^31", "cublasSgemm_v2_64", {kHandle, 0, 0, 3, kWide, 5}, 7);
  expect("lda of -2^31 - 1", "cublasSgemm_v2_64", {kHandle, 0, 0, 3, 4, 5, kAlpha, kA, ~kWide}, 7);
  // CUBLAS_OP_CONJG is an operation, but muBLAS lacks it.
  expect("conjugation without transposition", "cublasSgemm_v2", {kHandle, 3, 0}, 15);
  expect("an algorithm that is none", "cublasGemmEx",
         {kHandle, 0, 0, 3, 4, 5, kAlpha, kA, 0, 6, kB, 0, 7, kBeta, kC, 0, 8, 68, 55}, 7);
  return complaints;
}

TEST(Literal, WhatMusaCannotTakeIsRefused) {
  EXPECT_EQ(in_child([] { return refusals(); }), "");
}

// Device generators go through hand-written adapters unchanged. Host generators carry marks that
// muRAND must not see: bit 0, and the device from bit 48 on.
std::string curand_generators() {
  const Library library(kReplacements[3].file, MUSA_ROOT);
  std::string complaints;
  const std::map<std::string, std::string> functions = {
      {"curandGenerate", "murandGenerate"},
      {"curandGenerateLongLong", "murandGenerateLongLong"},
      {"curandGenerateNormal", "murandGenerateNormal"},
      {"curandGenerateNormalDouble", "murandGenerateNormalDouble"},
      {"curandGenerateUniform", "murandGenerateUniform"},
      {"curandGenerateUniformDouble", "murandGenerateUniformDouble"},
      {"curandSetStream", "murandSetStream"},
      {"curandSetGeneratorOffset", "murandSetGeneratorOffset"},
      {"curandSetPseudoRandomGeneratorSeed", "murandSetPseudoRandomGeneratorSeed"},
      {"curandDestroyGenerator", "murandDestroyGenerator"}};
  for (const auto& [cuda, musa] : functions) {
    library.call(cuda, {kHandle, kA, 5});
    const CallLog log = backend_log();
    const bool takes_one = cuda == "curandDestroyGenerator";
    const bool takes_two = cuda.find("Set") != std::string::npos;
    if (log.size() != 1 || log[0].musa != musa || received(log[0], 0) != kHandle ||
        (!takes_one && received(log[0], 1) != kA) ||
        (!takes_one && !takes_two && received(log[0], 2) != 5)) {
      complaints += cuda + ": did not arrive unchanged\n";
    }
  }
  constexpr std::uint64_t kOfHost = kHandle + 1 + (std::uint64_t{3} << 48);
  for (const char* cuda : {"curandSetGeneratorOffset", "curandDestroyGenerator"}) {
    library.call(cuda, {kOfHost, 7});
    const CallLog log = backend_log();
    if (log.size() != 1 || received(log[0], 0) != kHandle) {
      complaints += std::string(cuda) + ": muRAND saw a generator's marks\n";
    }
  }
  // Host generators have no stream.
  if (library.call("curandSetStream", {kOfHost, kA}) != 0 || !backend_log().empty()) {
    complaints += "curandSetStream: a generator of the host got a stream\n";
  }
  return complaints;
}

TEST(Literal, GeneratorsOfCurand) {
  EXPECT_EQ(in_child([] { return curand_generators(); }), "");
}

std::string curand_types() {
  const Library library(kReplacements[3].file, MUSA_ROOT);
  std::string complaints;
  const std::map<std::uint64_t, std::uint64_t> types = {
      {100, 400}, {101, 401}, {121, 402}, {141, 403}, {161, 404}};
  for (const auto& [cuda, musa] : types) {
    library.call("curandCreateGenerator", {kHandle, cuda});
    const CallLog log = backend_log();
    if (log.size() != 1 || log[0].musa != "murandCreateGenerator" ||
        static_cast<std::uint32_t>(received(log[0], 1)) != musa) {
      complaints +=
          "type " + std::to_string(cuda) + " did not arrive as " + std::to_string(musa) + "\n";
    }
  }
  for (const std::uint64_t strange : {0, 99, 142, 400, 401}) {
    const int status = library.call("curandCreateGenerator", {kHandle, strange});
    if (status != 103 || !backend_log().empty()) {  // CURAND_STATUS_TYPE_ERROR
      complaints += "type " + std::to_string(strange) + " gave " + std::to_string(status) + "\n";
    }
  }
  return complaints;
}

// muRAND is not told an order: default and best are the one that it has.
std::string curand_orders() {
  const Library library(kReplacements[3].file, MUSA_ROOT);
  std::string complaints;
  const std::map<std::uint64_t, int> orders = {{100, 0},   {101, 0},   {102, 104}, {103, 104},
                                               {104, 104}, {201, 104}, {0, 104},   {99, 104}};
  for (const auto& [order, expected] : orders) {
    const int status = library.call("curandSetGeneratorOrdering", {kHandle, order});
    if (status != expected || !backend_log().empty()) {
      complaints += "order " + std::to_string(order) + " gave " + std::to_string(status) + "\n";
    }
  }
  return complaints;
}

TEST(Literal, OrdersDoNotReachCurand) {
  EXPECT_EQ(in_child([] { return curand_orders(); }), "");
}

TEST(Literal, CurandTypes) {
  EXPECT_EQ(in_child([] { return curand_types(); }), "");
}

}  // namespace
}  // namespace recording
