// One call of an adapted export: what is passed, what must arrive, what did arrive.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/adapters/prototypes.h"
#include "tests/recording/call_log.h"

namespace adapters {

constexpr std::size_t kIntegers = 24;
constexpr std::size_t kFloats = 8;
constexpr std::size_t kBufferBytes = 256;

// What an adapter does with one parameter, by the two prototypes and correspondences.h.
enum class Meaning {
  kPointer,  // Arrives unchanged; what it points at is not touched.
  kEnumOut,  // MUSA writes its enumerator to other memory; CUDA's appears here.
  kWideOut,  // MUSA writes 32 bits; 64 appear here.
  kStruct,   // Points at a struct with another layout. The adapter chooses the memory for MUSA's.
  kEnum,
  kInt32,
  kInt64,
  kNarrow,  // 64 bits that must fit into 32.
  kFloating,
};

struct Argument {
  Meaning meaning;
  std::string type;                // CUDA's, as spelled.
  std::size_t index = 0;           // Among the integer arguments or among the floating-point ones.
  std::set<std::int64_t> numbers;  // Enumerators.
  std::size_t size = 0;            // Size of the struct that it points at.
};

// Nothing if the shapes of the prototypes differ: then arguments do not correspond one to one.
std::optional<std::vector<Argument>> arguments_of(const Prototypes& prototypes,
                                                  const AdaptedPrototype& prototype);

// Memory for pointers, filled with a pattern that every write destroys.
class Buffers {
 public:
  void fill();
  std::uint64_t address(std::size_t index) const;
  std::uint64_t word(std::size_t index) const;  // The first eight bytes.
  // The changed buffers, ignoring the first `bytes` bytes of buffer `index`.
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

// How what `received` got differs from what must arrive; empty if it does not.
std::string difference(const std::vector<Argument>& arguments, const Passing& passed,
                       const recording::LoggedCall& received);

// The library under test, in this process.
class Library {
 public:
  explicit Library(const std::string& path);
  // The low half of the result. Throws std::runtime_error for a name that is not exported.
  std::int64_t call(const std::string& name, const Passing& passing) const;

 private:
  void* handle_;
};

}  // namespace adapters
