// Hand-written adapters of cuBLAS against the recording backend: 64-bit positions, types as
// arguments, groups of shapes, blocking transfers, the 3m product, batched solves, products in
// tiles.
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "tests/recording/behaviour.h"
#include "tests/recording/child.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

constexpr const char* kReplacement = "libcublas.so.12";
constexpr std::uint64_t kHandle = 0x1000, kAlpha = 0x2000, kA = 0x3000, kB = 0x4000, kBeta = 0x5000,
                        kC = 0x6000, kStream = 0x7000;
constexpr std::uint64_t kAny = ~std::uint64_t{0};
// CUBLAS_STATUS_INTERNAL_ERROR: every failure of muBLAS, because no public source explains its
// statuses.
constexpr int kFailed = 14;
constexpr const char* kGemmEx =
    "_Z12mublasGemmExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvS3_14musaDataType_tiS3_S4_iS3_"
    "PvS4_i19mublasComputeType_t16mublasGemmAlgo_t";
constexpr const char* kGemmBatchedEx =
    "_Z19mublasGemmBatchedExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvPKS3_14musaDataType_tiS5_"
    "S6_iS3_PKPvS6_ii19mublasComputeType_t16mublasGemmAlgo_t";

template <typename T>
std::uint64_t address(const T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

class Session {
 public:
  Session() : library_(kReplacement, MUSA_ROOT) {
    recording_answer("mublasGetPointerMode", 0);
    set_pointer_mode(0);
    recording_answer("mublasGetStream", 0);
    const std::uint64_t stream = kStream;
    recording_write("mublasGetStream", 1, &stream, sizeof stream);
  }

  static void set_pointer_mode(int mode) {
    recording_write("mublasGetPointerMode", 1, &mode, sizeof mode);
  }

  int call(const std::string& name, const Words& words) { return library_.call(name, words); }

  void expect(const std::string& what, std::int64_t expected, std::int64_t got) {
    if (expected == got) return;
    text_ << what << ": expected " << expected << ", got " << got << "\n";
  }

  // Call number `index`, not counting queries.
  void received(std::size_t index, const std::string& name,
                const std::vector<std::uint64_t>& words) {
    const std::vector<recording_call> log = calls();
    if (index >= log.size() || log[index].name != name) {
      text_ << name << " was not call " << index << " of " << log.size() << "\n";
      return;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == kAny) continue;
      const recording_arguments& arguments = log[index].exchange.arguments;
      const std::uint64_t got = i < 6 ? arguments.integers[i] : arguments.stack[i - 6];
      const std::uint64_t same = words[i] > 0xffffffff ? got : got & 0xffffffff;
      if (same != words[i]) {
        text_ << name << ", argument " << i << ": expected " << words[i] << ", got " << got << "\n";
      }
    }
  }

  static std::vector<recording_call> calls() {
    std::vector<recording_call> out;
    for (std::size_t i = 0; i < recording_count(); ++i) {
      const recording_call call = recording_get(i);
      const std::string name = call.name;
      const bool asks = name == "mublasGetPointerMode" || name == "mublasGetStream" ||
                        name == "musaPeekAtLastError";
      if (!call.version_probe && !asks) out.push_back(call);
    }
    return out;
  }
  void expect_calls(const std::string& what, std::size_t count) {
    expect(what + ", calls", static_cast<std::int64_t>(count),
           static_cast<std::int64_t>(calls().size()));
  }

  std::string findings() const { return text_.str(); }

 private:
  Library library_;
  std::ostringstream text_;
};

std::string wide_positions() {
  Session session;
  for (const std::string name :
       {"Isamax", "Idamax", "Icamax", "Izamax", "Isamin", "Idamin", "Icamin", "Izamin"}) {
    const std::string cuda = "cublas" + name + "_v2_64";
    const std::string musa = "mublas" + name;
    std::int64_t result = -1;
    const int position = 5;
    Session::set_pointer_mode(0);
    recording_answer(musa.c_str(), 0);
    recording_write(musa.c_str(), 4, &position, sizeof position);
    session.expect(cuda, 0, session.call(cuda, {kHandle, 3, kA, 2, address(&result)}));
    session.expect(cuda + " stores", 5, result);
    session.expect_calls(cuda, 1);
    session.received(0, musa, {kHandle, 3, kA, 2});
    // MUSA itself writes into device memory; then the other half is zeroed on the same stream.
    result = -1;
    Session::set_pointer_mode(1);
    recording_answer("musaMemsetAsync", 0);
    session.expect(cuda, 0, session.call(cuda, {kHandle, 3, kA, 2, address(&result)}));
    session.received(0, musa, {kHandle, 3, kA, 2, address(&result)});
    session.received(1, "musaMemsetAsync", {address(&result) + 4, 0, 4, kStream});
    session.expect_calls(cuda, 2);
    recording_answer("musaMemsetAsync", 1);
    session.expect(cuda + " cannot zero", 13,
                   session.call(cuda, {kHandle, 3, kA, 2, address(&result)}));
    // A failed call changes nothing and zeroes nothing.
    recording_answer(musa.c_str(), 4);
    recording_write(musa.c_str(), 4, &position, 0);
    result = -1;
    session.expect(cuda + " fails", kFailed,
                   session.call(cuda, {kHandle, 3, kA, 2, address(&result)}));
    session.expect_calls(cuda + " fails", 1);
    Session::set_pointer_mode(0);
    session.call(cuda, {kHandle, 3, kA, 2, address(&result)});
    session.expect(cuda + " fails and stores", -1, result);
    for (const std::uint64_t wide : {std::uint64_t{1} << 31, std::uint64_t{1} << 32}) {
      session.expect(cuda, 7, session.call(cuda, {kHandle, wide, kA, 2, address(&result)}));
      session.expect(cuda, 7, session.call(cuda, {kHandle, 3, kA, wide, address(&result)}));
      session.expect_calls(cuda + " of 2^31", 0);
    }
    session.expect(cuda + " to nowhere", 7, session.call(cuda, {kHandle, 3, kA, 2, 0}));
    session.expect_calls(cuda + " to nowhere", 0);
  }
  // What MUSA says about the handle comes first.
  recording_answer("mublasGetPointerMode", 1);
  session.expect("no handle", 1, session.call("cublasIsamax_v2_64", {0, 3, kA, 2, 0}));
  session.expect_calls("no handle", 0);
  return session.findings();
}

