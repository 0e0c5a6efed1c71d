#include "tests/adapters/calls.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tests/adapters/correspondences.h"
#include "tests/recording/child.h"
#include "tests/recording/invocation.h"

namespace adapters {
namespace {

constexpr std::uint64_t kLow = 0xffffffff;

std::size_t stars(const std::string& spelled) {
  return static_cast<std::size_t>(std::count(spelled.begin(), spelled.end(), '*'));
}

bool is_const(const std::string& spelled) { return spelled.starts_with("const "); }

std::optional<Meaning> meaning_of_pointer(const Prototypes& prototypes, const std::string& label,
                                          const std::string& cuda, const std::string& musa) {
  if (stars(cuda) != 1) return Meaning::kPointer;
  const bool is_struct = prototypes.size(label, base_of(cuda)) != 0;
  // How many there are must make sense, too. structs_test.cpp calls these.
  if (musa.starts_with("several ")) return std::nullopt;
  const bool is_converted = musa.starts_with("converted ");
  if (is_struct && (is_converted || !prototypes.same_layout(label, cuda, musa))) {
    // An input struct must make sense, and random bytes do not.
    if (is_const(cuda) || prototypes.size(label, cuda) > kBufferBytes / 2) return std::nullopt;
    return Meaning::kStruct;
  }
  if (is_const(cuda)) return Meaning::kPointer;
  const std::string base = base_of(cuda);
  if (correspondence(base) != nullptr) return Meaning::kEnumOut;
  const bool is_wide = prototypes.passed(label, base) == Passed::kInt64;
  if (is_wide && prototypes.passed("musa", base_of(musa)) == Passed::kInt32) {
    return Meaning::kWideOut;
  }
  return Meaning::kPointer;
}

std::optional<Meaning> meaning_of(const Prototypes& prototypes, const std::string& label,
                                  const std::string& cuda, const std::string& musa) {
  const Passed ours = prototypes.passed(label, cuda);
  const Passed theirs = prototypes.passed("musa", musa);
  switch (ours) {
    case Passed::kPointer:
      if (theirs != Passed::kPointer) return std::nullopt;
      return meaning_of_pointer(prototypes, label, cuda, musa);
    case Passed::kEnum:
      // An enumeration that MUSA's tables do not know has only a name.
      if (theirs == Passed::kEnum || theirs == Passed::kInt32) return Meaning::kEnum;
      return theirs == Passed::kPointer && stars(musa) == 0 ? std::optional(Meaning::kEnum)
                                                            : std::nullopt;
    case Passed::kInt32:
      return theirs == Passed::kInt32 ? std::optional(Meaning::kInt32) : std::nullopt;
    case Passed::kInt64:
      if (theirs == Passed::kInt32) return Meaning::kNarrow;
      return theirs == Passed::kInt64 ? std::optional(Meaning::kInt64) : std::nullopt;
    case Passed::kFloating:
      return theirs == Passed::kFloating ? std::optional(Meaning::kFloating) : std::nullopt;
    case Passed::kOther:
      return std::nullopt;
  }
  return std::nullopt;
}

std::uint64_t received_integer(const recording::LoggedCall& call, std::size_t index) {
  const recording_arguments& arguments = call.exchange.arguments;
  return index < 6 ? arguments.integers[index] : arguments.stack[index - 6];
}

std::uint8_t pattern(std::size_t buffer, std::size_t byte) {
  return static_cast<std::uint8_t>(0xa5 + 31 * buffer + 7 * byte);
}

}  // namespace

std::optional<std::vector<Argument>> arguments_of(const Prototypes& prototypes,
                                                  const AdaptedPrototype& prototype) {
  if (prototype.cuda_parameters.size() != prototype.musa_parameters.size()) return std::nullopt;
  if (prototypes.passed(prototype.label, prototype.cuda_returns) != Passed::kEnum) {
    return std::nullopt;
  }
  std::vector<Argument> out;
  std::size_t integers = 0, floats = 0;
  for (std::size_t i = 0; i < prototype.cuda_parameters.size(); ++i) {
    const std::string& cuda = prototype.cuda_parameters[i];
    const auto meaning =
        meaning_of(prototypes, prototype.label, cuda, prototype.musa_parameters[i]);
    if (!meaning) return std::nullopt;
    const std::size_t index = *meaning == Meaning::kFloating ? floats++ : integers++;
    out.push_back({*meaning, cuda, index, prototypes.numbers(prototype.label, cuda),
                   prototypes.size(prototype.label, cuda)});
  }
  if (integers > kIntegers || floats > kFloats) return std::nullopt;
  return out;
}

void Buffers::fill() {
  for (std::size_t i = 0; i < kIntegers; ++i) {
    for (std::size_t j = 0; j < kBufferBytes; ++j) bytes_[i][j] = pattern(i, j);
  }
}

// The middle of the buffer: bytes before the address must not change either.
std::uint64_t Buffers::address(std::size_t index) const {
  return reinterpret_cast<std::uint64_t>(bytes_[index].data() + kBufferBytes / 2);
}

std::uint64_t Buffers::word(std::size_t index) const {
  std::uint64_t out = 0;
  std::memcpy(&out, bytes_[index].data() + kBufferBytes / 2, sizeof out);
  return out;
}

std::string Buffers::changes(std::size_t index, std::size_t bytes) const {
  std::string out;
  for (std::size_t i = 0; i < kIntegers; ++i) {
    for (std::size_t j = 0; j < kBufferBytes; ++j) {
      const std::size_t at = j - kBufferBytes / 2;
      if (bytes_[i][j] == pattern(i, j) || (i == index && at < bytes)) continue;
      out += " byte " + std::to_string(static_cast<std::int64_t>(at)) + " of what argument " +
             std::to_string(i) + " points at was written;";
      break;
    }
  }
  return out;
}

Passing random_passing(const std::vector<Argument>& arguments, const Buffers& buffers,
                       std::mt19937_64* random) {
  Passing out;
  for (std::uint64_t& word : out.integers) word = (*random)();
  for (std::uint64_t& word : out.floats) word = (*random)();
  for (const Argument& argument : arguments) {
    if (argument.meaning == Meaning::kFloating) continue;
    std::uint64_t& word = out.integers[argument.index];
    switch (argument.meaning) {
      case Meaning::kPointer:
      case Meaning::kEnumOut:
      case Meaning::kWideOut:
      case Meaning::kStruct:
        word = buffers.address(argument.index);
        break;
      case Meaning::kEnum: {
        std::vector<std::int64_t> possible(argument.numbers.begin(), argument.numbers.end());
        const auto* numbers = correspondence(base_of(argument.type));
        if (numbers != nullptr) {
          possible.clear();
          for (const auto& [cuda, musa] : *numbers) possible.push_back(cuda);
        }
        const auto chosen = static_cast<std::uint32_t>(possible.at((*random)() % possible.size()));
        word = (word & ~kLow) | chosen;  // The bits above an int are undefined.
        break;
      }
      case Meaning::kNarrow:
        word = static_cast<std::uint64_t>(
            static_cast<std::int64_t>(static_cast<std::int32_t>((*random)())));
        break;
      case Meaning::kInt32:
      case Meaning::kInt64:
      case Meaning::kFloating:
        break;
    }
  }
  return out;
}

std::string difference(const std::vector<Argument>& arguments, const Passing& passed,
                       const recording::LoggedCall& received) {
  std::string out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    std::uint64_t expected = 0, got = 0, mask = kLow;
    if (argument.meaning == Meaning::kFloating) {
      expected = passed.floats[argument.index];
      got = received.exchange.arguments.vectors[argument.index][0];
      if (base_of(argument.type) == "double") mask = ~std::uint64_t{0};
    } else {
      expected = passed.integers[argument.index];
      got = received_integer(received, argument.index);
    }
    switch (argument.meaning) {
      case Meaning::kPointer:
      case Meaning::kInt64:
        mask = ~std::uint64_t{0};
        break;
      case Meaning::kEnum:
        if (const auto* numbers = correspondence(base_of(argument.type))) {
          expected =
              static_cast<std::uint64_t>(numbers->at(static_cast<std::int32_t>(expected & kLow)));
        }
        break;
      case Meaning::kEnumOut:
      case Meaning::kWideOut:
      case Meaning::kStruct:
        mask = 0;
        if (got == 0) out += " argument " + std::to_string(i) + " arrived as null;";
        break;
      case Meaning::kInt32:
      case Meaning::kNarrow:
      case Meaning::kFloating:
        break;
    }
    if ((expected & mask) == (got & mask)) continue;
    out += " argument " + std::to_string(i) + " (" + argument.type + "): expected " +
           std::to_string(expected & mask) + ", MUSA got " + std::to_string(got & mask) + ";";
  }
  return out;
}

Library::Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

std::int64_t Library::call(const std::string& name, const Passing& passing) const {
  void* address = dlsym(handle_, name.c_str());
  if (address == nullptr) throw std::runtime_error(name + " is not exported");
  recording::announce(name);
  recording::Invocation invocation = recording::invocation_of(name.c_str(), 0);
  recording_arguments& arguments = invocation.exchange.arguments;
  for (std::size_t i = 0; i < kIntegers; ++i) {
    (i < 6 ? arguments.integers[i] : arguments.stack[i - 6]) = passing.integers[i];
  }
  for (std::size_t i = 0; i < kFloats; ++i) arguments.vectors[i][0] = passing.floats[i];
  recording_reset();
  recording_invoke(address, &invocation);
  return static_cast<std::int32_t>(invocation.exchange.results.rax);
}

}  // namespace adapters
