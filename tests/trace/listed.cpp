#include "tests/trace/listed.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tracing {

Listed read_listed(const std::string& file, const std::string& label) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  Listed out;
  bool is_meant = false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what, of;
    words >> what;
    if (what == "enum") {
      std::string type, name;
      std::int64_t number = 0;
      words >> of >> type >> number >> name;
      if (of == label) out.enumerations[type].emplace(number, name);
    } else if (what == "function") {
      Function function;
      words >> function.label >> function.soname >> function.name >> function.returns.kind >>
          function.returns.size;
      std::getline(words >> std::ws, function.return_type);
      is_meant = function.label == label;
      if (is_meant) out.functions.push_back(function);
    } else if (what == "parameter" && is_meant) {
      Parameter parameter;
      words >> parameter.name >> parameter.shape.kind >> parameter.shape.size >>
          parameter.is_const >> parameter.pointee.kind >> parameter.pointee.size;
      std::getline(words >> std::ws, parameter.type);
      std::vector<Parameter>& parameters = out.functions.back().parameters;
      if (parameter.name == "-") parameter.name = "argument" + std::to_string(parameters.size());
      parameters.push_back(parameter);
    } else if (what != "parameter") {
      throw std::runtime_error(file + ": not understood: " + line);
    }
    if (words.fail()) throw std::runtime_error(file + ": malformed: " + line);
  }
  return out;
}

}  // namespace tracing