TEST(CublasForms, PositionsOf64Bits) { EXPECT_EQ(in_child(wide_positions), ""); }

std::string products() {
  Session session;
  for (const std::string name : {"cublasSgemmEx", "cublasSgemmEx_64", "cublasCgemmEx",
                                 "cublasCgemmEx_64", "cublasCgemm3mEx", "cublasCgemm3mEx_64"}) {
    session.call(name, {kHandle, 0, 1, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 0, 8});
    session.expect_calls(name, 1);
    // Computed in CUBLAS_COMPUTE_32F, which is 68 on both sides, by the default algorithm, which is
    // 0 in MUSA.
    session.received(
        0, kGemmEx,
        {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 0, 8, 68, 0});
    session.expect(name + " of 127", 7, session.call(name, {kHandle, 127, 1, 3, 4, 5}));
    session.expect_calls(name + " of 127", 0);
  }
  for (const std::string suffix : {"", "_64"}) {
    session.call("cublasCgemm3m" + suffix,
                 {kHandle, 2, 0, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8});
    session.received(0, "mublasCgemm",
                     {kHandle, 113, 111, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8});
    session.call("cublasZgemm3m" + suffix,
                 {kHandle, 0, 1, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8});
    session.received(0, "mublasZgemm",
                     {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8});
    session.call("cublasCgemm3mBatched" + suffix,
                 {kHandle, 0, 1, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8, 9});
    session.received(0, "mublasCgemmBatched",
                     {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8, 9});
    session.call("cublasCgemm3mStridedBatched" + suffix,
                 {kHandle, 0, 1, 3, 4, 5, kAlpha, kA, 6, 11, kB, 7, 12, kBeta, kC, 8, 13, 9});
    session.received(
        0, "mublasCgemmStridedBatched",
        {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 6, 11, kB, 7, 12, kBeta, kC, 8, 13, 9});
    session.call("cublasCsyrk3mEx" + suffix,
                 {kHandle, 1, 1, 3, 4, kAlpha, kA, 4, 5, kBeta, kC, 4, 6});
    session.received(0, "mublasCsyrkEx",
                     {kHandle, 121, 112, 3, 4, kAlpha, kA, 4, 5, kBeta, kC, 4, 6});
    for (const std::string name : {"cublasCherkEx", "cublasCherk3mEx"}) {
      session.call(name + suffix, {kHandle, 0, 2, 3, 4, kAlpha, kA, 4, 5, kBeta, kC, 4, 6});
      session.received(0, "mublasCherk", {kHandle, 122, 113, 3, 4, kAlpha, kA, 5, kBeta, kC, 6});
      session.expect(
          name + " of bytes", 15,
          session.call(name + suffix, {kHandle, 0, 2, 3, 4, kAlpha, kA, 7, 5, kBeta, kC, 4, 6}));
      session.expect_calls(name + " of bytes", 0);
    }
  }
  return session.findings();
}

TEST(CublasForms, ProductsNamedByType) { EXPECT_EQ(in_child(products), ""); }

// CUDA_R_32F 0, CUDA_R_64F 1, CUDA_C_32F 4, CUDA_C_64F 5; CUDA_R_16F 2 has no function of its own.
struct Typed {
  const char* name;
  std::vector<std::uint64_t> passed;  // kType stands for the type, kReal for its real counterpart.
  std::vector<const char*> musa;      // By type; null if there is none.
  std::vector<std::uint64_t> received;
};

constexpr std::uint64_t kType = kAny - 1, kReal = kAny - 2;

