#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {
namespace {

// A GPU's address spaces, but for shared memory (place_shared_memory), are one memory.
void move_variables(DeviceModule* code) {
  std::vector<llvm::GlobalVariable*> moved;
  for (llvm::GlobalVariable& variable : code->module->globals()) {
    const unsigned int space = variable.getAddressSpace();
    if (space != 0 && space != kShared) moved.push_back(&variable);
  }
  for (llvm::GlobalVariable* const old : moved) {
    auto* const made = new llvm::GlobalVariable(
        *code->module, old->getValueType(), old->isConstant(), old->getLinkage(),
        old->hasInitializer() ? old->getInitializer() : nullptr, "", old);
    made->takeName(old);
    made->setAlignment(old->getAlign());
    made->setDSOLocal(true);
    for (Variable& variable : code->variables) {
      if (variable.variable != old) continue;
      variable.variable = made;
      // Programs write it, also as vectors. CUDA documents the alignment.
      made->setConstant(false);
      made->setExternallyInitialized(true);
      made->setAlignment(std::max(made->getAlign().valueOrOne(), llvm::Align(256)));
    }
    old->replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(made, old->getType()));
    old->eraseFromParent();
  }
}

// Attributes that name a processor, or that only a GPU's compiler asks for.
void make_plain(llvm::Function* function, const llvm::TargetMachine& machine) {
  for (const char* const name : {"target-features", "tune-cpu", "frame-pointer",
                                 "uniform-work-group-size", "stack-protector-buffer-size"}) {
    function->removeFnAttr(name);
  }
  function->removeFnAttr(llvm::Attribute::Convergent);
  function->removeFnAttr(llvm::Attribute::UWTable);
  function->addFnAttr("target-cpu", machine.getTargetCPU());
  // A stack of a thread is small and ends in a page that nobody may touch: no frame may pass over
  // it.
  function->addFnAttr("probe-stack", "inline-asm");
  function->setCallingConv(llvm::CallingConv::C);
}

// On a GPU a local array can be read as vectors of its size; programs count on it, and the CPU's
// instructions for vectors ask for the alignment.
void align(llvm::AllocaInst* memory) {
  const auto size = memory->getAllocationSize(memory->getModule()->getDataLayout());
  constexpr std::uint64_t kMost = 64;
  if (!size || size->isScalable() || size->getFixedValue() < 16) return;
  const std::uint64_t wanted = std::min(kMost, std::bit_floor(size->getFixedValue()));
  memory->setAlignment(std::max(memory->getAlign(), llvm::Align(wanted)));
}

// Whether threads may wait for each other by it. A variable of the thread's own is for rounding.
bool may_wait_by(const llvm::Instruction& instruction) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load != nullptr && (load->isVolatile() || load->isAtomic()) &&
         !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand()));
}

// A loop that only reads a flag must let those run that will set it.
void let_others_run(llvm::Module* module) {
  std::vector<llvm::Instruction*> loads;
  for (llvm::Function& function : *module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (may_wait_by(instruction)) loads.push_back(&instruction);
    }
  }
  if (loads.empty()) return;
  auto* const nothing = llvm::Type::getVoidTy(module->getContext());
  const llvm::FunctionCallee spin = module->getOrInsertFunction("torchada_spin_here", nothing);
  for (llvm::Instruction* const load : loads) llvm::IRBuilder<>(load).CreateCall(spin);
}

}  // namespace

std::vector<llvm::Function*> retarget(DeviceModule* code, const llvm::TargetMachine& machine,
                                      const std::string& runtime_file) {
  llvm::Module& module = *code->module;
  llvm::StripDebugInfo(module);
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  if (llvm::NamedMDNode* const flags = module.getModuleFlagsMetadata()) flags->eraseFromParent();
  move_variables(code);
  let_others_run(&module);
  // clang's name for a device function's printf.
  if (llvm::Function* const print = module.getFunction("vprintf")) print->setName("torchada_print");

  llvm::SMDiagnostic why;
  std::unique_ptr<llvm::Module> runtime = llvm::parseIRFile(runtime_file, why, module.getContext());
  if (runtime == nullptr) throw std::runtime_error(runtime_file + ": " + why.getMessage().str());
  llvm::StripDebugInfo(*runtime);
  runtime->setTargetTriple(module.getTargetTriple());
  runtime->setDataLayout(module.getDataLayout());
  constexpr char kMark[] = "torchada-runtime";
  for (llvm::Function& function : *runtime) {
    if (!function.isDeclaration()) function.addFnAttr(kMark);
  }
  if (llvm::Linker::linkModules(module, std::move(runtime))) {
    throw std::runtime_error(runtime_file + ": it does not fit the module");
  }
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(kMark)) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      functions.push_back(&function);
    }
    if (!function.isIntrinsic()) make_plain(&function, machine);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* const memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) align(memory);
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr) continue;
      call->setCallingConv(llvm::CallingConv::C);
      call->removeFnAttr(llvm::Attribute::Convergent);
    }
  }
  return functions;
}

}  // namespace kernels
