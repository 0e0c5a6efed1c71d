// Tests every generated adapter of every library and major with random calls from fixed seeds.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>

#include "tests/adapters/calls.h"
#include "tests/adapters/conditions.h"
#include "tests/adapters/correspondences.h"
#include "tests/recording/application.h"
#include "tests/recording/behaviour.h"
#include "tests/recording/child.h"
#include "tests/recording/cuda_libraries.h"

namespace adapters {
namespace {

using recording::CudaLibrary;

constexpr std::size_t kLeastOfAll = 1000;
constexpr unsigned kRounds = 8;

const Prototypes& prototypes() {
  static const Prototypes kPrototypes(PROTOTYPES_FILE);
  return kPrototypes;
}

// What an adapter may call besides its target: for example to ask about a handle before it writes
// for it.
bool is_helper(const std::string& musa) {
  static const std::set<std::string> kHelpers = {"mublasGetPointerMode", "mublasGetStream",
                                                 "musaMemsetAsync", "musaGetLastError"};
  return kHelpers.count(musa) != 0;
}

// Standard error goes into a file of memory while this exists.
class CapturedErrors {
 public:
  CapturedErrors() : file_(memfd_create("errors", MFD_CLOEXEC)), before_(dup(STDERR_FILENO)) {
    dup2(file_, STDERR_FILENO);
  }
  ~CapturedErrors() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(file_);
  }
  CapturedErrors(const CapturedErrors&) = delete;
  CapturedErrors& operator=(const CapturedErrors&) = delete;

  // What was written since the last call.
  std::string take() {
    std::string out(4096, '\0');
    const ssize_t size = pread(file_, out.data(), out.size(), 0);
    out.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    if (ftruncate(file_, 0) != 0 || lseek(file_, 0, SEEK_SET) != 0) out += "(not emptied)";
    return out;
  }