const Typed kTyped[] = {
    {"cublasAxpyEx",
     {kHandle, 3, kAlpha, kType, kA, kType, 1, kB, kType, 2, kType},
     {"mublasSaxpy", "mublasDaxpy", "mublasCaxpy", "mublasZaxpy"},
     {kHandle, 3, kAlpha, kA, 1, kB, 2}},
    {"cublasScalEx",
     {kHandle, 3, kAlpha, kType, kA, kType, 1, kType},
     {"mublasSscal", "mublasDscal", "mublasCscal", "mublasZscal"},
     {kHandle, 3, kAlpha, kA, 1}},
    {"cublasDotEx",
     {kHandle, 3, kA, kType, 1, kB, kType, 2, kC, kType, kType},
     {"mublasSdot", "mublasDdot", "mublasCdotu", "mublasZdotu"},
     {kHandle, 3, kA, 1, kB, 2, kC}},
    {"cublasDotcEx",
     {kHandle, 3, kA, kType, 1, kB, kType, 2, kC, kType, kType},
     {"mublasSdot", "mublasDdot", "mublasCdotc", "mublasZdotc"},
     {kHandle, 3, kA, 1, kB, 2, kC}},
    {"cublasNrm2Ex",
     {kHandle, 3, kA, kType, 1, kC, kReal, kReal},
     {"mublasSnrm2", "mublasDnrm2", "mublasScnrm2", "mublasDznrm2"},
     {kHandle, 3, kA, 1, kC}},
    {"cublasAsumEx",
     {kHandle, 3, kA, kType, 1, kC, kReal, kReal},
     {"mublasSasum", "mublasDasum", "mublasScasum", "mublasDzasum"},
     {kHandle, 3, kA, 1, kC}},
    {"cublasCopyEx",
     {kHandle, 3, kA, kType, 1, kB, kType, 2},
     {"mublasScopy", "mublasDcopy", "mublasCcopy", "mublasZcopy"},
     {kHandle, 3, kA, 1, kB, 2}},
    {"cublasSwapEx",
     {kHandle, 3, kA, kType, 1, kB, kType, 2},
     {"mublasSswap", "mublasDswap", "mublasCswap", "mublasZswap"},
     {kHandle, 3, kA, 1, kB, 2}},
    {"cublasIamaxEx",
     {kHandle, 3, kA, kType, 1, kC},
     {"mublasIsamax", "mublasIdamax", "mublasIcamax", "mublasIzamax"},
     {kHandle, 3, kA, 1}},
    {"cublasIaminEx",
     {kHandle, 3, kA, kType, 1, kC},
     {"mublasIsamin", "mublasIdamin", "mublasIcamin", "mublasIzamin"},
     {kHandle, 3, kA, 1}},
    {"cublasRotEx",
     {kHandle, 3, kA, kType, 1, kB, kType, 2, kAlpha, kBeta, kReal, kType},
     {"mublasSrot", "mublasDrot", "mublasCsrot", "mublasZdrot"},
     {kHandle, 3, kA, 1, kB, 2, kAlpha, kBeta}},
    {"cublasRotmEx",
     {kHandle, 3, kA, kType, 1, kB, kType, 2, kC, kType, kType},
     {"mublasSrotm", "mublasDrotm", nullptr, nullptr},
     {kHandle, 3, kA, 1, kB, 2, kC}},
    {"cublasRotgEx",
     {kHandle, kA, kB, kType, kC, kAlpha, kType, kType},
     {"mublasSrotg", "mublasDrotg", nullptr, nullptr},
     {kHandle, kA, kB, kC, kAlpha}},
    {"cublasRotmgEx",
     {kHandle, kA, kType, kB, kType, kC, kType, kAlpha, kType, kBeta, kType, kType},
     {"mublasSrotmg", "mublasDrotmg", nullptr, nullptr},
     {kHandle, kA, kB, kC, kAlpha, kBeta}},
};

std::vector<std::uint64_t> with_types(const std::vector<std::uint64_t>& passed, std::uint64_t type,
                                      std::uint64_t real) {
  std::vector<std::uint64_t> out = passed;
  for (std::uint64_t& word : out) {
    if (word == kType) word = type;
    if (word == kReal) word = real;
  }
  return out;
}

std::string typed() {
  Session session;
  constexpr std::uint64_t kTypes[] = {0, 1, 4, 5}, kReals[] = {0, 1, 0, 1};
  for (const Typed& function : kTyped) {
    const std::string plain = function.name;
    const bool has_wide = plain != "cublasRotgEx" && plain != "cublasRotmgEx";
    for (const std::string& name : {plain, has_wide ? plain + "_64" : plain}) {
      for (std::size_t i = 0; i < 4; ++i) {
        const int status = session.call(name, with_types(function.passed, kTypes[i], kReals[i]));
        if (function.musa[i]) {
          session.expect_calls(name, 1);
          session.received(0, function.musa[i], function.received);
        } else {
          session.expect(name + " of complex numbers", 15, status);
          session.expect_calls(name + " of complex numbers", 0);
        }
      }
      // Half precision, a number that is not a type, and types that differ from each other.
      std::vector<std::vector<std::uint64_t>> refused = {with_types(function.passed, 2, 2),
                                                         with_types(function.passed, 77, 77)};
      for (std::size_t i = 0; i < function.passed.size(); ++i) {
        if (function.passed[i] < kReal || plain.starts_with("cublasIa")) continue;
        refused.push_back(with_types(function.passed, 0, 0));
        refused.back()[i] = 1;
      }
      for (const auto& words : refused) {
        session.expect(name + " refuses", 15, session.call(name, words));
        session.expect_calls(name + " refuses", 0);
      }
    }
  }
  return session.findings();
}

