// Threads that wait, without a stack for each. Where all places at which a kernel waits are in the
// kernel itself, LLVM makes it a coroutine: a thread that waits keeps what it needs in a frame, and
// another goes on after a jump. A stack for each thread takes several times as long.
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <set>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {
namespace {

// Of what the engine gives for a frame, at least.
constexpr std::uint64_t kFrameAlignment = 128;
// They call the engine, and nobody comes back.
const std::set<llvm::StringRef> kEnds = {"torchada_trap", "torchada_assert_fail"};
constexpr char kAsksForStack[] = "_Z9__isLocalPKv";
// Ends the thread: where the kernel itself calls it, that is a return.
constexpr char kExit[] = "torchada_exit";

bool waits(const llvm::Function* function) {
  return llvm::is_contained(kWaits, function->getName());
}

// Whether a function or what it calls may wait, or needs a stack of its own. The target of a call
// through a pointer may; that is also how the device runtime calls the engine.
bool needs_stack(const llvm::Function* function, std::set<const llvm::Function*>* seen) {
  const llvm::StringRef name = function->getName();
  if (waits(function) || name == kAsksForStack || name == kExit) return true;
  if (kEnds.count(name) != 0 || !seen->insert(function).second) return false;
  for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) continue;
    const llvm::Function* const called = call->getCalledFunction();
    if (called == nullptr || needs_stack(called, seen)) return true;
  }
  return false;
}

bool fits_frame(const llvm::AllocaInst& local) {
  return local.isStaticAlloca() && local.getAlign() <= kFrameAlignment;
}

// The places where it waits; none if it cannot become a coroutine, or if its threads meet nowhere:
// those that only spin seldom wait.
std::vector<llvm::CallInst*> waits_of(llvm::Function* kernel) {
  std::vector<llvm::CallInst*> found;
  bool meets = false;
  std::set<const llvm::Function*> seen;
  for (llvm::Instruction& instruction : llvm::instructions(*kernel)) {
    const auto* const local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (local != nullptr && !fits_frame(*local)) return {};
    auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) continue;
    const llvm::Function* const called = call->getCalledFunction();
    if (called == nullptr) return {};
    if (waits(called)) {
      found.push_back(llvm::cast<llvm::CallInst>(call));
      meets = meets || called->getName() != "torchada_yield";
    } else if (called->getName() != kExit && needs_stack(called, &seen)) {
      return {};
    }
  }
  return meets ? found : std::vector<llvm::CallInst*>();
}

