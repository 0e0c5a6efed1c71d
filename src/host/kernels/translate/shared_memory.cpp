// Where the __shared__ variables of kernels lie. All variables of a kernel, with those of the
// functions that it reaches, have places of their own in one piece of memory. Variables that no
// kernel has together may have the same place: a function that two kernels call has one place for
// its variable, and a source with many kernels needs no more than the largest.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {
namespace {

constexpr std::uint32_t kMost = 48 << 10;  // engine/grid.h

struct Placed {
  llvm::GlobalVariable* variable;
  std::uint64_t size, alignment;
  std::set<std::size_t> kernels;
  std::uint64_t offset = 0;
};

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

// The lowest place that is free in all kernels of the variable.
void place(Placed* variable, std::span<const Placed> before) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
  for (const Placed& other : before) {
    const bool meets =
        std::any_of(other.kernels.begin(), other.kernels.end(),
                    [&](std::size_t each) { return variable->kernels.count(each) != 0; });
    if (meets) taken.emplace_back(other.offset, other.offset + other.size);
  }
  std::sort(taken.begin(), taken.end());
  std::uint64_t at = 0;
  for (const auto& [begin, end] : taken) {
    if (begin >= at + variable->size) break;
    at = std::max(at, round_up(end, variable->alignment));
  }
  variable->offset = at;
}

// Loaded at the beginning of a function: it never changes while a block runs.
llvm::Value* field_of_state(llvm::Function* function, std::size_t offset) {
  llvm::IRBuilder<> builder(&function->getEntryBlock(), function->getEntryBlock().begin());
  llvm::Value* const field =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function->getArg(0), offset);
  llvm::LoadInst* const memory = builder.CreateLoad(builder.getPtrTy(), field);
  memory->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(function->getContext(), {}));
  return memory;
}

}  // namespace

void place_shared_memory(DeviceModule* code) {
  const llvm::DataLayout& layout = code->module->getDataLayout();
  std::map<llvm::GlobalVariable*, Placed> found;
  for (std::size_t i = 0; i < code->kernels.size(); ++i) {
    for (llvm::GlobalValue* const value : reached_by({code->kernels[i].function})) {
      auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
      if (variable == nullptr || variable->isDeclaration()) continue;
      if (variable->getAddressSpace() != kShared) continue;
      llvm::Type* const type = variable->getValueType();
      Placed& placed = found[variable];
      placed.variable = variable;
      placed.size = layout.getTypeAllocSize(type);
      placed.alignment =
          std::max(variable->getAlign().valueOrOne(), layout.getABITypeAlign(type)).value();
      placed.kernels.insert(i);
    }
  }
  // Those of many kernels first, then the large ones: it leaves few gaps. The name makes the order
  // the same in each build.
  std::vector<Placed> all;
  for (const auto& [variable, placed] : found) all.push_back(placed);
  std::sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
    if (a.kernels.size() != b.kernels.size()) return a.kernels.size() > b.kernels.size();
    if (a.alignment != b.alignment) return a.alignment > b.alignment;
    return a.variable->getName() < b.variable->getName();
  });
  for (Placed& variable : all) {
    place(&variable, {all.data(), &variable});
    for (const std::size_t kernel : variable.kernels) {
      std::uint64_t& size = code->kernels[kernel].shared_size;
      size = std::max(size, variable.offset + variable.size);
    }
  }

  for (const Kernel& kernel : code->kernels) {
    expect("the __shared__ variables of kernel " + kernel.name + " have", kernel.shared_size,
           kMost);
  }
  std::map<const llvm::GlobalVariable*, std::uint64_t> offsets;
  for (const Placed& each : all) offsets[each.variable] = each.offset;
  std::vector<llvm::GlobalVariable*> shared;
  for (llvm::GlobalVariable& variable : code->module->globals()) {
    if (variable.getAddressSpace() == kShared) shared.push_back(&variable);
  }
  for (llvm::GlobalVariable* const variable : shared) {
    const bool is_dynamic = variable->isDeclaration();
    const std::uint64_t offset = offsets[variable];
    replace_by_place(variable, [=](llvm::Function* function) -> llvm::Value* {
      if (is_dynamic) return field_of_state(function, offsetof(torchada_state, dynamic_shared));
      llvm::Value* const memory = field_of_state(function, offsetof(torchada_state, shared));
      llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(memory)->getNextNode());
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, offset);
    });
  }
}

}  // namespace kernels
