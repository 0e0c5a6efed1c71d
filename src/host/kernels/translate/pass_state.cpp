#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ReplaceConstant.h>

#include <cstddef>
#include <map>
#include <set>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {
namespace {

llvm::FunctionType* with_state(const llvm::FunctionType* type) {
  std::vector<llvm::Type*> parameters = {llvm::PointerType::getUnqual(type->getContext())};
  parameters.insert(parameters.end(), type->param_begin(), type->param_end());
  return llvm::FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

llvm::AttributeList with_state(const llvm::AttributeList& attributes, std::size_t parameters,
                               llvm::LLVMContext& context) {
  std::vector<llvm::AttributeSet> sets = {llvm::AttributeSet()};
  for (unsigned int i = 0; i < parameters; ++i) sets.push_back(attributes.getParamAttrs(i));
  // Attributes that name a parameter by its number would name another one.
  const llvm::AttributeSet functions =
      attributes.getFnAttrs().removeAttribute(context, llvm::Attribute::AllocSize);
  return llvm::AttributeList::get(context, functions, attributes.getRetAttrs(), sets);
}

// A function of the C library whose address is taken is called with the state like any other.
void wrap_address(llvm::Function* function) {
  const bool is_taken = function->hasAddressTaken(nullptr, true);
  if (!is_taken || function->isIntrinsic() || function->isVarArg()) return;
  llvm::Function* const wrapper =
      llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::InternalLinkage,
                             function->getName() + ".wrapper", function->getParent());
  function->replaceUsesWithIf(wrapper, [function](const llvm::Use& use) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return call == nullptr || !call->isCallee(&use) || call->getCalledOperand() != function;
  });
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function->getContext(), "", wrapper));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : wrapper->args()) arguments.push_back(&argument);
  llvm::Value* const result = builder.CreateCall(function, arguments);
  if (result->getType()->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(result);
  }
}

llvm::Function* make_with_state(llvm::Function* old) {
  llvm::Function* const made = llvm::Function::Create(
      with_state(old->getFunctionType()), old->getLinkage(), old->getAddressSpace(), "");
  old->getParent()->getFunctionList().insert(old->getIterator(), made);
  made->takeName(old);
  made->copyAttributesFrom(old);
  made->setAttributes(with_state(old->getAttributes(), old->arg_size(), old->getContext()));
  made->splice(made->begin(), old);
  auto argument = made->arg_begin();
  argument->setName("state");
  for (llvm::Argument& before : old->args()) {
    (++argument)->takeName(&before);
    before.replaceAllUsesWith(&*argument);
  }
  return made;
}

void give_state(llvm::CallBase* call) {
  llvm::Function* const caller = call->getFunction();
  std::vector<llvm::Value*> arguments = {caller->getArg(0)};
  arguments.insert(arguments.end(), call->arg_begin(), call->arg_end());
  llvm::CallInst* const made = llvm::CallInst::Create(
      with_state(call->getFunctionType()), call->getCalledOperand(), arguments, "", call);
  made->setAttributes(with_state(call->getAttributes(), call->arg_size(), call->getContext()));
  made->copyMetadata(*call);
  if (llvm::isa<llvm::FPMathOperator>(call)) made->copyFastMathFlags(call);
  call->replaceAllUsesWith(made);
  call->eraseFromParent();
}

}  // namespace

void replace_by_place(llvm::GlobalVariable* variable,
                      const std::function<llvm::Value*(llvm::Function*)>& place) {
  variable->removeDeadConstantUsers();
  llvm::convertUsersOfConstantsToInstructions({variable});
  std::map<llvm::Function*, llvm::Value*> places;
  while (!variable->use_empty()) {
    llvm::Use& use = *variable->use_begin();
    auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (user == nullptr) {  // An initialiser has its address, which no thread's own has.
      use.set(llvm::UndefValue::get(use->getType()));
      continue;
    }
    llvm::Value*& known = places[user->getFunction()];
    if (known == nullptr) known = place(user->getFunction());
    if (auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user);
        cast != nullptr && cast->getType() == known->getType()) {
      cast->replaceAllUsesWith(known);
      cast->eraseFromParent();
      continue;
    }
    llvm::Value* replacement = known;
    if (use->getType() != known->getType()) {
      auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::Instruction* const at =
          phi == nullptr ? user : phi->getIncomingBlock(use)->getTerminator();
      replacement = new llvm::AddrSpaceCastInst(known, use->getType(), "", at);
    }
    use.set(replacement);
  }
  variable->eraseFromParent();
}

void pass_state(DeviceModule* code, const std::vector<llvm::Function*>& runtime) {
  llvm::Module& module = *code->module;
  const std::set<llvm::Function*> of_runtime(runtime.begin(), runtime.end());
  std::vector<llvm::Function*> own;
  std::vector<llvm::Function*> outside;
  for (llvm::Function& function : module) {
    if (of_runtime.count(&function) != 0) continue;
    (function.isDeclaration() ? outside : own).push_back(&function);
  }
  for (llvm::Function* const function : outside) {
    bool used_by_program = false;
    for (const llvm::User* const user : function->users()) {
      const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
      used_by_program =
          used_by_program || instruction == nullptr ||
          of_runtime.count(const_cast<llvm::Function*>(instruction->getFunction())) == 0;
    }
    const std::size_t before = module.size();
    if (used_by_program) wrap_address(function);
    if (module.size() != before) own.push_back(&module.getFunctionList().back());
  }

  std::map<llvm::Function*, llvm::Function*> made;
  for (llvm::Function* const function : own) made[function] = make_with_state(function);
  for (const auto& [old, now] : made) old->replaceAllUsesWith(now);
  std::set<llvm::Function*> takes_state = of_runtime;
  for (const auto& [old, now] : made) takes_state.insert(now);
  std::vector<llvm::CallBase*> calls;
  for (const auto& [old, now] : made) {
    for (llvm::Instruction& instruction : llvm::instructions(*now)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || call->isInlineAsm()) continue;
      auto* const called = llvm::dyn_cast<llvm::Function>(call->getCalledOperand());
      if (called == nullptr || takes_state.count(called) != 0) calls.push_back(call);
    }
  }
  for (llvm::CallBase* const call : calls) give_state(call);
  for (Kernel& kernel : code->kernels) kernel.function = made.at(kernel.function);
  for (const auto& [old, now] : made) old->eraseFromParent();

  const std::map<std::string, std::size_t> fields = {
      {"threadIdx", offsetof(torchada_state, thread)},
      {"blockIdx", offsetof(torchada_state, block)},
      {"blockDim", offsetof(torchada_state, block_dim)},
      {"gridDim", offsetof(torchada_state, grid_dim)}};
  for (const auto& [name, offset] : fields) {
    llvm::GlobalVariable* const variable = module.getGlobalVariable(name);
    if (variable == nullptr || !variable->isDeclaration()) continue;
    replace_by_place(variable, [offset = offset](llvm::Function* function) {
      llvm::IRBuilder<> builder(&function->getEntryBlock(), function->getEntryBlock().begin());
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function->getArg(0), offset);
    });
  }
}

}  // namespace kernels
