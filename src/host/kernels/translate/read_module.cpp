#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "src/host/kernels/translate/device_module.h"
#include "src/shared/nvcc_name.h"

namespace kernels {
namespace {

// The address spaces of NVIDIA's GPUs, as clang numbers them.
constexpr unsigned int kDevice = 1;
constexpr unsigned int kConstant = 4;

// Each source's own kernels and variables have the source in their names, as nvcc writes it.
std::string name_in_image(const llvm::GlobalValue& value, const std::string& source) {
  std::string name = value.getName().str();
  if (!torchada::kernels::is_internal(name.c_str())) return name;
  name += '@';
  for (const char c : source) name += torchada::kernels::in_source_name(c);
  return name;
}

// Kernels and their launch bounds stand in the module's annotations: value, key, number.
void read_annotations(DeviceModule* code, const std::string& source,
                      const std::set<std::string>& only) {
  llvm::NamedMDNode* const notes = code->module->getNamedMetadata("nvvm.annotations");
  if (notes == nullptr) return;
  std::map<const llvm::Function*, std::uint32_t> bounds;
  for (const llvm::MDNode* const note : notes->operands()) {
    auto* const function =
        note->getNumOperands() < 3
            ? nullptr
            : llvm::mdconst::dyn_extract_or_null<llvm::Function>(note->getOperand(0));
    if (function == nullptr || function->isDeclaration()) continue;
    for (unsigned int i = 1; i + 1 < note->getNumOperands(); i += 2) {
      const llvm::StringRef key = llvm::cast<llvm::MDString>(note->getOperand(i))->getString();
      if (key == "kernel") code->kernels.push_back({function, name_in_image(*function, source)});
      if (key != "maxntidx") continue;
      bounds[function] = static_cast<std::uint32_t>(
          llvm::mdconst::extract<llvm::ConstantInt>(note->getOperand(i + 1))->getZExtValue());
    }
  }
  std::erase_if(code->kernels, [&](const Kernel& kernel) {
    return !only.empty() && only.count(kernel.function->getName().str()) == 0;
  });
  for (Kernel& kernel : code->kernels) kernel.max_threads = bounds[kernel.function];
  notes->eraseFromParent();
}

// Functions and variables that the value's code or initialiser names.
void add_named(const llvm::Constant* constant, std::set<const llvm::Constant*>* seen,
               std::vector<const llvm::GlobalValue*>* found) {
  if (!seen->insert(constant).second) return;
  if (const auto* const value = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
    found->push_back(value);
    return;
  }
  for (const llvm::Use& part : constant->operands()) {
    if (const auto* const inner = llvm::dyn_cast<llvm::Constant>(part)) {
      add_named(inner, seen, found);
    }
  }
}

Place place_of(const llvm::Instruction& instruction) {
  const llvm::DILocation* const location = instruction.getDebugLoc().get();
  if (location == nullptr) return {};
  const std::string file = location->getFilename().str();
  const bool is_absolute = !file.empty() && file.front() == '/';
  return {is_absolute ? file : location->getDirectory().str() + "/" + file, location->getLine(),
          location->getColumn()};
}

// What the instruction needs that the stand-in has not; empty if nothing.
std::string refusal_of(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr) return "";
  const llvm::Function* const called = call->getCalledFunction();
  if (called == nullptr) return "";
  if (called->hasFnAttribute("dontcall-error")) {
    return called->getFnAttribute("dontcall-error").getValueAsString().str();
  }
  const llvm::StringRef name = called->getName();
  if (name.starts_with("llvm.nvvm.")) {
    return "an instruction of NVIDIA's GPUs (" + name.str() + ")";
  }
  return "";
}

// A function or variable of the program that its source does not define. Functions of the C library
// have plain names, and of variables our headers declare positions only.
bool is_undefined(const llvm::GlobalValue& value) {
  if (!value.isDeclaration()) return false;
  const llvm::StringRef name = value.getName();
  if (const auto* const function = llvm::dyn_cast<llvm::Function>(&value)) {
    return name.starts_with("_Z") && !name.starts_with("_ZSt") && !name.starts_with("_Zn") &&
           !name.starts_with("_Zd") && !function->hasFnAttribute("dontcall-error");
  }
  const unsigned int space = value.getAddressSpace();
  constexpr std::array kPositions = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  return (space == kDevice || space == kConstant) &&
         std::find(kPositions.begin(), kPositions.end(), name) == kPositions.end();
}

}  // namespace

