// The parameters and results of every export, for tracing. torchada-gen emits the tables from
// mappings/cuda (generator/emit_prototypes.cpp). Numbers in them are indices into each other.
#pragma once

#include <cstdint>

namespace torchada {

enum class ValueKind : std::uint8_t {
  kVoid,
  kSigned,
  kUnsigned,
  kFloating,
  kCharacter,  // A char: a single character, or part of a text.
  kEnum,
  kPointer,   // `target` is what it points at.
  kHandle,    // An opaque pointer.
  kStruct,    // A struct or a union, whose members overlap.
  kArray,     // `count` times `target`.
  kCallback,  // A pointer to a function of the program.
  kOpaque,    // Nothing is known about it; occurs only behind a pointer.
};

struct ValueType {
  ValueKind kind;
  bool is_const;  // kPointer: the function does not write what it points at.
  std::uint16_t alignment;
  std::uint32_t size;    // Bytes.
  std::uint32_t target;  // A type; for kCallback the type that it returns.
  // kEnum: range in prototype_enumerators. kStruct, kCallback: range in prototype_members. kArray:
  // only `count` is used.
  std::uint32_t first, count;
};

struct Enumerator {
  std::int64_t value;  // Ascending within an enumeration, each once.
  std::uint32_t name;
};

// Member of a struct, or parameter of a function. `name` may be empty.
struct Member {
  std::uint32_t name;
  std::uint32_t type;
  std::uint32_t offset;  // Bytes; 0 for a parameter.
};

struct FunctionPrototype {
  std::uint32_t name;
  std::uint32_t returns;       // Type.
  std::uint32_t first, count;  // Range in prototype_members.
};

struct LibraryPrototypes {
  std::uint32_t soname;
  std::uint32_t first, count;  // Range in prototype_functions, sorted by name.
};

extern const char prototype_strings[];
extern const ValueType prototype_types[];
extern const Enumerator prototype_enumerators[];
extern const Member prototype_members[];
extern const FunctionPrototype prototype_functions[];
extern const LibraryPrototypes prototype_libraries[];
extern const std::uint32_t prototype_library_count;

// Null if the tables do not have the prototype.
const FunctionPrototype* find_prototype(const char* soname, const char* function);

inline const char* text_at(std::uint32_t offset) { return prototype_strings + offset; }
inline const ValueType& type_at(std::uint32_t index) { return prototype_types[index]; }

// Null if the enumeration has no such number.
const char* enumerator_name(const ValueType& type, std::int64_t value);

}  // namespace torchada
