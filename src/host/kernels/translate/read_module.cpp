#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

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

// Each source's own kernels and variables have the source in their names, as nvcc writes it.
std::string name_in_image(const llvm::GlobalValue& value, const std::string& source) {
  std::string name = value.getName().str();
  if (!torchada::kernels::is_internal(name.c_str())) return name;
  name += '@';
  for (const char c : source) name += torchada::kernels::in_source_name(c);
  return name;
}

// Kernels and their launch bounds stand in the module's annotations: value, key, number.
void read_annotations(DeviceModule* code, const std::string& source) {
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
  for (Kernel& kernel : code->kernels) kernel.max_threads = bounds[kernel.function];
  notes->eraseFromParent();
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
  const llvm::Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
  if (called == nullptr) return "";
  const llvm::Attribute reason = called->getFnAttribute("dontcall-error");
  if (reason.isValid()) return reason.getValueAsString().str();
  const llvm::StringRef name = called->getName();
  const bool is_of_gpu = name.starts_with("llvm.nvvm.");
  return is_of_gpu ? "an instruction of NVIDIA's GPUs (" + name.str() + ")" : "";
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
  return (space == kDevice || space == kConstant) && !llvm::is_contained(kPositions, name);
}

}  // namespace

std::vector<llvm::GlobalValue*> named_by(llvm::Value* operand) {
  std::vector<llvm::GlobalValue*> found;
  std::set<llvm::Value*> seen;
  std::vector<llvm::Value*> left = {operand};
  while (!left.empty()) {
    auto* const part = llvm::dyn_cast<llvm::Constant>(left.back());
    left.pop_back();
    if (part == nullptr || llvm::isa<llvm::ConstantData>(part)) continue;
    if (auto* const value = llvm::dyn_cast<llvm::GlobalValue>(part)) {
      found.push_back(value);
    } else if (seen.insert(part).second) {
      left.insert(left.end(), part->value_op_begin(), part->value_op_end());
    }
  }
  return found;
}

DeviceModule read_module(llvm::LLVMContext* context, const std::string& bitcode,
                         const std::string& source) {
  DeviceModule code;
  auto module = llvm::getLazyBitcodeModule({bitcode, source}, *context);
  if (!module) throw std::runtime_error(llvm::toString(module.takeError()));
  code.module = std::move(*module);
  const std::string base = std::filesystem::path(source).filename();
  read_annotations(&code, base);
  for (llvm::GlobalVariable& variable : code.module->globals()) {
    const unsigned int space = variable.getAddressSpace();
    if (variable.isDeclaration() || (space != kDevice && space != kConstant)) continue;
    if (variable.getName().starts_with("torchada_name_")) continue;
    code.variables.push_back({&variable, name_in_image(variable, base), space == kConstant});
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
    const auto reach = [&](llvm::Value* operand, const Place& place) {
      for (const llvm::GlobalValue* const each : named_by(operand)) {
        if (reached.emplace(each, place).second) left.push_back(each);
      }
    };
    if (is_undefined(value)) {
      refused.push_back({before, llvm::demangle(value.getName()) +
                                     " of another source, as with nvcc -rdc=true (include that "
                                     "source in this one)"});
    }
    for (const llvm::Use& operand : value.operands()) reach(operand, before);
    const auto* const function = llvm::dyn_cast<llvm::Function>(&value);
    if (function == nullptr) return;
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const Place here = place_of(instruction);
      const Place place = is_ours(here) ? before : here;
      for (const llvm::Use& operand : instruction.operands()) reach(operand, place);
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
