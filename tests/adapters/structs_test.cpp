// Every function that takes a pointer to a struct, against a MUSA whose structs are longer than any
// that is known: it fills the program's struct and 256 bytes behind it, and reads as far. Nothing
// of the program's memory behind its struct may change, and MUSA must read zeros there.
//
// Which structs may go to MUSA as they are, because their size is known in each of its SDKs, is
// written by hand here from the evidence.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tests/recording/behaviour.h"
#include "tests/recording/child.h"
#include "tests/recording/cuda_libraries.h"
#include "tests/recording/decisions.h"
#include "tests/recording/words.h"

namespace adapters {
namespace {

using recording::CudaLibrary;
using recording::Decision;
using recording::Words;

constexpr std::size_t kRoom = 256;  // What is added to the longest version.
constexpr unsigned char kBehind = 0x5a, kWritten = 0xab;
constexpr std::size_t kRegisters = 6;

// Structs whose size is public for each SDK that has their functions, with that size in MUSA.
const std::map<std::string, std::size_t>& known() {
  static const std::map<std::string, std::size_t> kKnown = {
      {"cudaKernelNodeParams", 56},           // the manual's chapter on graphs
      {"cudaGraphExecUpdateResultInfo", 24},  // the same
      {"ncclUniqueId", 128},                  // bindings of vllm_musa and FlagCX
  };
  return kKnown;
}

// Numbers: pointers lead to arrays in the memory of a device. And a struct that tells its size.
bool is_left_alone(const std::string& type) {
  static const std::set<std::string> kAlone = {
      "__half",       "cuComplex",          "cuDoubleComplex",
      "cufftComplex", "cufftDoubleComplex", "ncclConfig_t"};
  return kAlone.count(type) != 0;
}

// muBLASLt reads algorithms where the program has them: 64 opaque bytes that it wrote itself.
bool is_read_in_place(const std::string& type) { return type == "cublasLtMatmulAlgo_t"; }

// Functions whose structs MUSA only reads, although their headers do not say const.
bool is_only_read(const std::string& cuda) {
  return cuda == "cudaLaunchCooperativeKernelMultiDevice" ||
         cuda.starts_with("cudaMemcpyBatchAsync") || cuda.starts_with("cudaMemcpy3DBatchAsync");
}

// A pointer to structs among the arguments of a function.
struct Struct {
  std::string type;
  std::size_t size = 0;  // Bytes, in the program or in the CUDA release that MUSA's is like.
  bool is_const = false;
  std::size_t place = 0;  // Among the words of a call.
};

struct Function {
  std::string label, name;
  std::vector<Struct> structs;
  std::vector<std::size_t> numbers, pointers, handles;  // Their places.
};

// The places of arguments by the calling convention of x86-64.
class Places {
 public:
  std::size_t next(std::size_t words, bool is_in_memory) {
    if (!is_in_memory && registers_ + words <= kRegisters) {
      registers_ += words;
      return registers_ - words;
    }
    stack_ += words;
    return kRegisters + stack_ - words;
  }

