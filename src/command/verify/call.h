// Calls a function as the tables say it is called (libffi), and looks what it wrote through its
// pointers.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "facts.h"

namespace torchada::verify {

// A place for a result, much larger than any: filled with a pattern, so that it shows what was
// written.
class Room {
 public:
  static constexpr std::size_t kSize = 8192;
  static constexpr unsigned char kPattern = 0xA5;

  Room() : bytes_(kSize, kPattern) {}
  void* data() { return bytes_.data(); }
  const unsigned char* bytes() const { return bytes_.data(); }
  std::size_t written() const;  // Up to and with the last byte that is no longer the pattern.
  void clear() { bytes_.assign(kSize, kPattern); }

  template <typename T>
  T get(std::size_t offset = 0) const {
    T out;
    __builtin_memcpy(&out, bytes_.data() + offset, sizeof out);
    return out;
  }
  void* pointer() const { return get<void*>(); }
  // As wide as the table said when it was passed; sign extended.
  std::int64_t integer() const;

  std::size_t expected = 0;  // Bytes that the table says are written; 0 where it does not.

 private:
  std::vector<unsigned char> bytes_;
};

// An argument, whatever the table takes it for.
struct Value {
  enum class Kind { kInteger, kReal, kPointer, kRoom, kBytes } kind = Kind::kInteger;
  std::int64_t integer = 0;
  double real = 0;
  void* pointer = nullptr;
  Room* room = nullptr;
  std::vector<unsigned char> bytes = {};  // Of a struct by value.

  template <typename T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, int> = 0>
  Value(T number) : integer(static_cast<std::int64_t>(number)) {}
  Value(double number) : kind(Kind::kReal), real(number) {}
  Value(std::nullptr_t) : kind(Kind::kPointer) {}
  Value(const void* address) : kind(Kind::kPointer), pointer(const_cast<void*>(address)) {}
  Value(Room* place) : kind(Kind::kRoom), room(place) {}
  Value(std::vector<unsigned char> content) : kind(Kind::kBytes), bytes(std::move(content)) {}
};

using Arguments = std::vector<std::pair<std::string, Value>>;  // By the table's parameter names.

struct Answer {
  std::int64_t number = 0;  // Status, or what is returned, sign extended as the table says.
  void* pointer = nullptr;
};

// A defect of the table or of the probe: a type nobody can pass, a parameter that is not there.
struct CannotCall : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Arguments that the prototype does not name are an error unless `spare`.
Answer call(const Facts& facts, const Fact& prototype, void* function, const Arguments& arguments,
            bool spare);

// Bytes of a type as the tables spell it, 0 where they do not tell.
std::size_t size_of(const Facts& facts, const std::string& type);

}  // namespace torchada::verify
