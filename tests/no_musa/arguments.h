// Where a call passes its pointers. Everything else in it is zero, so pointers are all that a call
// needs from a prototype.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace no_musa {

constexpr unsigned kIntegerRegisters = 6;  // System V ABI, x86-64.
constexpr unsigned kVectorRegisters = 8;
constexpr unsigned kStackWords = 64;

struct PointerPlace {
  std::string name;       // Index of the parameter, from 0; "result" for a returned struct.
  bool on_stack = false;  // In a stack word, otherwise in an integer register.
  unsigned index = 0;
};

// The parameters of `prototype` that are spelled as pointers (`T *`), with the types of `release`.
// Handles and callbacks do not count: a program without a driver has none, so they are null.
std::vector<PointerPlace> pointers_of(const torchada::Tables& tables, const std::string& release,
                                      const torchada::Prototype& prototype);

// How to read a result.
enum class ResultKind {
  kNone,
  kInteger32,
  kInteger64,
  kCharacter,
  kFloat,
  kDouble,
  kPointer,
  kText
};

ResultKind result_kind(const torchada::Tables& tables, const std::string& release,
                       const torchada::Prototype& prototype);

}  // namespace no_musa