 private:
  std::size_t registers_ = 0, stack_ = 0;
};

Function read_function(const std::string& line) {
  std::istringstream in(line);
  Function out;
  std::string what;
  in >> what >> out.label >> out.name;
  Places places;
  for (std::string word; in >> word;) {
    const std::size_t colon = word.find(':');
    const std::string kind = word.substr(0, colon);
    if (kind == "value") {
      const std::size_t size = std::stoul(word.substr(colon + 1));
      places.next((size + 7) / 8, size > 16);
    } else if (kind == "floating") {
      continue;
    } else if (kind == "struct" || kind == "const") {
      const std::size_t last = word.rfind(':');
      out.structs.push_back({word.substr(colon + 1, last - colon - 1),
                             std::stoul(word.substr(last + 1)), kind == "const",
                             places.next(1, false)});
    } else {
      (kind == "number"    ? out.numbers
       : kind == "pointer" ? out.pointers
                           : out.handles)
          .push_back(places.next(1, false));
    }
  }
  return out;
}

struct Listed {
  std::vector<Function> cuda;
  std::map<std::string, Function> musa;
  std::map<std::string, std::size_t> longest;  // Of CUDA's releases, by type.
};

const Listed& listed() {
  static const Listed kListed = [] {
    std::ifstream in(STRUCTS_FILE);
    Listed out;
    for (std::string line; std::getline(in, line);) {
      const Function function = read_function(line);
      for (const Struct& item : function.structs) {
        std::size_t& longest = out.longest[item.type];
        longest = std::max(longest, item.size);
      }
      if (line.starts_with("cuda ")) {
        out.cuda.push_back(function);
      } else {
        out.musa[function.name] = function;
      }
    }
    if (out.cuda.empty() || out.musa.empty()) throw std::runtime_error(STRUCTS_FILE ": no lists");
    return out;
  }();
  return kListed;
}

std::size_t reach_of(const Struct& item) {
  const auto found = known().find(item.type);
  return found != known().end() ? found->second : listed().longest.at(item.type) + kRoom;
}

void flood_all() {
  for (const auto& [name, function] : listed().musa) {
    for (const Struct& item : function.structs) {
      if (is_left_alone(item.type)) continue;
      recording_flood(name.c_str(), static_cast<unsigned>(item.place), reach_of(item),
                      !item.is_const, kWritten);
    }
  }
}

// The program's memory around one of its structs.
class Memory {
 public:
  Memory(std::size_t size, bool is_zero) : size_(size) {
    bytes_.fill(kBehind);
    for (std::size_t i = 0; i < size; ++i) {
      at()[i] = static_cast<unsigned char>(is_zero ? 0 : 1 + i % 200);
    }
    before_ = bytes_;
  }
  unsigned char* at() { return bytes_.data() + kStart; }
  const unsigned char* before() const { return before_.data() + kStart; }
  // Bytes outside the struct that changed.
  std::size_t spoilt() const {
    std::size_t out = 0;
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      const bool is_struct = i >= kStart && i < kStart + size_;
      if (!is_struct && bytes_[i] != before_[i]) ++out;
    }
    return out;
  }
  bool is_unchanged() const { return bytes_ == before_; }
  bool is_written() {
    return std::all_of(at(), at() + size_, [](unsigned char byte) { return byte == kWritten; });
  }

 private:
  static constexpr std::size_t kStart = 1024;
  alignas(64) std::array<unsigned char, 8192> bytes_{};
  std::array<unsigned char, 8192> before_{};
  const std::size_t size_;
};

bool is_zero(const unsigned char* from, const unsigned char* to) {
  return std::all_of(from, to, [](unsigned char byte) { return byte == 0; });
}

class StructTester {
 public:
  StructTester(const recording::Library& library, const Function& function,
               const Decision& decision)
      : library_(library), function_(function), decision_(decision) {}

  // Calls the function with many arguments, so that those that an adapter checks pass once.
  void test() {
    for (const unsigned number : {1u, 0u, 2u}) {
      call(number, true);
      // Adapters that are written by hand follow the pointers in a struct.
      if (decision_.decision != "emulated") call(number, false);
    }
    // They check more, too, and some of their structs stay in the replacement library.
    const bool must_arrive = decision_.decision == "adapted" || decision_.decision == "direct";
    if (must_arrive && !arrived_) complain("never reached MUSA");
  }

  bool arrived() const { return arrived_; }
  const std::string& complaints() const { return complaints_; }

 private:
  void complain(const std::string& what) {
    complaints_ += decision_.cuda + " (" + decision_.decision + "): " + what + "\n";
  }

  void call(unsigned number, bool zero) {
    std::vector<Memory> memory;
    memory.reserve(function_.structs.size());
    alignas(64) std::array<std::uint64_t, 512> scratch{1};  // A count of one, followed by zeros.
    Words words(recording::kArguments);
    for (const std::size_t place : function_.numbers) words[place] = number;
    for (const std::size_t place : function_.handles) words[place] = 0x7000;
    for (const std::size_t place : function_.pointers) {
      words[place] = reinterpret_cast<std::uint64_t>(scratch.data());
    }
    for (const Struct& item : function_.structs) {
      memory.emplace_back(item.size, zero);
      words[item.place] = reinterpret_cast<std::uint64_t>(memory.back().at());
    }
    const int status = library_.call(decision_.cuda, words);
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const Struct& item = function_.structs[i];
      if (is_left_alone(item.type)) continue;
      const std::size_t spoilt = memory[i].spoilt();
      if (spoilt != 0) complain(std::to_string(spoilt) + " bytes behind " + item.type + " spoilt");
      if (item.is_const && !memory[i].is_unchanged()) complain(item.type + ", const, was written");
    }
    look(number, status, &memory);
  }