TEST(CublasForms, TypesAsArguments) { EXPECT_EQ(in_child(typed), ""); }

std::string groups() {
  Session session;
  const int transa[] = {0, 1, 2}, transb[] = {1, 0, 0};
  const int m[] = {2, 3, 4}, n[] = {5, 6, 7}, k[] = {8, 9, 10};
  const int lda[] = {11, 12, 13}, ldb[] = {14, 15, 16}, ldc[] = {17, 18, 19}, sizes[] = {3, 0, 2};
  const float alpha[] = {1, 2, 3}, beta[] = {4, 5, 6};
  const auto words = [&] {
    return std::vector<std::uint64_t>{kHandle,
                                      address(transa),
                                      address(transb),
                                      address(m),
                                      address(n),
                                      address(k),
                                      address(alpha),
                                      kA,
                                      address(lda),
                                      kB,
                                      address(ldb),
                                      address(beta),
                                      kC,
                                      address(ldc),
                                      3,
                                      address(sizes)};
  };
  recording_answer("mublasSgemmBatched", 0);
  session.expect("groups", 0, session.call("cublasSgemmGroupedBatched", words()));
  session.expect_calls("groups", 2);
  session.received(
      0, "mublasSgemmBatched",
      {kHandle, 111, 112, 2, 5, 8, address(alpha), kA, 11, kB, 14, address(beta), kC, 17, 3});
  // The second group has no products. The third follows the first: three pointers further on.
  session.received(1, "mublasSgemmBatched",
                   {kHandle, 113, 111, 4, 7, 10, address(alpha + 2), kA + 24, 13, kB + 24, 16,
                    address(beta + 2), kC + 24, 19, 2});
  const auto refused = [&](const std::string& what, std::size_t index, std::uint64_t value,
                           int expected) {
    std::vector<std::uint64_t> changed = words();
    changed[index] = value;
    session.expect(what, expected, session.call("cublasSgemmGroupedBatched", changed));
    session.expect_calls(what, 0);
  };
  const int strange[] = {0, 1, 111}, negative[] = {2, 3, -1}, small[] = {11, 12, 9};
  refused("an operation that is none", 1, address(strange), 7);
  refused("a size below zero", 3, address(negative), 7);
  refused("a leading dimension too small", 8, address(small), 7);
  for (const std::size_t array : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15}) {
    refused("no array " + std::to_string(array), array, 0, 7);
  }
  refused("groups below zero", 14, static_cast<std::uint32_t>(-1), 7);
  refused("no groups", 14, 0, 0);
  Session::set_pointer_mode(1);
  refused("scalars in device memory", 14, 3, 15);
  Session::set_pointer_mode(0);
  // A group that MUSA refuses ends the call.
  recording_answer("mublasSgemmBatched", 4);
  session.expect("a group that fails", kFailed, session.call("cublasSgemmGroupedBatched", words()));
  session.expect_calls("a group that fails", 1);
  return session.findings();
}

TEST(CublasForms, GroupsOfShapes) { EXPECT_EQ(in_child(groups), ""); }

std::string wide_groups() {
  Session session;
  const int transa[] = {0, 1}, transb[] = {1, 0};
  const std::int64_t ones[] = {1, 1}, ld[] = {3, 4};
  const std::int64_t wide[] = {1, std::int64_t{1} << 32};
  const std::uint16_t alpha[] = {1, 2}, beta[] = {3, 4};
  std::vector<std::uint64_t> words = {kHandle,
                                      address(transa),
                                      address(transb),
                                      address(ones),
                                      address(ones),
                                      address(ones),
                                      address(alpha),
                                      kA,
                                      2,
                                      address(ld),
                                      kB,
                                      2,
                                      address(ld),
                                      address(beta),
                                      kC,
                                      2,
                                      address(ld),
                                      2,
                                      address(ones),
                                      64};
  recording_answer(kGemmBatchedEx, 0);
  // CUBLAS_COMPUTE_16F is 64: the scalars have two bytes each.
  session.expect("halves", 0, session.call("cublasGemmGroupedBatchedEx_64", words));
  session.expect_calls("halves", 2);
  session.received(1, kGemmBatchedEx, {kHandle, 112, 111, 1,      1,  1, address(alpha) + 2,
                                       kA + 8,  2,   4,   kB + 8, 2,  4, address(beta) + 2,
                                       kC + 8,  2,   4,   1,      64, 0});
  words[3] = address(wide);
  session.expect("2^32 rows in the last group", 7,
                 session.call("cublasGemmGroupedBatchedEx_64", words));
  session.expect_calls("2^32 rows in the last group", 0);
  words[3] = address(ones);
  words[19] = 63;
  session.expect("a type of computation that is none", 7,
                 session.call("cublasGemmGroupedBatchedEx_64", words));
  session.expect_calls("a type of computation that is none", 0);
  return session.findings();
}

