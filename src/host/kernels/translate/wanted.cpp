// Of a source only what is wanted: --kernel, --variable.
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "src/host/kernels/translate/device_module.h"
#include "src/shared/clang_names.h"

namespace kernels {
namespace {

void expect(llvm::Error error) {
  if (error) throw std::runtime_error(llvm::toString(std::move(error)));
}

// What clang may call what nvcc registers under the name, and the name itself.
std::set<std::string> names_of(const std::string& name) {
  const std::vector<std::string> names = torchada::kernels::clang_names(name);
  std::set<std::string> all(names.begin(), names.end());
  all.insert(name);
  return all;
}

// Adds those of `all` with these names. Returns kind and name of one that is not there.
std::string find(const std::string& kind, const llvm::Module& module, const Values& all,
                 const std::set<std::string>& names, Values* found) {
  for (const std::string& name : names) {
    const std::size_t before = found->size();
    for (const std::string& each : names_of(name)) {
      llvm::GlobalValue* const value = module.getNamedValue(each);
      if (all.count(value) != 0) found->insert(value);
    }
    if (found->size() == before) return kind + name;
  }
  return "";
}

}  // namespace

Values reached_by(const Values& values) {
  Values reached = values;
  std::vector<llvm::GlobalValue*> left(values.begin(), values.end());
  const auto add_operands = [&](const llvm::User& user) {
    for (const llvm::Use& operand : user.operands()) {
      for (llvm::GlobalValue* const value : named_by(operand)) {
        if (reached.insert(value).second) left.push_back(value);
      }
    }
  };
  while (!left.empty()) {
    llvm::GlobalValue* const value = left.back();
    left.pop_back();
    expect(value->materialize());
    add_operands(*value);
    if (auto* const function = llvm::dyn_cast<llvm::Function>(value)) {
      for (const auto& instruction : llvm::instructions(*function)) add_operands(instruction);
    }
  }
  return reached;
}

std::string choose(DeviceModule* code, const Wanted& wanted) {
  Values kernels, variables, found;
  for (const Kernel& each : code->kernels) kernels.insert(each.function);
  for (const Variable& each : code->variables) variables.insert(each.variable);
  std::string missing = find("kernel ", *code->module, kernels, wanted.kernels, &found);
  missing += find("variable ", *code->module, variables, wanted.variables, &found);
  if (!missing.empty()) return missing;

  const Values reached = reached_by(found);
  const bool has_state = std::any_of(variables.begin(), variables.end(), [&](auto* each) {
    return reached.count(each) != 0 && !llvm::cast<llvm::GlobalVariable>(each)->isConstant();
  });
  code->is_whole = wanted.is_everything() || (wanted.whole_if_variables && has_state);
  if (!code->is_whole) {
    std::erase_if(code->kernels,
                  [&](const Kernel& each) { return found.count(each.function) == 0; });
    std::erase_if(code->variables,
                  [&](const Variable& each) { return reached.count(each.variable) == 0; });
    for (llvm::Function& function : *code->module) {
      if (reached.count(&function) != 0) continue;
      function.deleteBody();
      function.setComdat(nullptr);  // only what has a body may be in one
    }
  }
  expect(code->module->materializeAll());
  return "";
}

}  // namespace kernels