// The kernel with the frame as its result.
llvm::Function* with_result(llvm::Function* kernel) {
  llvm::LLVMContext& context = kernel->getContext();
  llvm::Function* const made = llvm::Function::Create(
      llvm::FunctionType::get(llvm::PointerType::getUnqual(context),
                              kernel->getFunctionType()->params(), false),
      llvm::GlobalValue::InternalLinkage, kernel->getName() + ".frames", kernel->getParent());
  llvm::ValueToValueMapTy map;
  for (llvm::Argument& argument : kernel->args())
    map[&argument] = made->getArg(argument.getArgNo());
  llvm::SmallVector<llvm::ReturnInst*> returns;
  llvm::CloneFunctionInto(made, kernel, map, llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  made->setPresplitCoroutine();
  made->removeFnAttr(llvm::Attribute::NoReturn);  // It returns where it waits.
  made->addFnAttr(llvm::Attribute::NoInline);
  return made;
}

class Coroutine {
 public:
  explicit Coroutine(llvm::Function* function)
      : function_(function), module_(function->getParent()), builder_(function->getContext()) {}

  void make() {
    const std::vector<llvm::CallInst*> places = waits_of(function_);
    begin();
    end();
    for (llvm::CallInst* const place : places) wait(place);
  }

 private:
  llvm::Value* call(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments,
                    llvm::ArrayRef<llvm::Type*> types = {}) {
    return builder_.CreateIntrinsic(id, types, arguments);
  }

  void begin() {
    llvm::BasicBlock* const old = &function_->getEntryBlock();
    llvm::BasicBlock* const entry =
        llvm::BasicBlock::Create(function_->getContext(), "", function_, old);
    builder_.SetInsertPoint(entry);
    auto* const null = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    id_ = call(llvm::Intrinsic::coro_id, {builder_.getInt32(kFrameAlignment), null, null, null});
    llvm::Value* const size = call(llvm::Intrinsic::coro_size, {}, {builder_.getInt64Ty()});
    llvm::Value* const memory =
        builder_.CreateCall(module_->getFunction("torchada_frame"), {function_->getArg(0), size});
    frame_ = call(llvm::Intrinsic::coro_begin, {id_, memory});
    builder_.CreateBr(old);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*old)) {
      if (llvm::isa<llvm::AllocaInst>(instruction)) instruction.moveBefore(&entry->front());
    }
  }

  // Where it leaves: for good, or until it is resumed.
  void end() {
    std::vector<llvm::Instruction*> leaving;
    std::vector<llvm::CallInst*> exits;
    for (llvm::Instruction& instruction : llvm::instructions(*function_)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const bool is_exit = call != nullptr && call->getCalledFunction() != nullptr &&
                           call->getCalledFunction()->getName() == kExit;
      if (is_exit) exits.push_back(call);
      if (llvm::isa<llvm::ReturnInst>(instruction)) leaving.push_back(&instruction);
    }
    llvm::LLVMContext& context = function_->getContext();
    leaves_ = llvm::BasicBlock::Create(context, "", function_);
    builder_.SetInsertPoint(leaves_);
    call(llvm::Intrinsic::coro_end,
         {frame_, builder_.getFalse(), llvm::ConstantTokenNone::get(context)});
    builder_.CreateRet(frame_);
    destroyed_ = llvm::BasicBlock::Create(context, "", function_);
    builder_.SetInsertPoint(destroyed_);
    call(llvm::Intrinsic::coro_free, {id_, frame_});
    builder_.CreateBr(leaves_);
    auto* const ended = llvm::BasicBlock::Create(context, "", function_);
    for (llvm::CallInst* const place : exits) {
      llvm::BasicBlock* const before = place->getParent();
      llvm::SplitBlock(before, place);  // What follows is never reached.
      place->eraseFromParent();
      leaving.push_back(before->getTerminator());
    }
    for (llvm::Instruction* const place : leaving) {
      llvm::IRBuilder<>(place).CreateBr(ended);
      place->eraseFromParent();
    }
    auto* const never = llvm::BasicBlock::Create(context, "", function_);
    builder_.SetInsertPoint(never);
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(ended);
    leave(true, never);
  }

  void leave(bool for_good, llvm::BasicBlock* resumed) {
    llvm::Value* const how =
        call(llvm::Intrinsic::coro_suspend,
             {llvm::ConstantTokenNone::get(function_->getContext()), builder_.getInt1(for_good)});
    llvm::SwitchInst* const next = builder_.CreateSwitch(how, leaves_, 2);
    next->addCase(builder_.getInt8(0), resumed);
    next->addCase(builder_.getInt8(1), destroyed_);
  }

  void wait(llvm::CallInst* place) {
    const std::string name = place->getCalledFunction()->getName().substr(9).str();
    llvm::BasicBlock* const before = place->getParent();
    llvm::BasicBlock* const after = llvm::SplitBlock(before, place);
    before->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(before);
    builder_.CreateCall(module_->getFunction("torchada_begin_" + name),
                        llvm::SmallVector<llvm::Value*>(place->args()));
    leave(false, after);
    builder_.SetInsertPoint(place);
    place->replaceAllUsesWith(
        builder_.CreateCall(module_->getFunction("torchada_end_" + name), {function_->getArg(0)}));
    place->eraseFromParent();
  }

  llvm::Function* const function_;
  llvm::Module* const module_;
  llvm::IRBuilder<> builder_;
  llvm::Value* id_ = nullptr;
  llvm::Value* frame_ = nullptr;
  llvm::BasicBlock* leaves_ = nullptr;
  llvm::BasicBlock* destroyed_ = nullptr;
};

}  // namespace

void inline_waits(const DeviceModule& code) {
  // LLVM's code before it is optimised has several times as many.
  constexpr unsigned int kMost = 2000;
  llvm::CallGraph calls(*code.module);
  std::set<const llvm::Function*> waiting;
  std::set<const llvm::Function*> kernels;
  for (const Kernel& kernel : code.kernels) kernels.insert(kernel.function);
  // Those that are called come first.
  for (auto each = llvm::scc_begin(&calls); !each.isAtEnd(); ++each) {
    llvm::Function* const function = each->front()->getFunction();
    if (each.hasCycle() || function == nullptr || waits(function)) continue;
    if (kernels.count(function) != 0) continue;
    const bool may_wait = llvm::any_of(*each->front(), [&](const auto& call) {
      const llvm::Function* const called = call.second->getFunction();
      return called != nullptr && (waits(called) || waiting.count(called) != 0);
    });
    if (!may_wait) continue;
    waiting.insert(function);
    if (!function->hasFnAttribute(llvm::Attribute::NoInline) &&
        function->getInstructionCount() <= kMost) {
      function->addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
}

llvm::Function* with_frames(llvm::Function* kernel, int warp_size) {
  if (waits_of(kernel).empty()) return nullptr;
  llvm::Function* const made = with_result(kernel);
  if (warp_size <= 32) join_votes(made);
  Coroutine(made).make();
  return made;
}

}  // namespace kernels