TEST(CublasForms, GroupsOfShapesOf64Bits) { EXPECT_EQ(in_child(wide_groups), ""); }

std::string transfers() {
  Session session;
  for (const std::string direction : {"Set", "Get"}) {
    for (const std::string suffix : {"", "_64"}) {
      const std::string vector = "cublas" + direction + "Vector" + suffix;
      const std::string vector_musa = "mublas" + direction + "VectorAsync";
      recording_answer(vector_musa.c_str(), 0);
      recording_answer("musaStreamSynchronize", 0);
      session.expect(vector, 0, session.call(vector, {3, 4, kA, 1, kB, 2}));
      session.received(0, vector_musa, {3, 4, kA, 1, kB, 2, 0});
      session.received(1, "musaStreamSynchronize", {0});
      session.expect_calls(vector, 2);
      recording_answer("musaStreamSynchronize", 700);
      session.expect(vector + ", bad wait", 11, session.call(vector, {3, 4, kA, 1, kB, 2}));
      recording_answer(vector_musa.c_str(), 3);
      session.expect(vector + ", bad copy", kFailed, session.call(vector, {3, 4, kA, 1, kB, 2}));
      session.expect_calls(vector + ", bad copy", 1);
      const std::string matrix = "cublas" + direction + "Matrix" + suffix;
      const std::string matrix_musa = "mublas" + direction + "MatrixAsync";
      recording_answer(matrix_musa.c_str(), 0);
      recording_answer("musaStreamSynchronize", 0);
      session.expect(matrix, 0, session.call(matrix, {3, 4, 8, kA, 5, kB, 6}));
      session.received(0, matrix_musa, {3, 4, 8, kA, 5, kB, 6, 0});
      session.received(1, "musaStreamSynchronize", {0});
    }
  }
  session.expect("2^32 elements", 7,
                 session.call("cublasSetVector_64", {std::uint64_t{1} << 32, 4, kA, 1, kB, 2}));
  session.expect_calls("2^32 elements", 0);
  return session.findings();
}

TEST(CublasForms, TransfersThatWait) { EXPECT_EQ(in_child(transfers), ""); }

std::string solves() {
  Session session;
  for (const std::string letter : {"S", "D", "C", "Z"}) {
    const std::string cuda = "cublas" + letter + "getrsBatched";
    const std::string solve = "mublas" + letter + "trsmBatched";
    int info = -77;
    recording_answer(solve.c_str(), 0);
    session.expect(cuda, 0,
                   session.call(cuda, {kHandle, 0, 3, 2, kA, 5, 0, kB, 6, address(&info), 4}));
    session.expect(cuda + " info", 0, info);
    // Without pivots: the unit lower triangle, then the upper one.
    session.expect_calls(cuda, 2);
    session.received(0, solve, {kHandle, 141, 122, 111, 132, 3, 2, kAny, kA, 5, kB, 6, 4});
    session.received(1, solve, {kHandle, 141, 121, 111, 131, 3, 2, kAny, kA, 5, kB, 6, 4});
    session.call(cuda, {kHandle, 2, 3, 2, kA, 5, 0, kB, 6, address(&info), 4});
    session.received(0, solve, {kHandle, 141, 121, 113, 131, 3, 2, kAny, kA, 5, kB, 6, 4});
    session.received(1, solve, {kHandle, 141, 122, 113, 132, 3, 2, kAny, kA, 5, kB, 6, 4});
    // alpha lies in host memory, whatever the program said of its own.
    Session::set_pointer_mode(1);
    recording_answer("mublasSetPointerMode", 0);
    session.call(cuda, {kHandle, 0, 3, 2, kA, 5, 0, kB, 6, address(&info), 4});
    session.received(0, "mublasSetPointerMode", {kHandle, 0});
    session.received(3, "mublasSetPointerMode", {kHandle, 1});
    session.expect_calls(cuda + " with scalars on the device", 4);
    Session::set_pointer_mode(0);
    recording_answer(solve.c_str(), 4);
    session.expect(cuda + " fails", kFailed,
                   session.call(cuda, {kHandle, 0, 3, 2, kA, 5, 0, kB, 6, address(&info), 4}));
    session.expect_calls(cuda + " fails", 1);
  }
  return session.findings();
}

TEST(CublasForms, SolvesInTwoTriangles) { EXPECT_EQ(in_child(solves), ""); }

