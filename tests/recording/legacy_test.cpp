// The old interface of cuBLAS (no handle, letters, scalars by value, returned results) against the
// recording backend. Which letters a function takes, and their MUSA numbers, is written by hand
// from the public evidence, and for the letters from the reference BLAS.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <latch>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/recording/application.h"
#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/cuda_libraries.h"
#include "tests/recording/decisions.h"
#include "tests/recording/witness.h"

namespace recording {
namespace {

constexpr std::size_t kLegacyFunctions = 150;
constexpr std::uint64_t kHandle = 0x7a5d1e00;

struct Complex {
  float x, y;
};
struct alignas(16) DoubleComplex {
  double x, y;
};

class Library {
 public:
  explicit Library(const CudaLibrary& replacement)
      : application_(std::string(REPLACEMENT_FOLDER "/") + replacement.file, MUSA_ROOT) {
    const std::string path = std::string(REPLACEMENT_FOLDER "/") + replacement.file;
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const int device = 0;
    recording_answer("musaGetDevice", 0);
    recording_write("musaGetDevice", 0, &device, sizeof device);
    recording_answer("mublasCreate", 0);
    recording_write("mublasCreate", 0, &kHandle, sizeof kHandle);
  }

  template <typename Function>
  Function* find(const std::string& name) const {
    announce(name);
    recording_reset();
    return reinterpret_cast<Function*>(dlsym(handle_, name.c_str()));
  }

  // Calls `name` with these words as its integers and pointers.
  void call(const std::string& name, const std::vector<std::uint64_t>& words) const {
    void* address = find<void>(name);
    Invocation invocation{};
    recording_arguments& arguments = invocation.exchange.arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
      (i < 6 ? arguments.integers[i] : arguments.stack[i - 6]) = words[i];
    }
    if (address) recording_invoke(address, &invocation);
  }

  // Reads the error, which clears it.
  int error() const {
    const auto get = reinterpret_cast<int (*)()>(dlsym(handle_, "cublasGetError"));
    return get();
  }