  // At what MUSA got, if the function leads to one of MUSA's with the same arguments.
  void look(unsigned number, int status, std::vector<Memory>* memory) {
    const auto musa = listed().musa.find(decision_.musa);
    if (musa == listed().musa.end() || musa->second.structs.size() != function_.structs.size()) {
      arrived_ = arrived_ || recording_count() != 0;
      return;
    }
    for (std::size_t i = 0; i < function_.structs.size(); ++i) {
      const Struct& item = function_.structs[i];
      if (is_left_alone(item.type)) continue;
      const unsigned char* const found = recording_flooded(
          decision_.musa.c_str(), static_cast<unsigned>(musa->second.structs[i].place));
      if (!found) continue;
      arrived_ = true;
      const unsigned char* const own = (*memory)[i].before();
      // A struct that grew and that MUSA writes begins as zeros.
      const bool is_same = std::memcmp(found, own, item.size) == 0;
      const bool is_result = !item.is_const && is_zero(found, found + item.size);
      if (number == 1 && !is_same && !is_result) complain(item.type + " did not arrive");
      if (known().count(item.type) != 0 || is_read_in_place(item.type)) continue;
      if (number == 1 && !is_zero(found + item.size, found + reach_of(item))) {
        complain("MUSA read what lies behind " + item.type);
      }
      if (status != 0 || item.is_const) continue;
      const bool is_right =
          is_only_read(decision_.cuda) ? (*memory)[i].is_unchanged() : (*memory)[i].is_written();
      if (number == 1 && !is_right) complain(item.type + ": what MUSA wrote did not come back");
    }
  }

  const recording::Library& library_;
  const Function& function_;
  const Decision& decision_;
  bool arrived_ = false;
  std::string complaints_;
};

bool takes_structs(const Function& function) {
  // Code that nvcc generates calls these; they pass nothing to MUSA.
  if (function.name.starts_with("__cuda")) return false;
  return std::any_of(function.structs.begin(), function.structs.end(),
                     [](const Struct& item) { return !is_left_alone(item.type); });
}

struct StructResult {
  std::size_t tested = 0, arrived = 0;
  std::string complaints;
};

StructResult test_all(const CudaLibrary& replacement) {
  StructResult out;
  const recording::Library library(replacement.file, MUSA_ROOT);
  recording_answer_all(0);
  flood_all();
  std::map<std::string, Decision> decisions;
  for (const Decision& item : recording::read_decisions(DECISIONS_FILE, replacement.label)) {
    decisions[item.cuda] = item;
  }
  for (const Function& function : listed().cuda) {
    if (function.label != replacement.label || !takes_structs(function)) continue;
    const Decision& decision = decisions.at(function.name);
    if (decision.decision == "unsupported") continue;
    StructTester tester(library, function, decision);
    tester.test();
    ++out.tested;
    out.arrived += tester.arrived() ? 1 : 0;
    out.complaints += tester.complaints();
  }
  return out;
}

// With fewer, the test has lost track of them.
std::size_t least_tested(const CudaLibrary& replacement) {
  static const std::map<std::string, std::size_t> kLeast = {
      {"cudart-11", 60}, {"cudart-12", 80}, {"cudart-13", 70}, {"cuda-13", 90}};
  const auto found = kLeast.find(replacement.label);
  return found == kLeast.end() ? 0 : found->second;
}

class Structs : public testing::TestWithParam<CudaLibrary> {};

TEST_P(Structs, NothingBehindThemChanges) {
  const std::string report = recording::in_child([] {
    const StructResult result = test_all(GetParam());
    std::string out = result.complaints;
    if (result.arrived < least_tested(GetParam())) {
      out += "only " + std::to_string(result.arrived) + " of " + std::to_string(result.tested) +
             " functions reached MUSA\n";
    }
    return out;
  });
  EXPECT_EQ("", report);
}

INSTANTIATE_TEST_SUITE_P(Libraries, Structs, testing::ValuesIn(recording::cuda_libraries()),
                         recording::name_of);

}  // namespace
}  // namespace adapters
