// What the driver finds in an image (torchada_image.h), and the functions that run a kernel.
//
// A plain kernel needs nothing of a thread but its position: no barrier, no operation of a warp, no
// shared memory. Whole blocks of it are run by loops (torchada_run_blocks), which a compiler can
// turn into loops over vectors. Most kernels begin by asking whether their thread has any work, as
// in `if (i < n)`, which would hinder that. So the question becomes a function of its own, and a
// copy of the kernel does not ask it.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <cstddef>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {
namespace {

// Arguments lie at multiples of 16 bytes at best, as the engine's memory for them does.
constexpr std::uint64_t kArgumentAlignment = 16;

// Up to so many instructions a kernel becomes part of the loop over its threads: what is the same
// for all of them can leave the loop only so. PyTorch's kernels of one operation have 50 to 250.
constexpr unsigned int kMostInlined = 400;

// Marks a parameter that is the address of its argument.
constexpr char kInArguments[] = "torchada-in-arguments";

struct Parameters {
  std::vector<std::uint32_t> offsets, sizes;
  std::uint32_t end = 0;
};

// As CUDA lays arguments out: one behind the other, each at a multiple of its alignment.
Parameters parameters_of(const llvm::Function& kernel) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  Parameters made;
  for (const llvm::Argument& argument : llvm::drop_begin(kernel.args())) {
    llvm::Type* const by_value = argument.getParamByValType();
    llvm::Type* const type = by_value != nullptr ? by_value : argument.getType();
    const std::uint64_t size = layout.getTypeAllocSize(type);
    std::uint64_t alignment = layout.getABITypeAlign(type).value();
    if (by_value != nullptr) alignment = argument.getParamAlign().valueOrOne().value();
    made.end = static_cast<std::uint32_t>((made.end + alignment - 1) / alignment * alignment);
    made.offsets.push_back(made.end);
    made.sizes.push_back(static_cast<std::uint32_t>(size));
    made.end += static_cast<std::uint32_t>(size);
  }
  return made;
}

// A parameter of a struct is a copy for each thread. A kernel that only reads it needs none, and
// one that writes to it makes its own.
void drop_copies(llvm::Function* kernel) {
  const llvm::DataLayout& layout = kernel->getParent()->getDataLayout();
  for (llvm::Argument& argument : llvm::drop_begin(kernel->args())) {
    if (!argument.hasByValAttr()) continue;
    llvm::Type* const type = argument.getParamByValType();
    const std::uint64_t size = layout.getTypeAllocSize(type);
    const llvm::Align alignment =
        std::min(llvm::Align(kArgumentAlignment), argument.getParamAlign().valueOrOne());
    if (!argument.onlyReadsMemory()) {
      llvm::IRBuilder<> builder(&*kernel->getEntryBlock().getFirstInsertionPt());
      llvm::AllocaInst* const copy = builder.CreateAlloca(type);
      copy->setAlignment(argument.getParamAlign().valueOrOne());
      argument.replaceAllUsesWith(copy);
      builder.CreateMemCpy(copy, copy->getAlign(), &argument, alignment, size);
      argument.addAttr(llvm::Attribute::ReadOnly);
    }
    for (const auto old : {llvm::Attribute::ByVal, llvm::Attribute::Alignment}) {
      argument.removeAttr(old);
    }
    llvm::LLVMContext& context = kernel->getContext();
    argument.addAttr(llvm::Attribute::getWithAlignment(context, alignment));
    argument.addAttr(llvm::Attribute::getWithDereferenceableBytes(context, size));
    argument.addAttr(llvm::Attribute::NoAlias);
    argument.addAttr(llvm::Attribute::get(context, kInArguments));
  }
}

bool is_position(std::uint64_t offset) { return offset < offsetof(torchada_state, engine); }

// Whether the kernel uses nothing of the state but the position.
bool is_plain(const llvm::Function& kernel) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  std::vector<const llvm::Value*> left{kernel.getArg(0)};
  while (!left.empty()) {
    const llvm::Value* const value = left.back();
    left.pop_back();
    for (const llvm::User* const user : value->users()) {
      if (const auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt offset(64, 0);
        if (!element->accumulateConstantOffset(layout, offset)) return false;
        left.push_back(element);
        continue;
      }
      const auto* const load = llvm::dyn_cast<llvm::LoadInst>(user);
      if (load == nullptr) return false;
      llvm::APInt offset(64, 0);
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
      if (!is_position(offset.getZExtValue())) return false;
    }
  }
  return true;
}

