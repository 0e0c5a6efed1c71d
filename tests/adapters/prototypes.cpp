#include "tests/adapters/prototypes.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace adapters {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, '|');) {
    if (word != "-") out.push_back(word);
  }
  return out;
}

bool is_pointer(const std::string& spelled) {
  return spelled.find('*') != std::string::npos || spelled.find('[') != std::string::npos;
}

}  // namespace

std::string base_of(const std::string& spelled) {
  std::string out = spelled;
  const std::string qualifier = "const ";
  for (std::size_t at; (at = out.find(qualifier)) != std::string::npos;) {
    out.erase(at, qualifier.size());
  }
  out.resize(std::min(out.size(), out.find_first_of("*[")));
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

Prototypes::Prototypes(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what, label, name, rest;
    words >> what;
    if (what == "symbol") {
      AdaptedPrototype prototype;
      words >> prototype.label >> prototype.cuda >> prototype.musa >> prototype.cuda_returns >>
          prototype.musa_returns;
      all_.push_back(prototype);
    } else if ((what == "cuda" || what == "musa") && !all_.empty() && line.size() > 5) {
      (what == "cuda" ? all_.back().cuda_parameters : all_.back().musa_parameters) =
          split(line.substr(5));
    } else if (what == "type") {
      words >> label >> name;
      Type& type = types_[label + " " + name];
      words >> type.kind;
      std::getline(words >> std::ws, type.underlying);
    } else if (what == "enum") {
      std::int64_t number = 0;
      words >> label >> name >> number;
      types_[label + " " + name].numbers.insert(number);
      words >> rest;
      enumerators_[label + " " + rest] = number;
    } else if (what == "names" && !all_.empty()) {
      all_.back().names = split(line.substr(6));
    } else if (what == "condition" && !all_.empty()) {
      words >> name;
      std::getline(words >> std::ws, rest);
      all_.back().conditions.push_back({name, rest});
    } else {
      throw std::runtime_error(file + ": what is this: " + line);
    }
  }
}

Passed Prototypes::passed(const std::string& label, const std::string& spelled) const {
  if (is_pointer(spelled)) return Passed::kPointer;
  const std::string base = base_of(spelled);
  static const std::set<std::string> kInt32 = {"int", "unsigned int", "int32_t", "uint32_t"};
  static const std::set<std::string> kInt64 = {
      "long",      "unsigned long", "long long", "unsigned long long", "size_t",
      "ptrdiff_t", "int64_t",       "uint64_t",  "intptr_t",           "uintptr_t"};
  if (kInt32.count(base) != 0) return Passed::kInt32;
  if (kInt64.count(base) != 0) return Passed::kInt64;
  if (base == "float" || base == "double") return Passed::kFloating;
  const auto found = types_.find(label + " " + base);
  if (found == types_.end()) {
    // Only a name: a handle. Short C types are not.
    return base.find("_t") != std::string::npos ? Passed::kPointer : Passed::kOther;
  }
  const Type& type = found->second;
  if (type.kind == "enum") return Passed::kEnum;
  if (type.kind == "handle" || type.kind == "callback") return Passed::kPointer;
  if (type.kind == "scalar") return passed(label, type.underlying);
  return Passed::kOther;
}

std::size_t Prototypes::size(const std::string& label, const std::string& spelled) const {
  const auto found = types_.find(label + " " + base_of(spelled));
  if (found == types_.end() || found->second.kind != "struct") return 0;
  return static_cast<std::size_t>(std::strtoul(found->second.underlying.c_str(), nullptr, 10));
}

bool Prototypes::same_layout(const std::string& label, const std::string& cuda,
                             const std::string& musa) const {
  const auto ours = types_.find(label + " " + base_of(cuda));
  const auto theirs = types_.find("musa " + base_of(musa));
  // If MUSA's layout is not known, it can only be assumed to be the same.
  if (ours == types_.end() || theirs == types_.end() || size("musa", musa) == 0) return true;
  return ours->second.underlying == theirs->second.underlying;
}

std::set<std::int64_t> Prototypes::numbers(const std::string& label,
                                           const std::string& spelled) const {
  const auto found = types_.find(label + " " + base_of(spelled));
  return found == types_.end() ? std::set<std::int64_t>() : found->second.numbers;
}

}  // namespace adapters
