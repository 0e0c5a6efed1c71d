// Votes that follow each other, as one meeting: CUB finds the lanes with the same digit by a vote
// on each of its bits. A thread leaves and goes on once then, and not for each vote.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {
namespace {

bool is_vote(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* const called = call != nullptr ? call->getCalledFunction() : nullptr;
  if (called == nullptr || called->getName() != "torchada_meet") return false;
  const auto* const kind = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(1));
  return kind != nullptr && kind->equalsInt(TORCHADA_MEET_VOTE);
}

// Votes of one block of code, with one mask.
class Votes {
 public:
  // False if what the vote is about can only be known after the first one.
  bool add(llvm::CallInst* vote) {
    if (!calls_.empty()) {
      const auto* const mask = calls_.front()->getArgOperand(2);
      if (calls_.size() == TORCHADA_MOST_VOTES || vote->getArgOperand(2) != mask) return false;
      std::vector<llvm::Instruction*> needed;
      if (!find_needed(vote->getArgOperand(3), &needed)) return false;
      for (llvm::Instruction* const each : needed) each->moveBefore(calls_.front());
    }
    calls_.push_back(vote);
    return true;
  }

  void join() {
    if (calls_.size() > 1) replace();
    calls_.clear();
  }

 private:
  // What comes after the first vote and must come before it, in its order.
  bool find_needed(llvm::Value* value, std::vector<llvm::Instruction*>* needed) const {
    auto* const made = llvm::dyn_cast<llvm::Instruction>(value);
    llvm::CallInst* const first = calls_.front();
    if (made == nullptr || made->getParent() != first->getParent() || made->comesBefore(first) ||
        llvm::is_contained(*needed, made)) {
      return true;
    }
    if (made->mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(made)) return false;
    for (llvm::Value* const operand : made->operands()) {
      if (!find_needed(operand, needed)) return false;
    }
    needed->push_back(made);
    return true;
  }

  void replace() {
    llvm::CallInst* const first = calls_.front();
    llvm::Value* const state = first->getArgOperand(0);
    llvm::IRBuilder<> builder(first);
    const auto count = static_cast<std::uint32_t>(calls_.size());
    llvm::Value* bits = builder.getInt64(0);
    for (std::uint32_t i = 0; i < count; ++i) {
      llvm::Value* const bit = builder.CreateIsNotNull(calls_[i]->getArgOperand(3));
      bits = builder.CreateOr(bits, builder.CreateShl(builder.CreateZExt(bit, bits->getType()), i));
    }
    builder.CreateCall(first->getCalledFunction(),
                       {state, builder.getInt32(TORCHADA_MEET_VOTES), first->getArgOperand(2), bits,
                        builder.getInt32(count)});
    llvm::Function* const result = first->getModule()->getFunction("torchada_end_votes");
    for (std::uint32_t i = 0; i < count; ++i) {
      calls_[i]->replaceAllUsesWith(builder.CreateCall(result, {state, builder.getInt32(i)}));
    }
    for (llvm::CallInst* const call : calls_) call->eraseFromParent();
  }

  std::vector<llvm::CallInst*> calls_;
};

}  // namespace

void join_votes(llvm::Function* function) {
  for (llvm::BasicBlock& block : *function) {
    Votes votes;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (is_vote(instruction)) {
        auto* const vote = llvm::cast<llvm::CallInst>(&instruction);
        if (votes.add(vote)) continue;
        votes.join();
        votes.add(vote);
      } else if (instruction.mayReadOrWriteMemory()) {
        votes.join();  // What other threads do meanwhile must stay between two votes.
      }
    }
    votes.join();
  }
}

}  // namespace kernels