// Pivots that lie outside the matrix, as after a failed factorisation, exchange nothing.
std::string pivots() {
  Session session;
  constexpr std::uint64_t kPivots = 0x9000, kSpare = 0xa000;
  const std::uint64_t matrices[] = {kB};
  int info = -77;
  for (const char* function :
       {"musaStreamIsCapturing", "musaMalloc", "musaMemcpyAsync", "musaStreamSynchronize",
        "musaFree", "mublasScopy", "mublasStrsmBatched"}) {
    recording_answer(function, 0);
  }
  const int idle = 0, active = 1;
  recording_write("musaStreamIsCapturing", 1, &idle, sizeof idle);
  recording_write("musaMalloc", 0, &kSpare, sizeof kSpare);
  // Both copies write this: the address of the only matrix, whose lower half is read as a pivot.
  recording_write("musaMemcpyAsync", 0, matrices, sizeof matrices);
  const Words words = {kHandle, 0, 2, 2, kA, 5, kPivots, kB, 6, address(&info), 1};
  session.expect("a pivot outside the matrix", 7, session.call("cublasSgetrsBatched", words));
  session.received(0, "musaStreamIsCapturing", {kStream});
  session.received(1, "musaMalloc", {kAny, 8});
  session.received(2, "musaMemcpyAsync", {kAny, kB, 8, 2, kStream});
  session.received(3, "musaMemcpyAsync", {kAny, kPivots, 8, 2, kStream});
  session.received(4, "musaStreamSynchronize", {kStream});
  session.received(5, "musaFree", {kSpare});
  session.expect_calls("a pivot outside the matrix", 6);
  recording_answer("musaMemcpyAsync", 700);
  session.expect("a bad copy", 13, session.call("cublasSgetrsBatched", words));
  recording_answer("musaMalloc", 2);
  session.expect("no memory", 3, session.call("cublasSgetrsBatched", words));
  recording_write("musaStreamIsCapturing", 1, &active, sizeof active);
  session.expect("in a capture", 15, session.call("cublasSgetrsBatched", words));
  session.expect_calls("in a capture", 1);
  return session.findings();
}

TEST(CublasForms, PivotsAreReadFirst) { EXPECT_EQ(in_child(pivots), ""); }

std::string tiles() {
  Session session;
  constexpr std::uint64_t kTile = 0x9000;
  const int device = 0;
  for (const char* function : {"musaGetDevice", "mublasCreate", "mublasDestroy", "musaMalloc",
                               "musaFree", "musaMemcpy2D", "mublasSgemm"}) {
    recording_answer(function, 0);
  }
  recording_write("musaGetDevice", 0, &device, sizeof device);
  recording_write("mublasCreate", 0, &kHandle, sizeof kHandle);
  recording_write("musaMalloc", 0, &kTile, sizeof kTile);
  std::uint64_t xt = 0;
  const int devices[] = {0};
  const float alpha = 2, beta = 0, other_beta = 3;
  session.expect("handle", 0, session.call("cublasXtCreate", {address(&xt)}));
  session.expect("device", 0, session.call("cublasXtDeviceSelect", {xt, 1, address(devices)}));
  session.expect("block", 0, session.call("cublasXtSetBlockDim", {xt, 2}));
  // 2 x 3 times the transpose of 2 x 3: two products of depth 2 and 1 make the only tile.
  const Words words = {xt, 0, 1, 2, 2, 3, address(&alpha), kA, 5, kB, 6, address(&beta), kC, 7};
  session.expect("product", 0, session.call("cublasXtSgemm", words));
  session.received(0, "musaGetDevice", {});
  for (std::size_t i = 1; i <= 3; ++i) session.received(i, "musaMalloc", {kAny, 16});
  session.received(4, "musaMemcpy2D", {kTile, 8, kA, 20, 8, 2, 4});
  session.received(5, "musaMemcpy2D", {kTile, 8, kB, 24, 8, 2, 4});
  session.received(
      6, "mublasSgemm",
      {kHandle, 111, 112, 2, 2, 2, address(&alpha), kTile, 2, kTile, 2, address(&beta), kTile, 2});
  session.received(7, "musaMemcpy2D", {kTile, 8, kA + 40, 20, 8, 1, 4});
  session.received(8, "musaMemcpy2D", {kTile, 8, kB + 48, 24, 8, 1, 4});
  session.received(
      9, "mublasSgemm",
      {kHandle, 111, 112, 2, 2, 1, address(&alpha), kTile, 2, kTile, 2, kAny, kTile, 2});
  session.received(10, "musaMemcpy2D", {kC, 28, kTile, 8, 8, 2, 4});
  for (std::size_t i = 11; i <= 13; ++i) session.received(i, "musaFree", {kTile});
  session.expect_calls("product", 14);
  // A result that is added to is copied first.
  Words adding = words;
  adding[11] = address(&other_beta);
  session.call("cublasXtSgemm", adding);
  session.received(4, "musaMemcpy2D", {kTile, 8, kC, 28, 8, 2, 4});
  session.expect_calls("sum", 15);
  // What fails ends the product and frees the tiles.
  recording_answer("mublasSgemm", 4);
  session.expect("a bad product", kFailed, session.call("cublasXtSgemm", words));
  session.expect_calls("a bad product", 10);
  recording_answer("musaMemcpy2D", 1);
  session.expect("a bad copy", 13, session.call("cublasXtSgemm", words));
  session.expect_calls("a bad copy", 8);
  recording_answer("musaMalloc", 2);
  session.expect("no memory", 3, session.call("cublasXtSgemm", words));
  session.expect("end", 0, session.call("cublasXtDestroy", {xt}));
  session.received(1, "mublasDestroy", {kHandle});
  return session.findings();
}

