// What list_prototypes.cpp lists.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tracing {

struct Shape {
  std::string kind;
  std::size_t size = 0;  // Bytes.
};

struct Parameter {
  std::string name;  // As the trace writes it.
  Shape shape;
  bool is_const = false;  // What it points at.
  Shape pointee;
  std::string type;  // The name in its spelling.
};

struct Function {
  std::string label, soname, name;
  Shape returns;
  std::string return_type;
  std::vector<Parameter> parameters;
};

using Enumeration = std::map<std::int64_t, std::string>;  // Of several names the first.

struct Listed {
  std::vector<Function> functions;                  // Of one library and major.
  std::map<std::string, Enumeration> enumerations;  // By type.
};

// Throws std::runtime_error where the file is missing or malformed.
Listed read_listed(const std::string& file, const std::string& label);

}  // namespace tracing
