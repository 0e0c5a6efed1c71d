// What every export takes and returns, as tracing needs it. torchada-gen emits the tables from
// mappings/cuda (generator/emit_prototypes.cpp); everything in them is a place in another of them.
#pragma once

#include <cstdint>

namespace torchada {

enum class ValueKind : std::uint8_t {
  kVoid,
  kSigned,
  kUnsigned,
  kFloating,
  kCharacter,  // A char: a letter, or part of a text.
  kEnum,
  kPointer,   // `target` is what it points at.
  kHandle,    // A pointer into what is nobody's business.
  kStruct,    // Also unions: members that overlap.
  kArray,     // `count` times `target`.
  kCallback,  // A pointer to a function of the program's.
  kOpaque,    // Only ever behind a pointer: nothing is known of it.
};

struct ValueType {
  ValueKind kind;
  bool is_const;  // kPointer: what it points at is not written.
  std::uint16_t alignment;
  std::uint32_t size;    // Bytes.
  std::uint32_t target;  // Type; kCallback: what it returns.
  // kEnum: in prototype_enumerators. kStruct, kCallback: in prototype_members. kArray: `count`
  // alone.
  std::uint32_t first, count;
};

struct Enumerator {
  std::int64_t value;  // Ascending within an enumeration, each once.
  std::uint32_t name;
};

// Member of a struct, or parameter of a function; `name` may be empty.
struct Member {
  std::uint32_t name;
  std::uint32_t type;
  std::uint32_t offset;  // Bytes; of a parameter 0.
};

struct FunctionPrototype {
  std::uint32_t name;
  std::uint32_t returns;       // Type.
  std::uint32_t first, count;  // In prototype_members.
};

struct LibraryPrototypes {
  std::uint32_t soname;
  std::uint32_t first, count;  // In prototype_functions, sorted by name.
};

extern const char prototype_strings[];
extern const ValueType prototype_types[];
extern const Enumerator prototype_enumerators[];
extern const Member prototype_members[];
extern const FunctionPrototype prototype_functions[];
extern const LibraryPrototypes prototype_libraries[];
extern const std::uint32_t prototype_library_count;

// Null where the tables do not know the prototype.
const FunctionPrototype* find_prototype(const char* soname, const char* function);

inline const char* text_at(std::uint32_t offset) { return prototype_strings + offset; }
inline const ValueType& type_at(std::uint32_t index) { return prototype_types[index]; }

// Null where the enumeration has no such number.
const char* enumerator_name(const ValueType& type, std::int64_t value);

}  // namespace torchada