 private:
  int file_, before_;
};

class Tester {
 public:
  Tester(const CudaLibrary& replacement, const AdaptedPrototype& prototype,
         std::vector<Argument> arguments, const Library& library)
      : replacement_(replacement),
        prototype_(prototype),
        arguments_(std::move(arguments)),
        library_(library),
        status_type_(base_of(prototype.cuda_returns)) {
    std::uint64_t seed = 0xcbf29ce484222325u;  // FNV-1a
    for (const char c : prototype.label + prototype.cuda) {
      seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    random_.seed(seed);
  }
  ~Tester() { recording_behave(nullptr, 0, -1, 0); }
  Tester(const Tester&) = delete;
  Tester& operator=(const Tester&) = delete;

  const std::string& complaints() const { return complaints_; }

  // Random arguments arrive correctly, and each status comes back correctly.
  void arrives() {
    const auto& statuses = musa_statuses(status_type_);
    auto next = statuses.begin();
    for (unsigned round = 0; round < std::max<std::size_t>(kRounds, statuses.size()); ++round) {
      recording_behave(prototype_.musa.c_str(), static_cast<std::uint32_t>(next->first), -1, 0);
      const Passing passing = fresh_passing();
      const std::int64_t status = library_.call(prototype_.cuda, passing);
      const recording::LoggedCall* received = only_call();
      if (received == nullptr) return;
      complain_if_any(difference(arguments_, passing, *received));
      const std::size_t broken = next->first == 0 ? kNone : first_broken(passing);
      const std::int64_t expected =
          broken == kNone ? next->second : documented(prototype_.conditions[broken]);
      expect(status == expected, "MUSA's status " + std::to_string(next->first) + " became " +
                                     std::to_string(status) + " instead of " +
                                     std::to_string(expected));
      check_buffers();
      if (++next == statuses.end()) next = statuses.begin();
    }
  }

  // After a failure, the status of the first documented condition that is broken; the library's
  // own, with a line, if none is. Each condition is the first broken one in some call, and in
  // another call MUSA succeeds although it is broken.
  std::size_t conditions() {
    const std::size_t count = prototype_.conditions.size();
    if (count == 0) return 0;
    constexpr int kDraws = 200000;
    std::vector<bool> seen(count + 1, false);
    std::size_t missing = count + 1;
    for (int draw = 0; draw < kDraws && missing > 0; ++draw) {
      const Passing passing = small_passing();
      const std::size_t broken = std::min(first_broken(passing), count);
      if (seen[broken]) continue;
      seen[broken] = true;
      --missing;
      const std::string what =
          broken == count ? "every condition kept" : "broken " + prototype_.conditions[broken].text;
      buffers_.fill();
      status_of(passing, 0, 0, what + ", and MUSA succeeds");
      const std::string said = status_of(
          passing, 11, broken == count ? 14 : documented(prototype_.conditions[broken]), what);
      const bool has_line = said.find(" returned 11, a number that no") != std::string::npos;
      expect(broken == count ? has_line : said.empty(), what + " printed '" + said + "'");
    }
    for (std::size_t i = 0; i <= count; ++i) {
      if (seen[i]) continue;
      expect(false, i == count ? "no call keeps all conditions"
                               : "nothing breaks first: " + prototype_.conditions[i].text);
    }
    return count + 1;
  }

  // A number that is not an enumerator, or one that MUSA lacks, is refused and changes nothing.
  std::size_t strangers() {
    std::size_t tried = 0;
    for (const Argument& argument : arguments_) {
      if (argument.meaning != Meaning::kEnum) continue;
      for (const auto& [number, status] : strangers_of(argument)) {
        // An enumerator that only MUSA lacks has a line with its name.
        const std::string line =
            argument.numbers.count(number) != 0 ? " (" + std::to_string(number) + "): " : "";
        refused(argument, static_cast<std::uint32_t>(number), status,
                argument.type + " = " + std::to_string(number), line);
        ++tried;
      }
    }
    return tried;
  }

  // A 64-bit integer that does not fit into MUSA's 32 bits is refused and changes nothing.
  std::size_t wide_integers() {
    std::size_t tried = 0;
    for (const Argument& argument : arguments_) {
      if (argument.meaning != Meaning::kNarrow) continue;
      // The line does not name the value, so only the first one is printed.
      std::string line = "=(beyond 32 bits): ";
      for (const std::int64_t wide : {std::int64_t{1} << 31, -(std::int64_t{1} << 31) - 1,
                                      std::int64_t{1} << 32, std::int64_t{-1} << 63}) {
        refused(argument, static_cast<std::uint64_t>(wide), status_of_wide(status_type_),
                std::to_string(wide), line);
        line.clear();
        ++tried;
      }
    }
    return tried;
  }

  // What MUSA writes appears in CUDA's terms where the program expects it, and nowhere else.
  std::size_t results() {
    std::size_t tried = 0;
    for (const Argument& argument : arguments_) {
      if (argument.meaning == Meaning::kEnumOut) {
        for (const auto& [cuda, musa] : *correspondence(base_of(argument.type))) {
          if (is_ambiguous(base_of(argument.type), musa)) continue;
          result(argument, static_cast<std::uint32_t>(musa), static_cast<std::uint32_t>(cuda), 4);
          ++tried;
        }
      } else if (argument.meaning == Meaning::kWideOut) {
        for (const std::uint32_t value : {0u, 1u, 0x7fffffffu}) {
          result(argument, value, value, 8);
          ++tried;
        }
      }
    }
    return tried;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::int64_t documented(const DocumentedCondition& condition) const {
    return prototypes().number(prototype_.label, condition.status);
  }

  // CUDA's value of a parameter.
  std::int64_t value_of(const std::string& name, const Passing& passing) const {
    const auto found = std::find(prototype_.names.begin(), prototype_.names.end(), name);
    if (found == prototype_.names.end()) return prototypes().number(prototype_.label, name);
    const Argument& argument =
        arguments_[static_cast<std::size_t>(found - prototype_.names.begin())];
    const auto word = static_cast<std::int64_t>(passing.integers[argument.index]);
    const bool is_short = argument.meaning == Meaning::kInt32 || argument.meaning == Meaning::kEnum;
    return is_short ? static_cast<std::int32_t>(word) : word;
  }

  std::size_t first_broken(const Passing& passing) const {
    for (std::size_t i = 0; i < prototype_.conditions.size(); ++i) {
      const bool holds = evaluate(prototype_.conditions[i].text, [&](const std::string& name) {
                           return value_of(name, passing);
                         }) != 0;
      if (!holds) return i;
    }
    return kNone;
  }

  // Numbers and pointers of which few are possible, so that equal ones meet.
  Passing small_passing() {
    Passing out = fresh_passing();
    constexpr int kNumbers = 8, kPointers = 4;
    for (const Argument& argument : arguments_) {
      std::uint64_t& word = out.integers[argument.index];
      switch (argument.meaning) {
        case Meaning::kInt32:
          word = static_cast<std::uint32_t>(static_cast<int>(random_() % kNumbers) - 1);
          break;
        case Meaning::kInt64:
        case Meaning::kNarrow:
          word = static_cast<std::uint64_t>(static_cast<std::int64_t>(random_() % kNumbers) - 1);
          break;
        case Meaning::kPointer: {
          const std::uint64_t which = random_() % kPointers;
          word = which == 0 ? 0 : buffers_.address(which);
          break;
        }
        default:
          break;
      }
    }
    return out;
  }

  // Makes a call that MUSA answers with `musa`. Returns what was printed.
  std::string status_of(const Passing& passing, std::uint32_t musa, std::int64_t expected,
                        const std::string& what) {
    recording_behave(prototype_.musa.c_str(), musa, -1, 0);
    errors_.take();
    const std::int64_t status = library_.call(prototype_.cuda, passing);
    only_call();
    expect(status == expected,
           what + ": " + std::to_string(status) + " instead of " + std::to_string(expected));
    return errors_.take();
  }

  void complain_if_any(const std::string& text) {
    if (text.empty() || complaints_.size() > 2000) return;
    complaints_ += std::string(replacement_.label) + " " + prototype_.cuda + ":" + text + "\n";
  }
  void expect(bool condition, const std::string& complaint) {
    if (!condition) complain_if_any(" " + complaint);
  }

  Passing fresh_passing() {
    buffers_.fill();
    return random_passing(arguments_, buffers_, &random_);
  }

  // Whether MUSA was asked again, with its default instead of its algorithm for tensor cores: see
  // fallback_enumerators in mappings/forward/types.yaml. The recording tests compare such a call.
  bool is_second_try() const {
    if (log_.size() != 2 || log_[0].musa != log_[1].musa) return false;
    const auto algorithm =
        std::find_if(arguments_.begin(), arguments_.end(),
                     [](const Argument& item) { return item.type == "cublasGemmAlgo_t"; });
    if (algorithm == arguments_.end() || algorithm->index < 6) return false;
    const auto number = [&](const recording::LoggedCall& call) {
      return static_cast<std::uint32_t>(call.exchange.arguments.stack[algorithm->index - 6]);
    };
    return number(log_[0]) == 1 && number(log_[1]) == 0;
  }

  // The only call of the target, or null with a complaint.
  const recording::LoggedCall* only_call() {
    log_ = recording::backend_log();
    log_.erase(std::remove_if(log_.begin(), log_.end(),
                              [&](const recording::LoggedCall& call) {
                                return call.musa != prototype_.musa && is_helper(call.musa);
                              }),
               log_.end());
    const bool is_one = log_.size() == 1 || is_second_try();
    if (is_one && log_[0].musa == prototype_.musa) return log_.data();
    std::string got;
    for (const recording::LoggedCall& call : log_) got += " " + call.musa;
    expect(false, "expected one call of " + prototype_.musa + ", MUSA got" +
                      (got.empty() ? " none" : got));
    return nullptr;
  }

  // An adapter may change two kinds of buffers: it may zero a 64-bit result first, and it fills a
  // struct with another layout.
  void check_buffers() {
    for (const Argument& argument : arguments_) {
      if (argument.meaning != Meaning::kWideOut && argument.meaning != Meaning::kStruct) continue;
      const std::size_t bytes = argument.meaning == Meaning::kWideOut ? 8 : argument.size;
      complain_if_any(buffers_.changes(argument.index, bytes));
      return;
    }
    complain_if_any(buffers_.changes());
  }

  // `line` must be in the one line that names the function; empty if nothing may be printed.
  void refused(const Argument& argument, std::uint64_t word, std::int64_t expected,
               const std::string& what, const std::string& line) {
    recording_behave(prototype_.musa.c_str(), 0, -1, 0);
    Passing passing = fresh_passing();
    passing.integers[argument.index] = word;
    errors_.take();
    const std::int64_t status = library_.call(prototype_.cuda, passing);
    const std::string said = errors_.take();
    if (line.empty()) {
      expect(said.empty(), what + " printed " + said);
    } else {
      // Another export at the same address may be the one that the tables name.
      expect(std::count(said.begin(), said.end(), '\n') == 1 &&
                 said.find(" is not supported with ") != std::string::npos &&
                 said.find(line) != std::string::npos,
             what + " printed " + (said.empty() ? "nothing" : said));
    }
    const recording::CallLog log = recording::backend_log();
    expect(std::none_of(
               log.begin(), log.end(),
               [&](const recording::LoggedCall& call) { return call.musa == prototype_.musa; }),
           what + " reached MUSA");
    expect(status == expected,
           what + " gave " + std::to_string(status) + " instead of " + std::to_string(expected));
    complain_if_any(buffers_.changes());
  }

  void result(const Argument& argument, std::uint32_t written, std::uint64_t expected,
              std::size_t bytes) {
    recording_behave(prototype_.musa.c_str(), 0, static_cast<int>(argument.index), written);
    const Passing passing = fresh_passing();
    const std::int64_t status = library_.call(prototype_.cuda, passing);
    const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : 0xffffffff;
    const std::uint64_t got = buffers_.word(argument.index) & mask;
    expect(status == 0 && got == expected, "MUSA wrote " + std::to_string(written) +
                                               ", the program got " + std::to_string(got) +
                                               " and status " + std::to_string(status));
    complain_if_any(buffers_.changes(argument.index, bytes));
  }

  // Numbers outside the enumeration and enumerators that MUSA lacks, with the statuses for them.
  std::map<std::int64_t, std::int64_t> strangers_of(const Argument& argument) {
    std::map<std::int64_t, std::int64_t> out;
    const std::string type = base_of(argument.type);
    const std::set<std::int64_t>& numbers = argument.numbers;
    if (numbers.empty()) return out;
    std::int64_t bits = 0;
    for (const std::int64_t number : numbers) bits |= number;
    for (const std::int64_t number :
         {*numbers.begin() - 1, *numbers.rbegin() + 1, std::int64_t{127}, std::int64_t{111},
          std::int64_t{-2}, std::int64_t{0x7fffffff}, -std::int64_t{0x7fffffff} - 1,
          static_cast<std::int64_t>(static_cast<std::int32_t>(random_()))}) {
      const std::int64_t passed = static_cast<std::int32_t>(number);
      const bool is_good = is_combined(type) && (passed & ~bits) == 0;
      if (numbers.count(passed) == 0 && !is_good) out[passed] = status_of_stranger(status_type_);
    }
    if (const auto* known = correspondence(type)) {
      for (const std::int64_t number : numbers) {
        if (known->count(number) == 0) out[number] = status_of_missing(status_type_);
      }
    }
    return out;
  }

  // Whether several of CUDA's numbers become this one of MUSA's.
  static bool is_ambiguous(const std::string& type, std::int64_t musa) {
    const auto& numbers = *correspondence(type);
    return std::count_if(numbers.begin(), numbers.end(),
                         [&](const auto& pair) { return pair.second == musa; }) > 1;
  }

  const CudaLibrary& replacement_;
  const AdaptedPrototype& prototype_;
  const std::vector<Argument> arguments_;
  const Library& library_;
  const std::string status_type_;
  Buffers buffers_;
  std::mt19937_64 random_;
  recording::CallLog log_;
  CapturedErrors errors_;
  std::string complaints_;
};

// Runs `work` in a child, on each adapter of a library that is called argument for argument.
// Returns the complaints.
std::string each_adapter(const CudaLibrary& replacement,
                         const std::function<std::string(Tester&)>& work) {
  return recording::in_child([&]() -> std::string {
    const std::string path = std::string(REPLACEMENT_FOLDER "/") + replacement.file;
    const recording::Application environment(path, MUSA_ROOT);
    setenv("TORCHADA_LOG", "warn", 1);
    const Library library(path);
    std::string complaints;
    for (const AdaptedPrototype& prototype : prototypes().all()) {
      if (prototype.label != replacement.label) continue;
      const auto arguments = arguments_of(prototypes(), prototype);
      if (!arguments) continue;
      Tester tester(replacement, prototype, *arguments, library);
      complaints += work(tester);
      complaints += tester.complaints();
      if (complaints.size() > 8000) return complaints + "and so on\n";
    }
    return complaints;
  });
}

std::size_t count_called(const std::string& label) {
  std::size_t out = 0;
  for (const AdaptedPrototype& prototype : prototypes().all()) {
    if (prototype.label == label && arguments_of(prototypes(), prototype)) ++out;
  }
  return out;
}

class Adapter : public testing::TestWithParam<CudaLibrary> {};

TEST_P(Adapter, AreAsManyAsExpected) {
  std::string others;
  for (const AdaptedPrototype& prototype : prototypes().all()) {
    if (prototype.label != GetParam().label || arguments_of(prototypes(), prototype)) continue;
    others += " " + prototype.cuda;
  }
  // Printed because nothing here calls them: each needs its own test.
  if (!others.empty()) std::cout << "of another shape than MUSA's:" << others << "\n";
  EXPECT_GE(count_called(GetParam().label), GetParam().called);
}

TEST_P(Adapter, PassesWhatMusaMustGet) {
  const std::string report = each_adapter(GetParam(), [](Tester& tester) {
    tester.arrives();
    return "";
  });
  EXPECT_EQ(report, "");
}

TEST_P(Adapter, KeepsStrangersOut) {
  const std::string report = each_adapter(GetParam(), [](Tester& tester) {
    tester.strangers();
    return "";
  });
  EXPECT_EQ(report, "");
}

TEST_P(Adapter, KeepsWideIntegersOut) {
  const std::string report = each_adapter(GetParam(), [](Tester& tester) {
    tester.wide_integers();
    return "";
  });
  EXPECT_EQ(report, "");
}

TEST_P(Adapter, ReturnsResultsInCudasTerms) {
  const std::string report = each_adapter(GetParam(), [](Tester& tester) {
    tester.results();
    return "";
  });
  EXPECT_EQ(report, "");
}

TEST_P(Adapter, AnswersWhatIsDocumented) {
  const std::string report = each_adapter(GetParam(), [](Tester& tester) {
    tester.conditions();
    return "";
  });
  EXPECT_EQ(report, "");
}

INSTANTIATE_TEST_SUITE_P(Libraries, Adapter, testing::ValuesIn(recording::cuda_libraries()),
                         recording::name_of);

// Every enumeration that a generated adapter of the math and collective libraries gives to MUSA has
// numbers that are known: by hand, each of them, or those of a MUSA library that numbers as CUDA.
TEST(Adapters, PassNoNumberOfUnknownMeaning) {
  std::set<std::string> strangers, known;
  for (const AdaptedPrototype& prototype : prototypes().all()) {
    // The runtime and the driver number as CUDA does.
    if (prototype.label.starts_with("cudart-") || prototype.label.starts_with("cuda-")) continue;
    const auto arguments = arguments_of(prototypes(), prototype);
    if (!arguments) continue;
    for (const Argument& argument : *arguments) {
      if (argument.meaning != Meaning::kEnum) continue;
      const std::string type = base_of(argument.type);
      const bool is_known = correspondence(type) != nullptr || has_cudas_numbers(type);
      (is_known ? known : strangers).insert(type);
    }
  }
  EXPECT_EQ(strangers, std::set<std::string>());
  EXPECT_GE(known.size(), 10u);
}

// Tests the comparison itself: one wrong bit in any received argument must be noticed.
std::string wrong_bits_noticed(const CudaLibrary& replacement) {
  const std::string path = std::string(REPLACEMENT_FOLDER "/") + replacement.file;
  const recording::Application environment(path, MUSA_ROOT);
  const Library library(path);
  Buffers buffers;
  buffers.fill();
  std::mt19937_64 random(1);
  std::string complaints;
  for (const AdaptedPrototype& prototype : prototypes().all()) {
    const auto arguments = arguments_of(prototypes(), prototype);
    if (prototype.label != replacement.label || !arguments) continue;
    const Passing passing = random_passing(*arguments, buffers, &random);
    library.call(prototype.cuda, passing);
    const recording::CallLog log = recording::backend_log();
    const auto first = std::find_if(log.begin(), log.end(), [&](const recording::LoggedCall& call) {
      return call.musa == prototype.musa;
    });
    if (first == log.end()) return prototype.cuda + " did not arrive\n";
    for (const Argument& argument : *arguments) {
      recording::LoggedCall wrong = *first;
      recording_arguments& words = wrong.exchange.arguments;
      const std::size_t index = argument.index;
      (argument.meaning == Meaning::kFloating ? words.vectors[index][0]
       : index < 6                            ? words.integers[index]
                                              : words.stack[index - 6]) ^= 1;
      const bool is_free = argument.meaning == Meaning::kEnumOut ||
                           argument.meaning == Meaning::kWideOut ||
                           argument.meaning == Meaning::kStruct;
      if (!is_free && difference(*arguments, passing, wrong).empty()) {
        complaints += prototype.cuda + ": nobody noticed a wrong " + argument.type + "\n";
      }
    }
  }
  return complaints;
}

TEST(Adapters, ComparisonNoticesEveryArgument) {
  for (const CudaLibrary& replacement : recording::cuda_libraries()) {
    if (replacement.called == 0) continue;
    EXPECT_EQ(recording::in_child([&] { return wrong_bits_noticed(replacement); }), "")
        << replacement.label;
  }
}

TEST(Adapters, AreCalledByTheThousand) {
  std::size_t called = 0, enumerators = 0, narrow = 0;
  for (const CudaLibrary& replacement : recording::cuda_libraries())
    called += count_called(replacement.label);
  for (const AdaptedPrototype& prototype : prototypes().all()) {
    const auto arguments = arguments_of(prototypes(), prototype);
    if (!arguments) continue;
    for (const Argument& argument : *arguments) {
      enumerators += argument.meaning == Meaning::kEnum ? 1 : 0;
      narrow += argument.meaning == Meaning::kNarrow ? 1 : 0;
    }
  }
  std::cout << called << " adapters with " << enumerators << " enumerators and " << narrow
            << " narrowed integers\n";
  EXPECT_GE(called, kLeastOfAll);
  EXPECT_GE(enumerators, 1000u);
  EXPECT_GE(narrow, 1000u);
}

}  // namespace
}  // namespace adapters
