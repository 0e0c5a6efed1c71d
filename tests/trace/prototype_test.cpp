// Calls every prototype of every library and major through the companion's closure with random
// words, and compares them with what arrives, what is returned and what the trace shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/cuda_libraries.h"
#include "tests/recording/invocation.h"
#include "tests/trace/listed.h"
#include "tests/trace/placement.h"
#include "tests/trace/traced.h"

extern "C" void trace_target();

namespace tracing {
namespace {

using Json = nlohmann::json;

std::uint64_t low(std::uint64_t word, std::size_t bytes) {
  return bytes >= 8 ? word : word & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}

// Each byte becomes a code point.
std::string text_of(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return out;
}

// A struct of 280 bytes by value, more than the words that a recorded call has.
struct EglFrame {
  unsigned words[70];
};

EglFrame sent_frame;
int egl_target(void* connection, EglFrame frame, void** stream) {
  const bool same = connection == &sent_frame && stream == nullptr &&
                    std::memcmp(&frame, &sent_frame, sizeof frame) == 0;
  return same ? 0 : 1;
}

class Prototypes {
 public:
  explicit Prototypes(const std::string& label) : listed_(read_listed(PROTOTYPES_FILE, label)) {
    for (std::vector<unsigned char>& buffer : buffers_) buffer.resize(16384);
  }
  std::size_t count() const { return listed_.functions.size(); }
  std::size_t pointees() const { return pointees_; }
  const std::string& complaints() const { return complaints_; }

  void check_all() {
    for (const Function& function : listed_.functions) {
      // First with random words as pointers, which lead nowhere; then with pointers to random
      // bytes.
      check(function, 0, false);
      check(function, 1, true);
      if (complaints_.size() > 8000) return;
    }
  }

 private:
  void complain(const Function& function, const std::string& what) {
    complaints_ += function.name + ": " + what + "\n";
  }

  void check(const Function& function, unsigned round, bool points_at_memory) {
    void* closure =
        traced_address(function.soname, function.name, reinterpret_cast<void*>(&trace_target));
    recording::Invocation done = recording::invocation_of(function.name.c_str(), round);
    const Placed placed = place(function, &done.exchange.arguments);
    if (!placed.fits) return check_egl_frame(function);
    prepare(function, placed, points_at_memory, &done);
    recording::Invocation passed = done;
    recording_reset();
    recording_answer_all(status_of(round));
    recording::recording_invoke(closure, &done);
    const recording::CallLog log = recording::backend_log();
    if (log.size() != 1) return complain(function, "did not arrive once");
    recording::LoggedCall received = log.front();
    const Placed sent = place(function, &passed.exchange.arguments);
    check_arrival(function, sent, place(function, &received.exchange.arguments));
    check_return(function, done, received);
    check_record(function, sent, done, points_at_memory);
  }

  void check_egl_frame(const Function& function) {
    if (function.name != "cudaEGLStreamProducerPresentFrame") {
      return complain(function, "has more arguments than the test can pass");
    }
    const auto closure = traced(function.soname, function.name, egl_target);
    for (unsigned i = 0; i < 70; ++i) sent_frame.words[i] = 0x01010101 * i;
    const int status = closure(&sent_frame, sent_frame, nullptr);
    const Json record = next_call();
    if (status != 0) complain(function, "arrived changed");
    if (!agrees(record["arguments"]["eglframe"], "struct", sizeof sent_frame, "cudaEglFrame",
                &sent_frame)) {
      complain(function, "is shown as " + record.dump());
    }
  }

  // Success in rounds in which the trace must show what the call wrote.
  static std::uint64_t status_of(unsigned round) { return round == 0 ? 0x5a5a5a5a00000001u : 0; }

