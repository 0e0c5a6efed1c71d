#include "generator/decide/delegation.h"

#include <set>

#include "generator/decide/calls.h"
#include "generator/decide/compare.h"
#include "generator/decide/enumerators.h"
#include "generator/decide/per_thread.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

using Source = DelegatedArgument::Source;

bool is_pointer(const std::string& spelled) { return spelled.find('*') != std::string::npos; }

std::string without_const(std::string spelled) {
  if (spelled.starts_with("const ")) spelled.erase(0, 6);
  return spelled;
}

// Whether C converts every value of the one type to the other without loss.
bool widens(const std::string& from, const std::string& to) {
  if (is_pointer(from) && without_const(to) == "void *" && without_const(from) != "void *") {
    return to.starts_with("const ") || !from.starts_with("const ");
  }
  return from == "unsigned int" && (to == "size_t" || to == "unsigned long long");
}

const Prototype& known_prototype(const CudaSymbol& symbol, const Output& output,
                                 const std::string& what, const Place& place) {
  if (const Prototype* out = prototype_in(symbol, output)) return *out;
  throw TableError(place, what + ": the prototype of " + symbol.name + " is not known");
}

class Planner {
 public:
  Planner(const Tables& tables, const Output& output, const CudaSymbol& symbol,
          const CudaSymbol& target, const ForwardRow& row)
      : tables_(tables),
        forward_(tables.forward[output.library]),
        own_stream_(tables.registry.libraries[output.library].own_stream),
        row_(row),
        from_(known_prototype(symbol, output, "cannot be delegated", row.place)),
        target_(known_prototype(target, output, "cannot be delegated", row.place)),
        is_own_(is_per_thread(symbol.name) && !is_per_thread(target.name)),
        waits_(is_own_ && symbol.name.ends_with("_ptds")) {}

  DelegationPlan plan() {
    if (waits_) out_.wait = OwnWait::kBefore;
    for (std::size_t i = 0; i < target_.parameters.size(); ++i) argument(i);
    skip_ignored();
    if (next_ != from_.parameters.size()) fail("it has more parameters than the target");
    if (out_.keeps_handle && !returned_ && from_.returns != "void" && !returns_status()) {
      fail("no result to return");
    }
    if (is_own_ && !waits_ && !takes_stream_) fail("it takes no stream");
    for (const auto& [name, value] : row_.delegated.with) {
      if (!used_.contains(name)) fail("the target has no parameter " + name);
    }
    for (const std::string& name : row_.delegated.ignores) {
      if (!used_.contains(name)) fail("it has no parameter " + name);
    }
    return out_;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw TableError(row_.place, "cannot be delegated to the target: " + why);
  }

  bool returns_status() const { return from_.returns == forward_.status.type; }

  void add(Source source, std::size_t parameter, const std::string& text = "") {
    out_.arguments.push_back({source, parameter, text});
  }

  void skip_ignored() {
    while (next_ < from_.parameters.size() &&
           contains(row_.delegated.ignores, from_.parameters[next_].name)) {
      used_.insert(from_.parameters[next_++].name);
    }
  }

  // C++ for what `with` gives for a parameter.
  std::string constant(const Parameter& parameter, const std::string& text) const {
    if (text == "null") return "nullptr";
    if (text.find_first_not_of("0123456789") == std::string::npos) return text;
    return std::to_string(cuda_enumerator_value(tables_, parameter.type, text, row_.place));
  }

  void stream(std::size_t index, const std::string& given) {
    takes_stream_ = true;
    if (given == own_stream_.type) return add(Source::kStream, next_++);
    // The stream that the asynchronous form of a function takes.
    if (!waits_ || index + 1 != target_.parameters.size()) fail("it has no stream");
    out_.wait = OwnWait::kAfter;
    add(Source::kOwnStream, 0);
  }

  void argument(std::size_t index) {
    const std::string& type = target_.parameters[index].type;
    skip_ignored();
    const auto with = row_.delegated.with.find(target_.parameters[index].name);
    if (with != row_.delegated.with.end()) {
      used_.insert(with->first);
      return add(Source::kConstant, 0, constant(target_.parameters[index], with->second));
    }
    const std::string given =
        next_ < from_.parameters.size() ? from_.parameters[next_].type : std::string();
    if (is_own_ && type == own_stream_.type) return stream(index, given);
    if (!given.empty()) {
      const bool is_same = without_const(given) == without_const(type) || widens(given, type);
      if (is_same) return add(Source::kParameter, next_++);
      if (given == "char" && forward_.characters.count(type)) {
        return add(Source::kLetter, next_++, type);
      }
      if (!is_pointer(given) && without_const(type) == given + " *") {
        return add(Source::kAddress, next_++);
      }
    }
    if (index == 0 && !is_pointer(type) && !forward_.characters.empty()) {
      out_.keeps_handle = true;
      return add(Source::kHandle, 0);
    }
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

  const Tables& tables_;
  const ForwardLibrary& forward_;
  const OwnStream& own_stream_;
  const ForwardRow& row_;
  const Prototype& from_;
  const Prototype& target_;
  const bool is_own_;     // A null stream is the thread's own; the target takes another for it.
  const bool waits_;      // For that stream.
  std::size_t next_ = 0;  // Parameter of `from_` that is not used yet.
  bool returned_ = false;
  bool takes_stream_ = false;
  std::set<std::string> used_;  // Parameters that the row names.
  DelegationPlan out_;
};

}  // namespace

const CudaSymbol& delegation_target(const Tables& tables, const Output& output,
                                    const CudaSymbol& symbol, const ForwardRow& row,
                                    const std::string& name) {
  const Call target = find_call(tables, output, name);
  const ForwardRow* next =
      target.own ? row_of(tables.forward[output.library], name, output.abi) : nullptr;
  if (next && next->decision != RowDecision::kDelegated) return *target.own;
  throw TableError(row.place,
                   symbol.name + ": cannot be delegated to " + name +
                       ": expected an export of this library whose own row is not 'delegated'");
}

DelegationPlan plan_delegation(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                               const CudaSymbol& target, const ForwardRow& row) {
  return Planner(tables, output, symbol, target, row).plan();
}

}  // namespace torchada
