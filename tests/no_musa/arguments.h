// Where the pointers of a call go. Everything else in it is zero, so that the pointers are all that
// a call needs to know of a prototype.
#pragma once

#include <string>
#include <vector>

#include "tables.h"

namespace no_musa {

constexpr unsigned kIntegerRegisters = 6;  // System V ABI, x86-64.
constexpr unsigned kVectorRegisters = 8;
constexpr unsigned kStackWords = 64;

struct PointerPlace {
  std::string name;       // Position of the parameter, from 0; "result" for a struct returned.
  bool on_stack = false;  // In a word of the stack, else in an integer register.
  unsigned index = 0;
};

// The parameters of `prototype` that are written as pointers (`T *`), as `release` has its types.
// Handles and callbacks are not among them: a program without a driver has none, so they are null.
std::vector<PointerPlace> pointers_of(const torchada::Tables& tables, const std::string& release,
                                      const torchada::Prototype& prototype);

// How a result is to be read.
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