  void prepare(const Function& function, const Placed& placed, bool points_at_memory,
               recording::Invocation* done) {
    std::mt19937_64 random(done->exchange.arguments.r10);
    if (function.returns.kind == "struct") {
      // Where the callee would put the result; the target writes nothing there.
      const ByValue* returned = by_value(function.return_type);
      if (std::string(returned->passed) == "m") {
        done->exchange.arguments.integers[0] = reinterpret_cast<std::uint64_t>(returned_);
      }
    }
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const Parameter& parameter = function.parameters[i];
      if (parameter.shape.kind == "callback") *placed.words[i][0] = 0;  // Tested elsewhere.
      if (parameter.shape.kind == "enum" && points_at_memory) {
        const Enumeration& numbers = listed_.enumerations[parameter.type];
        auto chosen = numbers.begin();
        std::advance(chosen, random() % numbers.size());
        *placed.words[i][0] = random() << 32 | static_cast<std::uint32_t>(chosen->first);
      }
      if (parameter.shape.kind != "pointer" || !points_at_memory) continue;
      for (unsigned char& byte : buffers_[i]) byte = static_cast<unsigned char>(random());
      *placed.words[i][0] = reinterpret_cast<std::uint64_t>(buffers_[i].data());
    }
  }

  void check_arrival(const Function& function, const Placed& passed, const Placed& received) {
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      std::size_t left = function.parameters[i].shape.size;
      for (std::size_t word = 0; word < passed.words[i].size(); ++word) {
        const std::size_t bytes = std::min<std::size_t>(left, 8);
        left -= bytes;
        if (low(*passed.words[i][word], bytes) == low(*received.words[i][word], bytes)) continue;
        complain(function, function.parameters[i].name + " arrived changed");
      }
    }
  }

  void check_return(const Function& function, const recording::Invocation& done,
                    const recording::LoggedCall& received) {
    const recording_results& given = received.exchange.results;
    const recording_results& got = done.exchange.results;
    const std::string& kind = function.returns.kind;
    bool same = true;
    if (kind == "floating") {
      same = low(given.xmm0[0], function.returns.size) == low(got.xmm0[0], function.returns.size);
    } else if (kind == "struct") {
      const ByValue* type = by_value(function.return_type);
      const std::string passed = type->passed;
      if (passed == "m") {
        same = got.rax == reinterpret_cast<std::uint64_t>(returned_);
      } else if (passed == "ii") {
        same =
            given.rax == got.rax && low(given.rdx, type->size - 8) == low(got.rdx, type->size - 8);
      } else {
        same = given.xmm0[0] == got.xmm0[0];
      }
    } else if (kind != "void") {
      same = low(given.rax, function.returns.size) == low(got.rax, function.returns.size);
    }
    if (!same) complain(function, "what it returned came back changed");
    if (std::memcmp(done.saved_before, done.saved_after, sizeof done.saved_before) != 0) {
      complain(function, "a register that a callee preserves came back changed");
    }
  }