bool only_returns(const llvm::BasicBlock& block) {
  return llvm::isa<llvm::ReturnInst>(block.getFirstNonPHIOrDbg());
}

// The question with which the kernel begins; null if with none. `returns`: the answer with which
// the thread has no work.
llvm::BranchInst* question_of(llvm::Function* kernel, bool* returns) {
  llvm::BasicBlock& entry = kernel->getEntryBlock();
  auto* const branch = llvm::dyn_cast<llvm::BranchInst>(entry.getTerminator());
  if (branch == nullptr || !branch->isConditional()) return nullptr;
  *returns = only_returns(*branch->getSuccessor(0));
  if (*returns == only_returns(*branch->getSuccessor(1))) return nullptr;
  for (const llvm::Instruction& instruction : entry) {
    if (instruction.mayHaveSideEffects() || llvm::isa<llvm::AllocaInst>(instruction))
      return nullptr;
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    // Memory may change until the thread's turn comes; the position and the arguments do not.
    if (load == nullptr) continue;
    const auto* const from =
        llvm::dyn_cast<llvm::Argument>(load->getPointerOperand()->stripInBoundsOffsets());
    if (from == nullptr || (from->getArgNo() != 0 && !from->hasNoAliasAttr())) return nullptr;
  }
  return branch;
}

class Entry {
 public:
  Entry(llvm::Module* module, const Kernel& kernel, int warp_size)
      : module_(module), context_(module->getContext()), kernel_(kernel), warp_size_(warp_size) {}

  // The description of the kernel.
  llvm::GlobalVariable* make() {
    const Parameters parameters = parameters_of(*kernel_.function);
    drop_copies(kernel_.function);
    llvm::IRBuilder<> builder(context_);
    llvm::Constant* run = llvm::ConstantPointerNull::get(builder.getPtrTy());
    llvm::Constant* blocks = run;
    llvm::Constant* start = run;
    if (llvm::Function* const frames = with_frames(kernel_.function, warp_size_)) {
      start = call_of(frames, parameters, "start");
    } else {
      llvm::Function* const each = call_of(kernel_.function, parameters, "call");
      run = run_threads(each);
      if (is_plain(*kernel_.function)) blocks = run_blocks(each, parameters);
    }

    std::vector<llvm::Constant*> offsets;
    auto* const pair = llvm::StructType::get(builder.getInt32Ty(), builder.getInt32Ty());
    for (std::size_t i = 0; i < parameters.offsets.size(); ++i) {
      offsets.push_back(llvm::ConstantStruct::get(
          pair, {builder.getInt32(parameters.offsets[i]), builder.getInt32(parameters.sizes[i])}));
    }
    auto* const list =
        llvm::ConstantArray::get(llvm::ArrayType::get(pair, offsets.size()), offsets);
    return constant_in(module_,
                       llvm::ConstantStruct::getAnon(
                           {name_text(module_, kernel_.name, true), run, constant_in(module_, list),
                            builder.getInt32(static_cast<std::uint32_t>(offsets.size())),
                            builder.getInt32(parameters.end), builder.getInt32(kernel_.max_threads),
                            builder.getInt32(kernel_.shared_size), blocks, start}));
  }

  static llvm::GlobalVariable* name_text(llvm::Module* module, const std::string& name,
                                         bool is_listed) {
    llvm::GlobalVariable* const text =
        constant_in(module, llvm::ConstantDataArray::getString(module->getContext(), name));
    text->setAlignment(llvm::Align(1));
    if (is_listed) {
      text->setSection(TORCHADA_NAMES_SECTION);
      llvm::appendToUsed(*module, {text});
    }
    return text;
  }
  static llvm::GlobalVariable* constant_in(llvm::Module* module, llvm::Constant* value) {
    return new llvm::GlobalVariable(*module, value->getType(), true,
                                    llvm::GlobalValue::InternalLinkage, value, "torchada");
  }

