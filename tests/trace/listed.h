// The prototypes that list_prototypes.cpp lists.
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
  bool is_const = false;  // Of what it points at.
  Shape pointee;
  std::string type;  // The type name in its spelling.
};

struct Function {
  std::string label, soname, name;
  Shape returns;
  std::string return_type;
  std::vector<Parameter> parameters;
};

using Enumeration = std::map<std::int64_t, std::string>;  // The first of several names.

struct Listed {
  std::vector<Function> functions;                  // Functions of one library and major.
  std::map<std::string, Enumeration> enumerations;  // By type.
};

// Throws std::runtime_error if the file is missing or malformed.
Listed read_listed(const std::string& file, const std::string& label);

}  // namespace tracing
