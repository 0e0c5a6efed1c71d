#include "generator/decide/delegation.h"

#include "generator/decide/compare.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

using Source = DelegatedArgument::Source;

bool is_pointer(const std::string& spelled) { return spelled.find('*') != std::string::npos; }

std::string without_const(std::string spelled) {
  if (spelled.starts_with("const ")) spelled.erase(0, 6);
  return spelled;
}

class Planner {
 public:
  Planner(const Tables& tables, const Output& output, const Prototype& from,
          const Prototype& target, const Place& place)
      : forward_(tables.forward[output.library]), from_(from), target_(target), place_(place) {}

  DelegationPlan plan() {
    for (std::size_t i = 0; i < target_.parameters.size(); ++i) argument(i);
    if (next_ != from_.parameters.size()) fail("it has more parameters than the target");
    if (!returned_ && from_.returns != "void" && !out_.has_handle) fail("no result to return");
    return out_;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw TableError(place_, "cannot be delegated to the target: " + why);
  }

  void add(Source source, std::size_t parameter, const std::string& enumeration = "") {
    out_.arguments.push_back({source, parameter, enumeration});
  }

  void argument(std::size_t index) {
    const std::string& type = target_.parameters[index].type;
    if (next_ < from_.parameters.size()) {
      const std::string& given = from_.parameters[next_].type;
      if (index == 0 && given == type) out_.has_handle = true;
      if (without_const(given) == without_const(type)) return add(Source::kParameter, next_++);
      if (given == "char" && forward_.characters.count(type)) {
        return add(Source::kLetter, next_++, type);
      }
      if (!is_pointer(given) && without_const(type) == given + " *") {
        return add(Source::kAddress, next_++);
      }
    }
    if (index == 0 && !is_pointer(type)) return add(Source::kHandle, 0);
    const bool is_last = index + 1 == target_.parameters.size();
    if (is_last && !returned_ && type == from_.returns + " *") {
      returned_ = true;
      return add(Source::kResult, 0);
    }
    // The old trmm overwrites B. The new one writes to a separate matrix, which may be B.
    if (index >= 2 && next_ == from_.parameters.size() && repeats(index)) {
      out_.in_place = true;
      return add(Source::kParameter, out_.arguments[index - 2].parameter);
    }
    fail("no parameter matches " + target_.parameters[index].name + " (" + type + ")");
  }

  // Whether the parameter is the output form of the one two before it: `T *, int` after `const T *,
  // int`, where `from` has only `T *, int`.
  bool repeats(std::size_t index) const {
    const std::size_t matrix = is_pointer(target_.parameters[index].type) ? index : index - 1;
    if (matrix < 2 || matrix + 2 != target_.parameters.size()) return false;
    const std::string& output = target_.parameters[matrix].type;
    return target_.parameters[matrix - 2].type == "const " + output &&
           target_.parameters[matrix - 1].type == target_.parameters[matrix + 1].type &&
           from_.parameters.size() >= 2 &&
           from_.parameters[from_.parameters.size() - 2].type == output;
  }

  const ForwardLibrary& forward_;
  const Prototype& from_;
  const Prototype& target_;
  const Place& place_;
  std::size_t next_ = 0;  // Parameter of `from_` that is not used yet.
  bool returned_ = false;
  DelegationPlan out_;
};

}  // namespace

DelegationPlan plan_delegation(const Tables& tables, const Output& output, const Prototype& from,
                               const Prototype& target, const Place& place) {
  return Planner(tables, output, from, target, place).plan();
}

}  // namespace torchada