// One copy for each column, between the places that LAPACK documents for packed storage.
std::string packed() {
  Session session;
  const std::pair<std::string, std::uint64_t> types[] = {{"S", 4}, {"D", 8}, {"C", 8}, {"Z", 16}};
  for (const auto& [letter, bytes] : types) {
    const std::string copy = "mublas" + letter + "copy";
    const std::string unpack = "cublas" + letter + "tpttr", pack = "cublas" + letter + "trttp";
    recording_answer(copy.c_str(), 0);
    // The lower triangle (0) of order 3, with a leading dimension of 5.
    session.expect(unpack, 0, session.call(unpack, {kHandle, 0, 3, kA, kB, 5}));
    session.expect_calls(unpack, 3);
    session.received(0, copy, {kHandle, 3, kA, 1, kB, 1});
    session.received(1, copy, {kHandle, 2, kA + 3 * bytes, 1, kB + 6 * bytes, 1});
    session.received(2, copy, {kHandle, 1, kA + 5 * bytes, 1, kB + 12 * bytes, 1});
    // The upper one.
    session.expect(pack, 0, session.call(pack, {kHandle, 1, 3, kA, 5, kB}));
    session.expect_calls(pack, 3);
    session.received(0, copy, {kHandle, 1, kA, 1, kB, 1});
    session.received(1, copy, {kHandle, 2, kA + 5 * bytes, 1, kB + 1 * bytes, 1});
    session.received(2, copy, {kHandle, 3, kA + 10 * bytes, 1, kB + 3 * bytes, 1});
    recording_answer(copy.c_str(), 4);
    session.expect(pack + " fails", kFailed, session.call(pack, {kHandle, 1, 3, kA, 5, kB}));
    session.expect_calls(pack + " fails", 1);
  }
  return session.findings();
}

TEST(CublasForms, PackedStorage) { EXPECT_EQ(in_child(packed), ""); }

// A triangular solve in two tiles: the last tile first, then the product, then the first tile. Then
// an update, whose tiles on the diagonal are stored column by column.
std::string triangles_in_tiles() {
  Session session;
  constexpr std::uint64_t kTile = 0x9000;
  const int device = 0;
  for (const char* function :
       {"musaGetDevice", "mublasCreate", "mublasDestroy", "musaMalloc", "musaFree", "musaMemcpy2D",
        "mublasDgemm", "mublasDtrsm", "mublasCgemm", "mublasCherk"}) {
    recording_answer(function, 0);
  }
  recording_write("musaGetDevice", 0, &device, sizeof device);
  recording_write("mublasCreate", 0, &kHandle, sizeof kHandle);
  recording_write("musaMalloc", 0, &kTile, sizeof kTile);
  std::uint64_t xt = 0;
  const int devices[] = {0};
  session.expect("handle", 0, session.call("cublasXtCreate", {address(&xt)}));
  session.expect("device", 0, session.call("cublasXtDeviceSelect", {xt, 1, address(devices)}));
  session.expect("block", 0, session.call("cublasXtSetBlockDim", {xt, 2}));
  // From the left with the upper triangle (1) of order 3, and 2 columns.
  const double alpha = 2;
  session.expect(
      "solve", 0,
      session.call("cublasXtDtrsm", {xt, 0, 1, 0, 0, 3, 2, address(&alpha), kA, 5, kB, 4}));
  session.received(4, "musaMemcpy2D", {kTile, 8, kB + 16, 32, 8, 2, 4});
  session.received(5, "musaMemcpy2D", {kTile, 8, kA + 96, 40, 8, 1, 4});
  session.received(6, "mublasDtrsm",
                   {kHandle, 141, 121, 111, 131, 1, 2, address(&alpha), kTile, 1, kTile, 1});
  session.received(7, "musaMemcpy2D", {kB + 16, 32, kTile, 8, 8, 2, 4});
  session.received(8, "musaMemcpy2D", {kTile, 16, kB, 32, 16, 2, 4});
  session.received(9, "musaMemcpy2D", {kTile, 16, kA + 80, 40, 16, 1, 4});
  session.received(10, "musaMemcpy2D", {kTile, 8, kB + 16, 32, 8, 2, 4});
  session.received(
      11, "mublasDgemm",
      {kHandle, 111, 111, 2, 2, 1, kAny, kTile, 2, kTile, 1, address(&alpha), kTile, 2});
  session.received(12, "musaMemcpy2D", {kTile, 16, kA, 40, 16, 2, 4});
  session.received(13, "mublasDtrsm",
                   {kHandle, 141, 121, 111, 131, 2, 2, kAny, kTile, 2, kTile, 2});
  session.received(14, "musaMemcpy2D", {kB, 32, kTile, 16, 16, 2, 4});
  session.expect_calls("solve", 18);
  recording_answer("mublasDgemm", 4);
  session.expect(
      "a bad product", kFailed,
      session.call("cublasXtDtrsm", {xt, 0, 1, 0, 0, 3, 2, address(&alpha), kA, 5, kB, 4}));
  session.expect_calls("a bad product", 15);
  // The lower triangle (0) of order 3 plus 3 x 1 times its conjugate transpose, over what was
  // there.
  const float scale = 2, nothing = 0;
  session.expect("update", 0,
                 session.call("cublasXtCherk",
                              {xt, 0, 0, 3, 1, address(&scale), kA, 3, address(&nothing), kC, 4}));
  session.received(4, "musaMemcpy2D", {kTile, 16, kA, 24, 16, 1, 4});
  session.received(
      5, "mublasCherk",
      {kHandle, 122, 111, 2, 1, address(&scale), kTile, 2, address(&nothing), kTile, 2});
  session.received(6, "musaMemcpy2D", {kC, 32, kTile, 16, 16, 1, 4});
  session.received(7, "musaMemcpy2D", {kC + 40, 32, kTile + 24, 8, 8, 1, 4});
  session.received(8, "musaMemcpy2D", {kTile, 8, kA + 16, 24, 8, 1, 4});
  session.received(9, "musaMemcpy2D", {kTile, 16, kA, 24, 16, 1, 4});
  session.received(10, "mublasCgemm",
                   {kHandle, 111, 113, 1, 2, 1, kAny, kTile, 1, kTile, 2, kAny, kTile, 1});
  session.received(11, "musaMemcpy2D", {kC + 16, 32, kTile, 8, 8, 2, 4});
  session.received(
      13, "mublasCherk",
      {kHandle, 122, 111, 1, 1, address(&scale), kTile, 1, address(&nothing), kTile, 1});
  session.received(14, "musaMemcpy2D", {kC + 80, 32, kTile, 8, 8, 1, 4});
  session.expect_calls("update", 18);
  session.expect("end", 0, session.call("cublasXtDestroy", {xt}));
  return session.findings();
}

