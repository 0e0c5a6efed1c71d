// What no GPU has room for, and what an image cannot hold.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <stdexcept>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {
namespace {

constexpr std::uint64_t kMostOfVariables = 0x7fffffff;  // code reaches them by 32 bits
constexpr std::uint64_t kMostOfThread = 512 << 10;      // local memory
constexpr std::uint64_t kMostOfParameters = 32764;

}  // namespace

void expect(const std::string& what, std::uint64_t bytes, std::uint64_t most) {
  if (bytes <= most) return;
  throw std::runtime_error(what + " " + std::to_string(bytes) + " bytes; expected at most " +
                           std::to_string(most));
}

void check_sizes(const DeviceModule& code) {
  const llvm::DataLayout& layout = code.module->getDataLayout();
  std::uint64_t size = 0;
  for (const Variable& each : code.variables) {
    const std::uint64_t own = layout.getTypeAllocSize(each.variable->getValueType());
    expect("variable " + each.name + " has", own, kMostOfVariables);
    size += own;
  }
  expect("all variables together have", size, kMostOfVariables);
  for (const Kernel& kernel : code.kernels) {
    size = 0;
    for (const llvm::Argument& argument : kernel.function->args()) {
      size += argument.hasByValAttr() ? argument.getPassPointeeByValueCopySize(layout)
                                      : layout.getTypeAllocSize(argument.getType()).getFixedValue();
    }
    expect("the parameters of kernel " + kernel.name + " have", size, kMostOfParameters);
  }
  for (const llvm::Function& function : *code.module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* const memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      const auto own = memory == nullptr ? std::nullopt : memory->getAllocationSize(layout);
      if (own) {
        expect("a variable of function " + function.getName().str() + " has", own->getFixedValue(),
               kMostOfThread);
      }
    }
  }
}

}  // namespace kernels
