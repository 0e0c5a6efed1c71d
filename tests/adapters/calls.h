// One call of an adapted export: what is passed, what must arrive, what did.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "call_log.h"
#include "prototypes.h"

namespace adapters {

constexpr std::size_t kIntegers = 24;
constexpr std::size_t kFloats = 8;
constexpr std::size_t kBufferBytes = 256;

// What becomes of one parameter, by the two prototypes and correspondences.h.
enum class Meaning {
  kPointer,  // Arrives as it is; nobody touches what it points at.
  kEnumOut,  // MUSA writes its enumerator somewhere, CUDA's appears here.
  kWideOut,  // MUSA writes 32 bits, 64 appear here.
  kStruct,   // Points at a struct with another layout: where MUSA's lies is the adapter's business.
  kEnum,
  kInt32,
  kInt64,
  kNarrow,  // 64 bits that must fit into 32.
  kFloating,
};

struct Argument {
  Meaning meaning;
  std::string type;                // CUDA's, as spelled.
  std::size_t index = 0;           // Among the integer arguments, or among the floating ones.
  std::set<std::int64_t> numbers;  // Enumerators.
  std::size_t size = 0;            // Of a struct that it points at.
};

// Nothing where the prototypes are of different shapes: then the call is not one argument for one.
std::optional<std::vector<Argument>> arguments_of(const Prototypes& prototypes,
                                                  const AdaptedPrototype& prototype);

// Memory that the pointers point at, with a pattern that whoever writes destroys.
class Buffers {
 public:
  void fill();
  std::uint64_t address(std::size_t index) const;
  std::uint64_t word(std::size_t index) const;  // The first eight bytes.
  // The buffers that changed, but for the first `bytes` bytes of buffer `index`.
  std::string changes(std::size_t index = kIntegers, std::size_t bytes = 0) const;

 private:
  alignas(64) std::array<std::array<std::uint8_t, kBufferBytes>, kIntegers> bytes_;
};

struct Passing {
  std::array<std::uint64_t, kIntegers> integers{};
  std::array<std::uint64_t, kFloats> floats{};
};

// A random call that MUSA can serve: enumerators it has, integers that fit.
Passing random_passing(const std::vector<Argument>& arguments, const Buffers& buffers,
                       std::mt19937_64* random);

// What does not agree between a call and what `received` got; empty where all does.
std::string difference(const std::vector<Argument>& arguments, const Passing& passed,
                       const recording::LoggedCall& received);

// The library under test, in this process.
class Library {
 public:
  explicit Library(const std::string& path);
  // The low half of what came back. Throws std::runtime_error for a name that is not exported.
  std::int64_t call(const std::string& name, const Passing& passing) const;

 private:
  void* handle_;
};

}  // namespace adapters
