// The documented conditions of a function, as torchada-gen writes them for
// stubs/adapting/conditions.h: a program for a machine with a stack of 64-bit numbers.
#pragma once

#include <stdint.h>

namespace torchada {

enum class ConditionStep : uint8_t {
  kEnd,        // No condition is broken.
  kArgument,   // Pushes an argument, by its number in the next byte.
  kNumber,     // Pushes the signed number in the next two bytes, the low one first.
  kMax,        // Each of these replaces two numbers by one.
  kAdd,        //
  kRemainder,  //
  kEqual,      // 1 or 0.
  kUnequal,    //
  kLess,       //
  kAtMost,     //
  kOr,         //
  kChoose,     // Replaces three numbers by the second or, if the first is 0, by the third.
  kDemand,     // Takes one. If it is 0, the condition is broken: the status is in the next byte.
};

constexpr int kConditionDepth = 8;       // Numbers on the stack, at most.
constexpr int kConditionArguments = 24;  // Arguments of one program, at most.

}  // namespace torchada
