#include "generator/decide/guards.h"

#include <sstream>

#include "generator/decide/compare.h"
#include "generator/decide/standing.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

constexpr int kRegisters = 6;  // Every supported ABI passes at least six integers in registers.

class Finder {
 public:
  Finder(const Tables& tables, const Output& output, const CudaSymbol& symbol,
         const ForwardRow& row)
      : tables_(tables), output_(output), symbol_(symbol), row_(row) {}

  Guard find() const {
    const Prototype* prototype = prototype_in(symbol_, output_);
    if (!prototype) fail("cannot have a guard: its prototype is not known");
    const std::string& path = row_.guard.parameter;
    const std::size_t dot = path.find('.');
    const std::string name = path.substr(0, dot);
    Guard out;
    out.symbol = symbol_.name;
    out.entry = "torchada_guard_" + symbol_.name;
    out.is_kernel = row_.guard.is_kernel;
    if (row_.guard.answered != Answered::kNever) {
      out.answer = "torchada_registered_" + symbol_.name;
    }
    out.answers_always = row_.guard.answered == Answered::kAlways;
    for (const Parameter& parameter : prototype->parameters) {
      if (parameter.name != name) {
        out.word += registers_of(parameter.type);
        continue;
      }
      if (out.word >= kRegisters) fail("parameter '" + name + "' is not passed in a register");
      if (dot != std::string::npos) out.offset = offset_of(parameter.type, path.substr(dot + 1));
      return out;
    }
    fail("no parameter '" + name + "'");
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw TableError(row_.place, symbol_.name + " in " + output_.soname + ": " + why);
  }

  int registers_of(const std::string& spelled) const {
    if (spelled.find('*') != std::string::npos) return 1;
    const std::string base = base_type(spelled);
    // Guards do not save vector registers.
    if (base == "float" || base == "double") fail("a guard cannot check a floating-point argument");
    if (is_c_type(base)) return 1;
    const TypeFact* fact = fact_in(tables_, base, output_);
    if (!fact) fail("type '" + base + "' is not known");
    if (fact->kind != TypeKind::kStruct) return 1;
    if (fact->structure.size > 16) fail(base + " is not passed in registers");
    return fact->structure.size > 8 ? 2 : 1;
  }

  // `path` is a member of the struct that `spelled` points at, possibly nested: "kernel.func".
  int offset_of(const std::string& spelled, const std::string& path) const {
    if (spelled.find('*') == std::string::npos) fail(spelled + " is not a pointer");
    return member_at(base_type(spelled), path);
  }

  int member_at(const std::string& type, const std::string& path) const {
    const TypeFact* fact = fact_in(tables_, type, output_);
    if (!fact || fact->kind != TypeKind::kStruct) fail(type + " is not a struct");
    const std::size_t dot = path.find('.');
    const std::string member = path.substr(0, dot);
    for (const Field& field : fact->structure.fields) {
      if (field.name != member) continue;
      const auto offset = static_cast<int>(field.offset);
      if (dot == std::string::npos) return offset;
      return offset + member_at(field.type, path.substr(dot + 1));
    }
    fail(type + " has no member '" + member + "'");
  }

  const Tables& tables_;
  const Output& output_;
  const CudaSymbol& symbol_;
  const ForwardRow& row_;
};

}  // namespace

Guard guard_of(const Tables& tables, const Output& output, const CudaSymbol& symbol,
               const ForwardRow& row) {
  return Finder(tables, output, symbol, row).find();
}

std::string guard_table(const std::vector<Guard>& guards, std::size_t first) {
  if (guards.empty()) return "";
  std::ostringstream out;
  out << "extern \"C\" const Guard torchada_guards[] = {\n";
  for (std::size_t i = 0; i < guards.size(); ++i) {
    const Guard& guard = guards[i];
    out << "    {" << guard.index << ", " << first + i << ", " << guard.word << ", " << guard.offset
        << ", " << (guard.is_kernel ? "true" : "false") << ", "
        << (guard.answers_always ? "true" : "false") << ", "
        << (guard.answer.empty() ? "nullptr" : "reinterpret_cast<void*>(" + guard.answer + ")")
        << "},  // " << guard.symbol << "\n";
  }
  out << "};\n\n";
  return out.str();
}

}  // namespace torchada