 private:
  // A function (state, arguments) or (state, arguments, count), with a block to be filled.
  llvm::Function* entry(const std::string& kind, bool counts, llvm::Type* result) {
    llvm::Type* const pointer = llvm::PointerType::getUnqual(context_);
    std::vector<llvm::Type*> parameters{pointer, pointer};
    if (counts) parameters.push_back(llvm::Type::getInt32Ty(context_));
    llvm::Function* const made = llvm::Function::Create(
        llvm::FunctionType::get(result, parameters, false), llvm::GlobalValue::InternalLinkage,
        kernel_.function->getName() + "." + kind, module_);
    for (const char* const kept : {"target-cpu", "probe-stack"}) {
      made->addFnAttr(kernel_.function->getFnAttribute(kept));
    }
    made->addFnAttr(llvm::Attribute::NoUnwind);
    made->addParamAttr(1, llvm::Attribute::NoAlias);
    made->addParamAttr(
        1, llvm::Attribute::getWithAlignment(context_, llvm::Align(kArgumentAlignment)));
    llvm::BasicBlock::Create(context_, "", made);
    return made;
  }

  // A function (state, arguments) that calls `called` with the arguments of the kernel.
  llvm::Function* call_of(llvm::Function* called, const Parameters& parameters,
                          const std::string& kind) {
    llvm::Function* const made = entry(kind, false, called->getReturnType());
    made->addFnAttr(llvm::Attribute::AlwaysInline);
    if (parameters.end != 0) {
      made->addParamAttr(1, llvm::Attribute::getWithDereferenceableBytes(context_, parameters.end));
    }
    llvm::IRBuilder<> builder(&made->getEntryBlock());
    std::vector<llvm::Value*> values{made->getArg(0)};
    for (llvm::Argument& parameter : llvm::drop_begin(called->args())) {
      const std::uint32_t offset = parameters.offsets.at(parameter.getArgNo() - 1);
      llvm::Value* const at =
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), made->getArg(1), offset);
      llvm::Type* const type = parameter.getType();
      if (called->getAttributes().hasParamAttr(parameter.getArgNo(), kInArguments)) {
        values.push_back(at);
        continue;
      }
      llvm::Type* const stored = type->isIntegerTy(1) ? builder.getInt8Ty() : type;
      llvm::LoadInst* const load = builder.CreateAlignedLoad(
          stored, at, llvm::commonAlignment(llvm::Align(kArgumentAlignment), offset));
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
      values.push_back(stored == type ? load : builder.CreateTrunc(load, type));
    }
    llvm::CallInst* const call = builder.CreateCall(called, values);
    if (called->getInstructionCount() <= kMostInlined)
      call->addFnAttr(llvm::Attribute::AlwaysInline);
    if (call->getType()->isVoidTy()) {
      builder.CreateRetVoid();
    } else {
      builder.CreateRet(call);
    }
    return made;
  }

  llvm::Function* run_threads(llvm::Function* each) {
    llvm::Function* const made = entry("run", false, llvm::Type::getVoidTy(context_));
    llvm::IRBuilder<> builder(&made->getEntryBlock());
    builder.CreateCall(module_->getFunction("torchada_run_threads"),
                       {made->getArg(0), made->getArg(1), each});
    builder.CreateRetVoid();
    return made;
  }

  llvm::Function* run_blocks(llvm::Function* each, const Parameters& parameters) {
    bool returns = false;
    llvm::BranchInst* const question = question_of(kernel_.function, &returns);
    llvm::Function* busy = each;
    llvm::Constant* has_work = llvm::ConstantPointerNull::get(each->getType());
    if (question != nullptr) {
      has_work = call_of(question_alone(returns), parameters, "has_work");
      busy = call_of(without_question(returns), parameters, "busy");
    }
    llvm::Function* const made = entry("run_blocks", true, llvm::Type::getVoidTy(context_));
    llvm::IRBuilder<> builder(&made->getEntryBlock());
    builder.CreateCall(module_->getFunction("torchada_run_blocks"),
                       {made->getArg(0), made->getArg(1), made->getArg(2), each, has_work, busy});
    builder.CreateRetVoid();
    return made;
  }

  // The kernel's first block, with the answer as its result.
  llvm::Function* question_alone(bool returns) {
    llvm::Function* const kernel = kernel_.function;
    const llvm::FunctionType* const type = kernel->getFunctionType();
    llvm::Function* const made = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getInt1Ty(context_), type->params(), false),
        llvm::GlobalValue::InternalLinkage, kernel->getName() + ".question", module_);
    made->copyAttributesFrom(kernel);
    made->removeFnAttr(llvm::Attribute::NoInline);
    made->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::ValueToValueMapTy map;
    for (llvm::Argument& argument : kernel->args())
      map[&argument] = made->getArg(argument.getArgNo());
    llvm::BasicBlock* const block = llvm::CloneBasicBlock(&kernel->getEntryBlock(), map, "", made);
    for (llvm::Instruction& instruction : *block) {
      llvm::RemapInstruction(&instruction, map,
                             llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    }
    auto* const branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
    llvm::IRBuilder<> builder(branch);
    llvm::Value* const answer = branch->getCondition();
    builder.CreateRet(returns ? builder.CreateNot(answer) : answer);
    branch->eraseFromParent();
    return made;
  }

  llvm::Function* without_question(bool returns) {
    llvm::ValueToValueMapTy map;
    llvm::Function* const made = llvm::CloneFunction(kernel_.function, map);
    made->setName(kernel_.function->getName() + ".busy");
    auto* const branch = llvm::cast<llvm::BranchInst>(made->getEntryBlock().getTerminator());
    llvm::BasicBlock* const leaves = branch->getSuccessor(returns ? 0 : 1);
    llvm::BasicBlock* const works = branch->getSuccessor(returns ? 1 : 0);
    leaves->removePredecessor(&made->getEntryBlock());
    llvm::IRBuilder<>(branch).CreateBr(works);
    branch->eraseFromParent();
    return made;
  }

  llvm::Module* const module_;
  llvm::LLVMContext& context_;
  const Kernel& kernel_;
  const int warp_size_;
};

