#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <stdexcept>

#include "src/host/kernels/translate/device_module.h"
#include "src/host/shared/files.h"

namespace kernels {
namespace {

std::unique_ptr<llvm::TargetMachine> make_machine(torchada_cpu_level level) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  const std::string triple = "x86_64-pc-linux-gnu";
  std::string why;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, why);
  if (target == nullptr) throw std::runtime_error("LLVM: " + why);
  const char* const cpu = level == TORCHADA_CPU_V3 ? "x86-64-v3" : "x86-64";
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, cpu, "", llvm::TargetOptions(), llvm::Reloc::PIC_));
}

// A mistake of ours, not of the program's.
void verify(const llvm::Module& module, const char* step) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (llvm::verifyModule(module, &out)) {
    throw std::runtime_error(std::string("internal error after ") + step + ": " + text);
  }
}

// `whole`: everything, after which code can be emitted; otherwise what makes code simpler.
void optimise(llvm::Module* module, llvm::TargetMachine* machine, bool whole) {
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = options.SLPVectorization = options.LoopUnrolling = whole;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager groups;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine, options);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, groups, modules);
  const llvm::OptimizationLevel level = llvm::OptimizationLevel::O3;
  llvm::ModulePassManager passes =
      whole ? builder.buildPerModuleDefaultPipeline(level)
            : builder.buildModuleSimplificationPipeline(level, llvm::ThinOrFullLTOPhase::None);
  passes.run(*module, modules);
}

// Functions of the device runtime that add_entries() calls or looks for.
bool is_called_later(const llvm::Function& function) {
  static const char* const kBegins[] = {"torchada_run_", "torchada_begin_", "torchada_end_"};
  const llvm::StringRef name = function.getName();
  return name == "torchada_frame" || llvm::is_contained(kWaits, name) ||
         llvm::any_of(kBegins, [&](const char* begin) { return name.starts_with(begin); });
}

// Keeps kernels, variables and these functions while nothing of the module uses them.
void hold(const DeviceModule& code) {
  llvm::SmallVector<llvm::GlobalValue*> held;
  for (const Kernel& kernel : code.kernels) held.push_back(kernel.function);
  for (const Variable& variable : code.variables) held.push_back(variable.variable);
  for (llvm::Function& function : *code.module) {
    if (is_called_later(function)) held.push_back(&function);
  }
  llvm::appendToCompilerUsed(*code.module, held);
}

void let_go(llvm::Module* module) {
  for (const char* const name : {"llvm.used", "llvm.compiler.used"}) {
    if (auto* const held = module->getGlobalVariable(name)) held->eraseFromParent();
  }
}

void emit(llvm::Module* module, llvm::TargetMachine* machine, const std::string& file) {
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    throw std::runtime_error("LLVM cannot write object files");
  }
  passes.run(*module);
  if (!host::write_file(file, object.str().str())) {
    throw std::runtime_error(file + ": " + host::last_error());
  }
}

}  // namespace

void drop_unreached(DeviceModule* code) {
  for (llvm::GlobalObject& value : code->module->global_objects()) {
    value.setComdat(nullptr);
    value.setSection("");
    if (value.isDeclaration() || value.getName().starts_with("llvm.")) continue;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
    value.setDSOLocal(true);
  }
  let_go(code->module.get());  // what clang keeps for programs that ask by name
  hold(*code);
  llvm::ModuleAnalysisManager analyses;
  llvm::GlobalDCEPass().run(*code->module, analyses);
  let_go(code->module.get());
}

void compile_module(DeviceModule* code, const Target& target, const std::string& runtime_file,
                    const std::string& object_file) {
  const std::unique_ptr<llvm::TargetMachine> machine = make_machine(target.cpu_level);
  llvm::Module& module = *code->module;
  check_sizes(*code);
  const std::vector<llvm::Function*> runtime = retarget(code, *machine, runtime_file);
  pass_state(code, runtime);
  verify(module, "pass_state");
  place_shared_memory(code);
  verify(module, "place_shared_memory");
  hold(*code);
  inline_waits(*code);
  optimise(&module, machine.get(), false);
  let_go(&module);
  add_entries(code, target);
  verify(module, "add_entries");
  optimise(&module, machine.get(), true);
  emit(&module, machine.get(), object_file);
}

}  // namespace kernels