DeviceModule read_module(llvm::LLVMContext* context, const std::string& file,
                         const std::string& source, const std::set<std::string>& only) {
  llvm::SMDiagnostic why;
  DeviceModule code;
  code.module = llvm::parseIRFile(file, why, *context);
  if (code.module == nullptr) throw std::runtime_error(file + ": " + why.getMessage().str());
  const std::string base = std::filesystem::path(source).filename();
  read_annotations(&code, base, only);
  for (llvm::GlobalVariable& variable : code.module->globals()) {
    const unsigned int space = variable.getAddressSpace();
    if (variable.isDeclaration() || (space != kDevice && space != kConstant)) continue;
    if (variable.getName().starts_with("torchada_name_")) continue;
    code.variables.push_back({&variable, name_in_image(variable, base), space == kConstant});
  }
  // What clang keeps for programs that ask by name: code.variables has it.
  for (const char* const kept : {"llvm.used", "llvm.compiler.used"}) {
    if (llvm::GlobalVariable* const list = code.module->getGlobalVariable(kept)) {
      list->eraseFromParent();
    }
  }
  return code;
}

std::string take_named(DeviceModule* code, const std::string& name) {
  llvm::GlobalVariable* const variable = code->module->getGlobalVariable(name, true);
  if (variable == nullptr || !variable->hasInitializer()) return "";
  const llvm::Value* const named = variable->getInitializer()->stripPointerCasts();
  std::string found;
  for (const Kernel& kernel : code->kernels) {
    if (kernel.function == named) found = kernel.function->getName().str();
  }
  for (const Variable& each : code->variables) {
    if (each.variable == named) found = each.variable->getName().str();
  }
  variable->eraseFromParent();
  return found;
}

void drop_unreached(DeviceModule* code) {
  std::set<const llvm::GlobalValue*> kept;
  for (const Kernel& kernel : code->kernels) kept.insert(kernel.function);
  for (const Variable& variable : code->variables) kept.insert(variable.variable);
  llvm::SmallVector<llvm::GlobalValue*> roots;
  for (llvm::GlobalObject& value : code->module->global_objects()) {
    value.setComdat(nullptr);
    value.setSection("");
    if (value.isDeclaration() || value.getName().starts_with("llvm.")) continue;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
    value.setDSOLocal(true);
    if (kept.count(&value) != 0) roots.push_back(&value);
  }
  llvm::appendToCompilerUsed(*code->module, roots);
  llvm::ModuleAnalysisManager analyses;
  llvm::GlobalDCEPass().run(*code->module, analyses);
  if (auto* const list = code->module->getGlobalVariable("llvm.compiler.used")) {
    list->eraseFromParent();
  }
}

std::vector<Message> find_refused(const DeviceModule& code, const std::string& headers) {
  const auto is_ours = [&](const Place& place) {
    return place.line == 0 || place.file.starts_with(headers + "/");
  };
  std::vector<Message> refused;
  std::set<std::string> told;
  std::map<const llvm::GlobalValue*, Place> reached;  // and from where in the program
  std::deque<const llvm::GlobalValue*> left;
  const auto follow = [&] {
    const llvm::GlobalValue& value = *left.front();
    const Place before = reached[&value];
    const auto reach = [&](const llvm::Constant* constant, const Place& place) {
      std::set<const llvm::Constant*> seen;
      std::vector<const llvm::GlobalValue*> found;
      add_named(constant, &seen, &found);
      for (const llvm::GlobalValue* const each : found) {
        if (reached.emplace(each, place).second) left.push_back(each);
      }
    };
    if (is_undefined(value)) {
      refused.push_back({before, llvm::demangle(value.getName()) +
                                     " of another source, as with nvcc -rdc=true (include that "
                                     "source in this one)"});
    }
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
      if (variable->hasInitializer()) reach(variable->getInitializer(), before);
    }
    const auto* const function = llvm::dyn_cast<llvm::Function>(&value);
    if (function == nullptr) return;
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const Place here = place_of(instruction);
      const Place place = is_ours(here) ? before : here;
      for (const llvm::Use& operand : instruction.operands()) {
        const auto* const constant = llvm::dyn_cast<llvm::Constant>(operand);
        if (constant != nullptr) reach(constant, place);
      }
      const std::string what = refusal_of(instruction);
      const std::string key = what + place.file + ":" + std::to_string(place.line);
      if (!what.empty() && told.insert(key).second) refused.push_back({place, what});
    }
  };
  const auto begin = [&](const llvm::GlobalValue* root) {
    const Place whole{code.module->getSourceFileName(), 0, 0};
    if (reached.emplace(root, whole).second) left.push_back(root);
    for (; !left.empty(); left.pop_front()) follow();
  };
  for (const Kernel& kernel : code.kernels) begin(kernel.function);
  for (const Variable& variable : code.variables) begin(variable.variable);
  return refused;
}

}  // namespace kernels
