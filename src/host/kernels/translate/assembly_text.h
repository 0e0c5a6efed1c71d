// The text of inline assembly, as instructions.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace kernels {

// One of an instruction's operands: a register, a number, an address "[a+4]", or several in braces.
struct Operand {
  std::vector<std::string> names;  // one, or those in braces
  std::string second;              // behind a bar: the predicate of shfl and setp
  bool is_address = false;
  long long offset = 0;  // of an address
};

struct Instruction {
  std::string text;                // as it is written
  std::string label;               // "L" of "L:", which is an instruction without parts
  std::string predicate;           // of @p and @!p; empty: none
  bool negated = false;            // @!p
  std::vector<std::string> parts;  // of the name: "shfl", "sync", "up", "b32"
  std::vector<Operand> operands;

  bool has(const std::string& part) const;
};

struct Assembly {
  std::vector<Instruction> instructions;
  std::set<std::string> registers;  // that it declares
  std::string wrong;                // the first statement that has not this form; empty: none
};

// Comments and braces of blocks are left out.
Assembly read_assembly(const std::string& text);

}  // namespace kernels
