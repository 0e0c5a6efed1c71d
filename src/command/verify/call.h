// Calls a function with libffi, as the tables describe it, and checks what it wrote through its
// pointers.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/command/verify/facts.h"

namespace torchada::verify {

// Memory for a result, much larger than any result. A pattern fills it, which shows what was
// written.
class OutBuffer {
 public:
  static constexpr std::size_t kSize = 8192;
  static constexpr unsigned char kPattern = 0xA5;

  OutBuffer() : bytes_(kSize, kPattern) {}
  void* data() { return bytes_.data(); }
  const unsigned char* bytes() const { return bytes_.data(); }
  std::size_t written() const;  // Up to and including the last byte that differs from the pattern.
  void clear() { bytes_.assign(kSize, kPattern); }

  template <typename T>
  T get(std::size_t offset = 0) const {
    T out;
    __builtin_memcpy(&out, bytes_.data() + offset, sizeof out);
    return out;
  }
  void* pointer() const { return get<void*>(); }
  // As wide as the table said for the call; sign extended.
  std::int64_t integer() const;

  std::size_t expected = 0;  // Bytes that the table says are written. 0 if it does not say.

 private:
  std::vector<unsigned char> bytes_;
};

// An argument, for any type that the table gives it.
struct Value {
  enum class Kind { kInteger, kReal, kPointer, kBuffer, kBytes } kind = Kind::kInteger;
  std::int64_t integer = 0;
  double real = 0;
  void* pointer = nullptr;
  OutBuffer* buffer = nullptr;
  std::vector<unsigned char> bytes = {};  // A struct by value.

  template <typename T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, int> = 0>
  Value(T number) : integer(static_cast<std::int64_t>(number)) {}
  Value(double number) : kind(Kind::kReal), real(number) {}
  Value(std::nullptr_t) : kind(Kind::kPointer) {}
  Value(const void* address) : kind(Kind::kPointer), pointer(const_cast<void*>(address)) {}
  Value(OutBuffer* place) : kind(Kind::kBuffer), buffer(place) {}
  Value(std::vector<unsigned char> content) : kind(Kind::kBytes), bytes(std::move(content)) {}
};

using Arguments = std::vector<std::pair<std::string, Value>>;  // Keys are the table's names.

struct Answer {
  std::int64_t number = 0;  // The status or result, sign extended as the table says.
  void* pointer = nullptr;
};

// A defect of the table or of the probe: a type that cannot be passed, or an unknown parameter.
struct CannotCall : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Without `spare`, arguments that the prototype does not name are an error.
Answer call(const Facts& facts, const Fact& prototype, void* function, const Arguments& arguments,
            bool spare);

// The size of a type as spelled in the tables. 0 if they do not tell.
std::size_t size_of(const Facts& facts, const std::string& type);

}  // namespace torchada::verify