// What is in the arrays of pointers whose ends the image knows.
void list(llvm::Module* module, llvm::GlobalVariable* described, const char* section) {
  auto* const pointer =
      new llvm::GlobalVariable(*module, described->getType(), true,
                               llvm::GlobalValue::InternalLinkage, described, "torchada_listed");
  pointer->setSection(section);
  llvm::appendToUsed(*module, {pointer});
}

}  // namespace

void add_entries(DeviceModule* code, const Target& target) {
  llvm::Module& module = *code->module;
  for (const Kernel& kernel : code->kernels) {
    list(&module, Entry(&module, kernel, target.warp_size).make(), "torchada_kernels");
    kernel.function->removeFnAttr(llvm::Attribute::NoInline);
  }
  for (const char* const name : kWaits) {
    llvm::Function* const wait = module.getFunction(name);
    wait->removeFnAttr(llvm::Attribute::NoInline);
    wait->addFnAttr(llvm::Attribute::AlwaysInline);
  }
  llvm::IRBuilder<> builder(module.getContext());
  for (const Variable& variable : code->variables) {
    const std::uint64_t size =
        module.getDataLayout().getTypeAllocSize(variable.variable->getValueType());
    auto* const described = llvm::ConstantStruct::getAnon(
        {Entry::name_text(&module, variable.name, false), variable.variable, builder.getInt64(size),
         builder.getInt32(variable.is_constant ? 1 : 0)});
    list(&module, Entry::constant_in(&module, described), "torchada_variables");
  }
  llvm::GlobalVariable* const image = module.getGlobalVariable("torchada_image");
  auto* const old = llvm::cast<llvm::ConstantStruct>(image->getInitializer());
  std::vector<llvm::Constant*> fields;
  for (const llvm::Use& field : old->operands())
    fields.push_back(llvm::cast<llvm::Constant>(field));
  fields[1] = builder.getInt32(static_cast<std::uint32_t>(target.warp_size));
  fields[2] = builder.getInt32(target.cpu_level);
  fields[3] = builder.getInt32(target.cuda_arch);
  image->setInitializer(llvm::ConstantStruct::get(old->getType(), fields));
  llvm::appendToUsed(module, {image});
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getSection() == TORCHADA_IMAGE_SECTION) llvm::appendToUsed(module, {&variable});
  }
}

}  // namespace kernels