TEST(CublasForms, TrianglesInTiles) { EXPECT_EQ(in_child(triangles_in_tiles), ""); }

// What goes to MUSA for one matrix: the addresses, the matrix without the gaps, and back.
std::string factors() {
  Session session;
  // Every copy writes the address of the matrix.
  const std::uint64_t matrices[] = {kA};
  std::uint64_t pivots[1] = {}, info[1] = {};
  const int idle = 0, active = 1;
  for (const char* function :
       {"musaStreamIsCapturing", "musaMemcpyAsync", "musaMemcpy2DAsync", "musaStreamSynchronize"}) {
    recording_answer(function, 0);
  }
  recording_write("musaStreamIsCapturing", 1, &idle, sizeof idle);
  recording_write("musaMemcpyAsync", 0, matrices, sizeof matrices);
  const Words words = {kHandle, 2, kB, 5, address(pivots), address(info), 1};
  session.expect("factors", 0, session.call("cublasDgetrfBatched", words));
  session.received(0, "musaStreamIsCapturing", {kStream});
  session.received(1, "musaMemcpyAsync", {kAny, kB, 8, 2, kStream});
  session.received(3, "musaStreamSynchronize", {kStream});
  session.received(4, "musaMemcpy2DAsync", {kAny, 16, kA, 40, 16, 2, 2, kStream});
  session.received(5, "musaStreamSynchronize", {kStream});
  session.received(6, "musaMemcpy2DAsync", {kA, 40, kAny, 16, 16, 2, 1, kStream});
  session.received(8, "musaMemcpyAsync", {address(info), kAny, 4, 1, kStream});
  session.received(10, "musaMemcpyAsync", {address(pivots), kAny, 8, 1, kStream});
  session.expect_calls("factors", 12);
  recording_answer("musaMemcpy2DAsync", 1);
  session.expect("a bad copy", 13, session.call("cublasDgetrfBatched", words));
  recording_answer("musaMemcpy2DAsync", 0);
  recording_write("musaStreamIsCapturing", 1, &active, sizeof active);
  session.expect("in a capture", 15, session.call("cublasDgetrfBatched", words));
  session.expect_calls("in a capture", 1);
  // Pivots that lie outside the matrix exchange nothing; here they are read from the addresses.
  recording_write("musaStreamIsCapturing", 1, &idle, sizeof idle);
  session.expect("bad pivots", 7,
                 session.call("cublasDgetriBatched",
                              {kHandle, 2, kB, 5, address(pivots), kC, 5, address(info), 1}));
  return session.findings();
}

TEST(CublasForms, FactorsOnTheHost) { EXPECT_EQ(in_child(factors), ""); }

TEST(CublasForms, ProductsInTiles) { EXPECT_EQ(in_child(tiles), ""); }

}  // namespace
}  // namespace recording