  Json expected(const std::string& kind, std::size_t size, const std::string& type,
                const void* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, std::min<std::size_t>(size, 8));
    if (kind == "unsigned") return word;
    if (kind == "signed") {
      const unsigned shift = 64 - 8 * static_cast<unsigned>(size);
      return static_cast<std::int64_t>(word << shift) >> shift;
    }
    if (kind == "character") return text_of({static_cast<const char*>(bytes), 1});
    if (kind == "text") {
      const std::string_view text(static_cast<const char*>(bytes), size);
      return text_of(text.substr(0, text.find_last_not_of('\0') + 1));
    }
    if (kind == "enum") {
      const auto number = static_cast<std::int32_t>(word);
      const Enumeration& numbers = listed_.enumerations[type];
      for (const std::int64_t key :
           {std::int64_t{number}, std::int64_t{static_cast<std::uint32_t>(number)}}) {
        const auto found = numbers.find(key);
        if (found != numbers.end()) return found->second;
      }
      return number;
    }
    return hexadecimal(word);
  }

  static bool is_same_number(const Json& shown, std::size_t size, const void* bytes) {
    // Compares bits: the shown number must read back as the same number.
    if (size == 4) {
      float number = 0;
      std::memcpy(&number, bytes, 4);
      if (!shown.is_number()) return !std::isfinite(number);
      return shown.get<float>() == number;
    }
    double number = 0;
    std::memcpy(&number, bytes, 8);
    if (!shown.is_number()) return !std::isfinite(number);
    return shown.get<double>() == number;
  }

  bool agrees(const Json& shown, const std::string& kind, std::size_t size, const std::string& type,
              const void* bytes) {
    if (kind == "floating") return is_same_number(shown, size, bytes);
    if (kind == "callback") return shown == "0x0";
    if (kind == "struct") {
      const ByValue* known = by_value(type);
      return known &&
             std::all_of(known->members.begin(), known->members.end(),
                         [&](const StructMember& member) {
                           return shown.contains(member.name) &&
                                  agrees(shown[member.name], member.kind, member.size, member.type,
                                         static_cast<const char*>(bytes) + member.offset);
                         });
    }
    return shown == expected(kind, size, type, bytes);
  }

  void check_record(const Function& function, const Placed& placed,
                    const recording::Invocation& done, bool points_at_memory) {
    const Json record = next_call();
    if (!record.is_object()) return complain(function, "has no record");
    if (record["function"] != function.name || record["library"] != function.soname) {
      return complain(function, "the record is of another function: " + record.dump());
    }
    const Json& arguments = record["arguments"];
    if (arguments.size() != function.parameters.size()) {
      return complain(function, "has another number of arguments: " + record.dump());
    }
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const Parameter& parameter = function.parameters[i];
      std::vector<std::uint64_t> words;
      for (const std::uint64_t* word : placed.words[i]) words.push_back(*word);
      if (!arguments.contains(parameter.name) ||
          !agrees(arguments[parameter.name], parameter.shape.kind, parameter.shape.size,
                  parameter.type, words.data())) {
        complain(function,
                 parameter.name + " is shown as " + arguments.value(parameter.name, Json()).dump());
      }
      if (points_at_memory) check_pointee(function, i, record);
    }
    check_result(function, record, done);
  }

  void check_pointee(const Function& function, std::size_t index, const Json& record) {
    const Parameter& parameter = function.parameters[index];
    const std::string& kind = parameter.pointee.kind;
    if (parameter.shape.kind != "pointer" || kind == "void" || kind == "opaque" ||
        kind == "character" || kind == "callback") {
      return;
    }
    if (kind == "struct" && !by_value(parameter.type)) return;
    // A pointer to a pointer to characters: random bytes lead to no text.
    const Json& shown = record[parameter.is_const ? "before" : "after"];
    ++pointees_;
    if (!shown.contains(parameter.name)) {
      return complain(function, "nothing is shown of what " + parameter.name + " points at");
    }
    if (!agrees(shown[parameter.name], kind, parameter.pointee.size, parameter.type,
                buffers_[index].data())) {
      complain(function,
               "what " + parameter.name + " points at is shown as " + shown[parameter.name].dump());
    }
  }

  void check_result(const Function& function, const Json& record,
                    const recording::Invocation& done) {
    const recording_results& got = done.exchange.results;
    const std::string& kind = function.returns.kind;
    if (kind == "void") {
      if (!record["result"].is_null()) complain(function, "void has a result");
      return;
    }
    std::uint64_t words[2] = {got.rax, got.rdx};
    if (kind == "floating") words[0] = got.xmm0[0];
    if (kind == "struct") {
      const std::string passed = by_value(function.return_type)->passed;
      if (passed == "vv") return;  // The second register is not recorded.
      if (passed == "v") words[0] = got.xmm0[0];
      if (passed == "m") return check_returned_in_memory(function, record);
    }
    if (!agrees(record["result"], kind, function.returns.size, function.return_type, words)) {
      complain(function, "the result is shown as " + record["result"].dump());
    }
  }

  void check_returned_in_memory(const Function& function, const Json& record) {
    if (!agrees(record["result"], "struct", function.returns.size, function.return_type,
                returned_)) {
      complain(function, "the result is shown as " + record["result"].dump());
    }
  }

  Listed listed_;
  std::array<std::vector<unsigned char>, 32> buffers_;
  unsigned char returned_[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::string complaints_;
  std::size_t pointees_ = 0;
};

class Prototype : public testing::TestWithParam<recording::CudaLibrary> {};

TEST_P(Prototype, IsTracedAsItWasCalled) {
  Prototypes prototypes(GetParam().label);
  EXPECT_GE(prototypes.count(), GetParam().prototypes);
  prototypes.check_all();
  EXPECT_EQ("", prototypes.complaints());
  std::cout << prototypes.count() << " prototypes, " << prototypes.pointees() << " pointees\n";
}

INSTANTIATE_TEST_SUITE_P(Libraries, Prototype, testing::ValuesIn(recording::cuda_libraries()),
                         recording::name_of);

}  // namespace
}  // namespace tracing