 private:
  Application application_;
  void* handle_ = nullptr;
};

std::uint64_t received(const recording_call& call, std::size_t index) {
  const recording_arguments& arguments = call.exchange.arguments;
  return index < 6 ? arguments.integers[index] : arguments.stack[index - 6];
}

// What the backend got, without the replacement library's own queries.
std::vector<recording_call> calls_of_muBLAS() {
  std::vector<recording_call> out;
  for (std::size_t i = 0; i < recording_count(); ++i) {
    const recording_call call = recording_get(i);
    const std::string name = call.name;
    if (!call.version_probe && name != "musaGetDevice" && name != "mublasCreate" &&
        name != "musaPeekAtLastError") {
      out.push_back(call);
    }
  }
  return out;
}

// The function's letters: operation (o), triangle (t), side (s), diagonal (d).
std::string letters_of(const std::string& name) {
  static const std::vector<std::pair<const char*, const char*>> kFamilies = {
      {"gemm", "oo"},  {"symm", "st"},  {"hemm", "st"},   {"syrk", "to"},   {"herk", "to"},
      {"syr2k", "to"}, {"her2k", "to"}, {"trmm", "stod"}, {"trsm", "stod"}, {"gemv", "o"},
      {"gbmv", "o"},   {"trmv", "tod"}, {"trsv", "tod"},  {"tbmv", "tod"},  {"tbsv", "tod"},
      {"tpmv", "tod"}, {"tpsv", "tod"}, {"hemv", "t"},    {"hbmv", "t"},    {"hpmv", "t"},
      {"symv", "t"},   {"sbmv", "t"},   {"spmv", "t"},    {"syr", "t"},     {"her", "t"},
      {"spr", "t"},    {"hpr", "t"},    {"syr2", "t"},    {"her2", "t"},    {"spr2", "t"},
      {"hpr2", "t"}};
  for (const auto& [family, letters] : kFamilies) {
    if (name.ends_with(family)) return letters;
  }
  return "";
}

struct Letter {
  char letter;
  std::uint64_t musa;
};

const std::vector<Letter>& meanings(char kind) {
  static const std::vector<Letter> kOperation = {{'N', 111}, {'T', 112}, {'C', 113},
                                                 {'n', 111}, {'t', 112}, {'c', 113}};
  static const std::vector<Letter> kTriangle = {{'U', 121}, {'L', 122}, {'u', 121}, {'l', 122}};
  static const std::vector<Letter> kDiagonal = {{'N', 131}, {'U', 132}, {'n', 131}, {'u', 132}};
  static const std::vector<Letter> kSide = {{'L', 141}, {'R', 142}, {'l', 141}, {'r', 142}};
  switch (kind) {
    case 'o':
      return kOperation;
    case 't':
      return kTriangle;
    case 'd':
      return kDiagonal;
    default:
      return kSide;
  }
}

// Exports that lead to another export and take no handle.
std::vector<Decision> legacy_functions(const CudaLibrary& replacement) {
  std::vector<Decision> out;
  for (const Decision& decision : read_decisions(DECISIONS_FILE, replacement.label)) {
    if (decision.decision == "delegated" && decision.returns != "cublasStatus_t") {
      out.push_back(decision);
    }
  }
  return out;
}

// What a call returns that MUSA fails with a number that is no status, if every integer is 1:
// CUBLAS_STATUS_INTERNAL_ERROR, or CUBLAS_STATUS_INVALID_VALUE where the manual says that this is
// wrong. A matrix with diagonals beside the main one has more than one row in memory, and a
// Hermitian update takes A as it is or its conjugate transpose.
int error_of_ones(const std::string& name, const std::vector<std::uint64_t>& words) {
  const auto is_any = [&](const std::vector<const char*>& families) {
    return std::any_of(families.begin(), families.end(),
                       [&](const char* family) { return name.ends_with(family); });
  };
  const bool transposes = words[1] == 'T' || words[1] == 't';
  const bool is_wrong =
      is_any({"gbmv", "sbmv", "hbmv", "tbmv", "tbsv"}) || (is_any({"herk", "her2k"}) && transposes);
  return is_wrong ? 7 : 14;
}

std::string arrive(const CudaLibrary& replacement) {
  const Library library(replacement);
  std::string complaints;
  for (const Decision& decision : legacy_functions(replacement)) {
    const std::string letters = letters_of(decision.cuda);
    for (std::size_t round = 0; round < 6; ++round) {
      std::vector<std::uint64_t> words(14, 1);
      for (std::size_t i = 0; i < letters.size(); ++i) {
        const auto& known = meanings(letters[i]);
        words[i] = static_cast<unsigned char>(known[round % known.size()].letter);
      }
      library.call(decision.cuda, words);
      const auto calls = calls_of_muBLAS();
      if (calls.size() != 1 || calls[0].name != decision.musa) {
        complaints += decision.cuda + ": " + std::to_string(calls.size()) + " calls instead of " +
                      decision.musa + "\n";
        continue;
      }
      if (received(calls[0], 0) != kHandle) complaints += decision.cuda + ": another handle\n";
      for (std::size_t i = 0; i < letters.size(); ++i) {
        const auto& known = meanings(letters[i]);
        const auto got = static_cast<std::uint32_t>(received(calls[0], i + 1));
        if (got != known[round % known.size()].musa) {
          complaints += decision.cuda + ": letter " + std::to_string(i) + " became " +
                        std::to_string(got) + "\n";
        }
      }
      // Once.
      const int expected = error_of_ones(decision.cuda, words);
      const int first = library.error();
      const int second = library.error();
      if (first != expected || second != 0) {
        complaints += decision.cuda + ": errors " + std::to_string(first) + " and " +
                      std::to_string(second) + " instead of " + std::to_string(expected) +
                      " and 0\n";
      }
    }
  }
  return complaints;
}

std::string strangers_stay_out(const CudaLibrary& replacement) {
  const Library library(replacement);
  std::string complaints;
  std::size_t tried = 0;
  for (const Decision& decision : legacy_functions(replacement)) {
    const std::string letters = letters_of(decision.cuda);
    for (std::size_t bad = 0; bad < letters.size(); ++bad) {
      for (const int stranger : {0, int{'X'}, int{'m'}, 111, 0xff}) {
        bool is_known = false;
        std::vector<std::uint64_t> words(8, 0);
        for (std::size_t i = 0; i < letters.size(); ++i) {
          words[i] = static_cast<unsigned char>(meanings(letters[i])[0].letter);
        }
        for (const Letter& letter : meanings(letters[bad])) is_known |= letter.letter == stranger;
        if (is_known) continue;
        ++tried;
        words[bad] = static_cast<std::uint64_t>(stranger);
        library.call(decision.cuda, words);
        const std::size_t calls = calls_of_muBLAS().size();
        const int error = library.error();
        if (calls != 0 || error != 7) {
          complaints += decision.cuda + ": letter " + std::to_string(stranger) + " made " +
                        std::to_string(calls) + " calls and error " + std::to_string(error) + "\n";
        }
      }
    }
  }
  if (tried < 400) complaints += "only " + std::to_string(tried) + " strange letters tried\n";
  return complaints;
}

class Legacy : public testing::TestWithParam<CudaLibrary> {};

TEST_P(Legacy, AreAsManyAsInTheHeader) {
  EXPECT_EQ(legacy_functions(GetParam()).size(), kLegacyFunctions);
}

TEST_P(Legacy, CallsArriveWithTheirLettersConverted) {
  const std::string report = in_child([] { return arrive(GetParam()); });
  EXPECT_TRUE(report.empty()) << report;
}

TEST_P(Legacy, StrangeLettersStayOut) {
  const std::string report = in_child([] { return strangers_stay_out(GetParam()); });
  EXPECT_TRUE(report.empty()) << report;
}

TEST_P(Legacy, TargetsAreThoseOfTheEvidence) {
  const Witness witness(NAMES_FILE);
  for (const Decision& decision : legacy_functions(GetParam())) {
    EXPECT_EQ(witness.objection(decision.cuda, decision.musa), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Libraries, Legacy, testing::ValuesIn(each_major_of("cublas")), name_of);

// Explicit calls, by C's calling convention, with the types of cublas.h.

constexpr std::uint64_t kA = 0x3000, kB = 0x4000, kC = 0x6000;

void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// Collects differences from what was expected.
class Findings {
 public:
  template <typename A, typename B>
  void equal(const char* what, const A& expected, const B& got) {
    if (expected == got) return;
    std::ostringstream line;
    line << what << ": expected " << expected << ", got " << got << "\n";
    text_ += line.str();
  }
  // Expects one call of muBLAS, with this name and these arguments; kAny is for arguments that the
  // adapter supplies.
  void one_call(const char* name, const std::vector<std::uint64_t>& arguments) {
    const auto calls = calls_of_muBLAS();
    if (calls.size() != 1 || calls[0].name != std::string(name)) {
      text_ += std::string("did not reach ") + name + " alone\n";
      return;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i] == kAny) continue;
      const std::uint64_t got = received(calls[0], i);
      const bool wide = arguments[i] > 0xffffffff;
      equal((std::string(name) + " argument " + std::to_string(i)).c_str(), arguments[i],
            wide ? got : got & 0xffffffff);
    }
  }
  template <typename T>
  void seen(const char* what, unsigned slot, const T& expected) {
    const auto calls = calls_of_muBLAS();
    if (calls.empty() || std::memcmp(calls[0].seen[slot], &expected, sizeof expected) != 0) {
      text_ += std::string(what) + ": another value behind the pointer\n";
    }
  }
  const std::string& text() const { return text_; }

  static constexpr std::uint64_t kAny = ~std::uint64_t{0};

 private:
  std::string text_;
};

constexpr std::uint64_t kAny = Findings::kAny;

std::string matrices() {
  const Library library(cuda_library("cublas-12"));
  Findings found;
  recording_look("mublasSgemm", 0, 6);
  recording_look("mublasSgemm", 1, 11);
  library.find<void(char, char, int, int, int, float, void*, int, void*, int, float, void*, int)>(
      "cublasSgemm")('N', 't', 3, 4, 5, 2.5F, at(kA), 6, at(kB), 7, -0.5F, at(kC), 8);
  found.one_call("mublasSgemm", {kHandle, 111, 112, 3, 4, 5, kAny, kA, 6, kB, 7, kAny, kC, 8});
  found.seen("alpha of cublasSgemm", 0, 2.5F);
  found.seen("beta of cublasSgemm", 1, -0.5F);

  recording_look("mublasDgemm", 0, 6);
  recording_look("mublasDgemm", 1, 11);
  library.find<void(char, char, int, int, int, double, void*, int, void*, int, double, void*, int)>(
      "cublasDgemm")('c', 'N', 3, 4, 5, 1e300, at(kA), 6, at(kB), 7, -3.0, at(kC), 8);
  found.one_call("mublasDgemm", {kHandle, 113, 111, 3, 4, 5, kAny, kA, 6, kB, 7, kAny, kC, 8});
  found.seen("alpha of cublasDgemm", 0, 1e300);
  found.seen("beta of cublasDgemm", 1, -3.0);

  recording_look("mublasCgemm", 0, 6);
  recording_look("mublasCgemm", 1, 11);
  library
      .find<void(char, char, int, int, int, Complex, void*, int, void*, int, Complex, void*, int)>(
          "cublasCgemm")('C', 'T', 3, 4, 5, {1.5F, -2.5F}, at(kA), 6, at(kB), 7, {0.25F, 8.0F},
                         at(kC), 8);
  found.one_call("mublasCgemm", {kHandle, 113, 112, 3, 4, 5, kAny, kA, 6, kB, 7, kAny, kC, 8});
  found.seen("alpha of cublasCgemm", 0, Complex{1.5F, -2.5F});
  found.seen("beta of cublasCgemm", 1, Complex{0.25F, 8.0F});

  recording_look("mublasZgemm", 0, 6);
  recording_look("mublasZgemm", 1, 11);
  library.find<void(char, char, int, int, int, DoubleComplex, void*, int, void*, int, DoubleComplex,
                    void*, int)>("cublasZgemm")('n', 'c', 3, 4, 5, {1e-300, 2.0}, at(kA), 6, at(kB),
                                                7, {3.0, -4.0}, at(kC), 8);
  found.one_call("mublasZgemm", {kHandle, 111, 113, 3, 4, 5, kAny, kA, 6, kB, 7, kAny, kC, 8});
  found.seen("alpha of cublasZgemm", 0, DoubleComplex{1e-300, 2.0});
  found.seen("beta of cublasZgemm", 1, DoubleComplex{3.0, -4.0});

  // B is overwritten: it is both input and output of MUSA's function.
  recording_look("mublasStrmm", 0, 7);
  library.find<void(char, char, char, char, int, int, float, void*, int, void*, int)>(
      "cublasStrmm")('R', 'U', 'T', 'U', 3, 4, 7.0F, at(kA), 5, at(kB), 6);
  found.one_call("mublasStrmm", {kHandle, 142, 121, 112, 132, 3, 4, kAny, kA, 5, kB, 6, kB, 6});
  found.seen("alpha of cublasStrmm", 0, 7.0F);
  library.find<void(char, char, char, char, int, int, DoubleComplex, void*, int, void*, int)>(
      "cublasZtrmm")('l', 'l', 'c', 'n', 3, 4, {1, 2}, at(kA), 5, at(kB), 6);
  found.one_call("mublasZtrmm", {kHandle, 141, 122, 113, 131, 3, 4, kAny, kA, 5, kB, 6, kB, 6});

  recording_look("mublasCtrsm", 0, 7);
  library.find<void(char, char, char, char, int, int, Complex, void*, int, void*, int)>(
      "cublasCtrsm")('L', 'L', 'N', 'N', 3, 4, {9, 10}, at(kA), 5, at(kB), 6);
  found.one_call("mublasCtrsm", {kHandle, 141, 122, 111, 131, 3, 4, kAny, kA, 5, kB, 6});
  found.seen("alpha of cublasCtrsm", 0, Complex{9, 10});

  library.find<void(char, char, int, int, float, void*, int, float, void*, int)>("cublasSsyrk")(
      'U', 'T', 3, 4, 1, at(kA), 5, 2, at(kC), 6);
  found.one_call("mublasSsyrk", {kHandle, 121, 112, 3, 4, kAny, kA, 5, kAny, kC, 6});
  recording_look("mublasCherk", 0, 5);
  library.find<void(char, char, int, int, float, void*, int, float, void*, int)>("cublasCherk")(
      'L', 'C', 3, 4, 1.25F, at(kA), 5, 2, at(kC), 6);
  found.one_call("mublasCherk", {kHandle, 122, 113, 3, 4, kAny, kA, 5, kAny, kC, 6});
  found.seen("alpha of cublasCherk", 0, 1.25F);
  recording_look("mublasCher2k", 0, 5);
  recording_look("mublasCher2k", 1, 10);
  library.find<void(char, char, int, int, Complex, void*, int, void*, int, float, void*, int)>(
      "cublasCher2k")('U', 'N', 3, 4, {5, 6}, at(kA), 5, at(kB), 6, 7.5F, at(kC), 8);
  found.one_call("mublasCher2k", {kHandle, 121, 111, 3, 4, kAny, kA, 5, kB, 6, kAny, kC, 8});
  found.seen("alpha of cublasCher2k", 0, Complex{5, 6});
  found.seen("beta of cublasCher2k", 1, 7.5F);
  library.find<void(char, char, int, int, double, void*, int, void*, int, double, void*, int)>(
      "cublasDsymm")('R', 'L', 3, 4, 1, at(kA), 5, at(kB), 6, 0, at(kC), 8);
  found.one_call("mublasDsymm", {kHandle, 142, 122, 3, 4, kAny, kA, 5, kB, 6, kAny, kC, 8});
  return found.text();
}

TEST(LegacyLiteral, MatricesAndScalarsByValue) { EXPECT_EQ(in_child(matrices), ""); }

std::string vectors() {
  const Library library(cuda_library("cublas-12"));
  Findings found;
  recording_look("mublasDgemv", 0, 4);
  recording_look("mublasDgemv", 1, 9);
  library.find<void(char, int, int, double, void*, int, void*, int, double, void*, int)>(
      "cublasDgemv")('t', 3, 4, 1.5, at(kA), 5, at(kB), 1, 2.5, at(kC), 2);
  found.one_call("mublasDgemv", {kHandle, 112, 3, 4, kAny, kA, 5, kB, 1, kAny, kC, 2});
  found.seen("alpha of cublasDgemv", 0, 1.5);
  found.seen("beta of cublasDgemv", 1, 2.5);
  recording_look("mublasZaxpy", 0, 2);
  library.find<void(int, DoubleComplex, void*, int, void*, int)>("cublasZaxpy")(
      3, {1.5, -1.5}, at(kA), 1, at(kB), 2);
  found.one_call("mublasZaxpy", {kHandle, 3, kAny, kA, 1, kB, 2});
  found.seen("alpha of cublasZaxpy", 0, DoubleComplex{1.5, -1.5});
  recording_look("mublasCsscal", 0, 2);
  library.find<void(int, float, void*, int)>("cublasCsscal")(3, 4.5F, at(kA), -1);
  found.one_call("mublasCsscal", {kHandle, 3, kAny, kA, 0xffffffff});
  found.seen("alpha of cublasCsscal", 0, 4.5F);
  library.find<void(int, void*, int, void*, int)>("cublasScopy")(3, at(kA), 1, at(kB), -2);
  found.one_call("mublasScopy", {kHandle, 3, kA, 1, kB, 0xfffffffe});
  recording_look("mublasCrot", 0, 6);
  recording_look("mublasCrot", 1, 7);
  library.find<void(int, void*, int, void*, int, float, Complex)>("cublasCrot")(
      3, at(kA), 1, at(kB), 2, 0.5F, {0.25F, 0.75F});
  found.one_call("mublasCrot", {kHandle, 3, kA, 1, kB, 2, kAny, kAny});
  found.seen("cosine of cublasCrot", 0, 0.5F);
  found.seen("sine of cublasCrot", 1, Complex{0.25F, 0.75F});
  // The complex form takes b by value and computes the angle on the host.
  recording_look("mublasCrotg", 0, 2);
  library.find<void(void*, Complex, void*, void*)>("cublasCrotg")(at(kA), {3, 4}, at(kB), at(kC));
  found.one_call("mublasCrotg", {kHandle, kA, kAny, kB, kC});
  found.seen("b of cublasCrotg", 0, Complex{3, 4});
  library.find<void(void*, void*, void*, void*)>("cublasSrotg")(at(kA), at(kB), at(kC), at(8));
  found.one_call("mublasSrotg", {kHandle, kA, kB, kC, 8});
  library.find<void(char, char, char, int, void*, int, void*, int)>("cublasStrsv")(
      'L', 'T', 'U', 3, at(kA), 4, at(kB), 5);
  found.one_call("mublasStrsv", {kHandle, 122, 112, 132, 3, kA, 4, kB, 5});
  library.find<void(char, int, Complex, void*, int, void*, int, void*, int)>("cublasCher2")(
      'u', 3, {1, 0}, at(kA), 1, at(kB), 2, at(kC), 4);
  found.one_call("mublasCher2", {kHandle, 121, 3, kAny, kA, 1, kB, 2, kC, 4});
  recording_look("mublasCgeru", 0, 3);
  library.find<void(int, int, Complex, void*, int, void*, int, void*, int)>("cublasCgeru")(
      3, 4, {2, 1}, at(kA), 1, at(kB), 2, at(kC), 5);
  found.one_call("mublasCgeru", {kHandle, 3, 4, kAny, kA, 1, kB, 2, kC, 5});
  found.seen("alpha of cublasCgeru", 0, Complex{2, 1});
  return found.text();
}

TEST(LegacyLiteral, VectorsAndScalarsByValue) { EXPECT_EQ(in_child(vectors), ""); }

// What MUSA stores is what the function returns.
std::string results() {
  const Library library(cuda_library("cublas-12"));
  Findings found;
  const auto answer = [](const char* name, unsigned argument, const auto& value) {
    recording_answer(name, 0);
    recording_write(name, argument, &value, sizeof value);
  };
  answer("mublasSdot", 6, 1.5F);
  found.equal(
      "cublasSdot", 1.5F,
      library.find<float(int, void*, int, void*, int)>("cublasSdot")(3, at(kA), 1, at(kB), 2));
  found.one_call("mublasSdot", {kHandle, 3, kA, 1, kB, 2});
  answer("mublasDznrm2", 4, -2.25);
  found.equal("cublasDznrm2", -2.25,
              library.find<double(int, void*, int)>("cublasDznrm2")(3, at(kA), 1));
  found.one_call("mublasDznrm2", {kHandle, 3, kA, 1});
  answer("mublasCdotc", 6, (Complex{1.25F, -7.0F}));
  const Complex narrow =
      library.find<Complex(int, void*, int, void*, int)>("cublasCdotc")(3, at(kA), 1, at(kB), 2);
  found.equal("cublasCdotc, real", 1.25F, narrow.x);
  found.equal("cublasCdotc, imaginary", -7.0F, narrow.y);
  answer("mublasZdotu", 6, (DoubleComplex{1e200, -3.0}));
  const DoubleComplex wide = library.find<DoubleComplex(int, void*, int, void*, int)>(
      "cublasZdotu")(3, at(kA), 1, at(kB), 2);
  found.equal("cublasZdotu, real", 1e200, wide.x);
  found.equal("cublasZdotu, imaginary", -3.0, wide.y);
  answer("mublasIsamax", 4, 41);
  found.equal("cublasIsamax", 41, library.find<int(int, void*, int)>("cublasIsamax")(3, at(kA), 1));
  found.equal("no error", 0, library.error());
  // After an error the result is zero, whatever MUSA stored, and the error stays until it is read.
  recording_answer("mublasSdot", 11);
  found.equal(
      "failed cublasSdot", 0.0F,
      library.find<float(int, void*, int, void*, int)>("cublasSdot")(3, at(kA), 1, at(kB), 2));
  library.find<int(int, void*, int)>("cublasIsamax")(3, at(kA), 1);
  // No public source explains the 11, so it is CUBLAS_STATUS_INTERNAL_ERROR.
  found.equal("error after a success", 14, library.error());
  found.equal("error once read", 0, library.error());
  return found.text();
}

TEST(LegacyLiteral, ResultsAreReturned) { EXPECT_EQ(in_child(results), ""); }

std::string lifetime() {
  const Library library(cuda_library("cublas-12"));
  Findings found;
  using Plain = int();
  recording_answer("mublasDestroy", 0);
  recording_answer("mublasSetStream", 0);
  const auto count = [](const std::string& name) {
    int out = 0;
    for (std::size_t i = 0; i < recording_count(); ++i) out += recording_get(i).name == name;
    return out;
  };
  found.equal("cublasInit", 0, library.find<Plain>("cublasInit")());
  found.equal("handles made", 1, count("mublasCreate"));
  found.equal("cublasInit again", 0, library.find<Plain>("cublasInit")());
  found.equal("handles made again", 0, count("mublasCreate"));
  found.equal("cublasSetKernelStream", 0,
              library.find<int(void*)>("cublasSetKernelStream")(at(0x55)));
  found.one_call("mublasSetStream", {kHandle, 0x55});
  // Another device has its own handle.
  const int device = 3;
  recording_write("musaGetDevice", 0, &device, sizeof device);
  found.equal("cublasInit of device 3", 0, library.find<Plain>("cublasInit")());
  found.equal("handles made for it", 1, count("mublasCreate"));
  found.equal("cublasShutdown", 0, library.find<Plain>("cublasShutdown")());
  found.one_call("mublasDestroy", {kHandle});
  found.equal("cublasShutdown again", 0, library.find<Plain>("cublasShutdown")());
  found.equal("handles destroyed again", 0, count("mublasDestroy"));
  const int many = 64;
  recording_write("musaGetDevice", 0, &many, sizeof many);
  found.equal("a device beyond the table", 1, library.find<Plain>("cublasInit")());
  return found.text();
}

TEST(LegacyLiteral, OneHandleForEachDevice) { EXPECT_EQ(in_child(lifetime), ""); }

// Threads that race to be first create one handle, which all of them use.
std::string race() {
  const Library library(cuda_library("cublas-12"));
  Findings found;
  recording_answer("mublasDestroy", 0);
  recording_answer("mublasSasum", 0);
  const auto asum = library.find<float(int, void*, int)>("cublasSasum");
  constexpr int kThreads = 8;
  std::latch start(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      start.arrive_and_wait();
      asum(3, at(kA), 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  int made = 0, destroyed = 0, used = 0;
  for (std::size_t i = 0; i < recording_count(); ++i) {
    const recording_call call = recording_get(i);
    made += call.name == std::string("mublasCreate");
    destroyed += call.name == std::string("mublasDestroy");
    used += call.name == std::string("mublasSasum") && received(call, 0) == kHandle;
  }
  found.equal("handles left", 1, made - destroyed);
  found.equal("calls with a handle", kThreads, used);
  found.equal("error", 0, library.error());
  return found.text();
}

TEST(LegacyLiteral, RacingThreadsShareOneHandle) { EXPECT_EQ(in_child(race), ""); }

std::string memory() {
  const Library library(cuda_library("cublas-12"));
  Findings found;
  recording_answer("musaMalloc", 0);
  const std::uint64_t made = 0xabc000;
  recording_write("musaMalloc", 0, &made, sizeof made);
  void* got = nullptr;
  using Alloc = int(int, int, void**);
  found.equal("cublasAlloc", 0, library.find<Alloc>("cublasAlloc")(1 << 30, 16, &got));
  found.one_call("musaMalloc", {kAny, std::uint64_t{1} << 34});
  found.equal("memory", at(made), got);
  found.equal("no elements", 7, library.find<Alloc>("cublasAlloc")(0, 16, &got));
  found.equal("memory then", at(0), got);
  found.equal("negative size", 7, library.find<Alloc>("cublasAlloc")(3, -1, &got));
  found.equal("nowhere to store", 7, library.find<Alloc>("cublasAlloc")(3, 1, nullptr));
  found.equal("calls", std::size_t{0}, calls_of_muBLAS().size());
  recording_answer("musaMalloc", 2);
  found.equal("no memory left", 3, library.find<Alloc>("cublasAlloc")(3, 4, &got));
  found.equal("memory after that", at(0), got);
  recording_answer("musaFree", 0);
  found.equal("cublasFree", 0, library.find<int(void*)>("cublasFree")(at(made)));
  found.one_call("musaFree", {made});
  found.equal("cublasFree of nothing", 0, library.find<int(void*)>("cublasFree")(nullptr));
  found.equal("calls for nothing", std::size_t{0}, calls_of_muBLAS().size());
  return found.text();
}

TEST(LegacyLiteral, MemoryIsOfTheRuntime) { EXPECT_EQ(in_child(memory), ""); }

}  // namespace
}  // namespace recording
