// The device code of a source as an LLVM module: clang's for an NVIDIA GPU, made into the CPU's.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "src/host/kernels/include/torchada_image.h"
#include "src/host/kernels/translate/diagnostics.h"
#include "src/host/kernels/translate/request.h"

namespace kernels {

// The address spaces of NVIDIA's GPUs, as clang numbers them.
constexpr unsigned int kDevice = 1;
constexpr unsigned int kShared = 3;
constexpr unsigned int kConstant = 4;

struct Kernel {
  llvm::Function* function = nullptr;
  std::string name;               // in the image
  std::uint32_t max_threads = 0;  // of __launch_bounds__; 0: none
  std::uint64_t shared_size = 0;
};

struct Variable {
  llvm::GlobalVariable* variable = nullptr;
  std::string name;
  bool is_constant = false;
};

struct DeviceModule {
  std::unique_ptr<llvm::Module> module;
  std::vector<Kernel> kernels;
  std::vector<Variable> variables;
  bool is_whole = true;  // it has all of the source
};

// What images are made for.
struct Target {
  int warp_size = 32;
  torchada_cpu_level cpu_level = TORCHADA_CPU_BASELINE;
  std::uint32_t cuda_arch = 700;
};

// Reads clang's bitcode, which has to stay, but not the code of functions. The base name of the
// source becomes a part of names with internal linkage. Throws std::runtime_error if it is damaged.
DeviceModule read_module(llvm::LLVMContext* context, const std::string& bitcode,
                         const std::string& source);

// Leaves what is wanted, and reads its code. With whole_if_variables everything is left if the
// wanted reaches a variable that is not constant: what the program writes into it, or one kernel
// leaves in it for another, would be missing in the copy of another image. Returns what is wanted
// and not there: "kernel NAME" or "variable NAME".
std::string choose(DeviceModule* code, const Wanted& wanted);

// The mangled name of the kernel or variable to which the variable `name` points, which is removed.
// Empty if it points to neither.
std::string take_named(DeviceModule* code, const std::string& name);

// What a kernel or variable reaches and the CPU stand-in has not: what other sources define,
// functions of which our headers or expand_assembly() say so. The places are those in files outside
// of `headers`.
std::vector<Message> find_refused(const DeviceModule& code, const std::string& headers);

// What may be wrong in a source, and is no error. `files`: those that were read. The system's and a
// toolkit's are left out.
std::vector<Message> find_warnings(const Request& request, const std::string& source,
                                   const std::vector<std::string>& files, const DeviceModule& code);

// Compiles the module for the CPU. `runtime_file`: the bitcode of device_runtime.cpp. `object_file`
// is written. Throws std::runtime_error.
void compile_module(DeviceModule* code, const Target& target, const std::string& runtime_file,
                    const std::string& object_file);

// The steps of compile_module, in their order.

// Throws std::runtime_error if they are more: "WHAT N bytes; expected at most N".
void expect(const std::string& what, std::uint64_t bytes, std::uint64_t most);
// Throws std::runtime_error if a variable or the parameters of a kernel are too large.
void check_sizes(const DeviceModule& code);
// Makes it a module for the CPU, with the device runtime in it, whose functions it returns.
std::vector<llvm::Function*> retarget(DeviceModule* code, const llvm::TargetMachine& machine,
                                      const std::string& runtime_file);
// Every function gets the state as its first parameter, and gives it to those that it calls.
// threadIdx and its like become fields of it.
void pass_state(DeviceModule* code, const std::vector<llvm::Function*>& runtime);
// __shared__ variables become places in the memory of the block.
void place_shared_memory(DeviceModule* code);
// Writes what the driver looks for in an image: a description of each kernel and variable, and the
// functions that run a kernel. The module is optimised, so that it shows what kernels need.
void add_entries(DeviceModule* code, const Target& target);

// Where threads wait (device_runtime.cpp).
constexpr const char* kWaits[] = {"torchada_barrier", "torchada_meet", "torchada_yield"};
// Functions in which threads wait are to become part of the kernels that call them, unless they are
// recursive, large, or `__noinline__`. LLVM alone would leave those that are called twice.
void inline_waits(const DeviceModule& code);
// The kernel as a function that returns where it waits, with the thread's frame, and can be
// resumed there. Null if its threads need stacks.
llvm::Function* with_frames(llvm::Function* kernel, int warp_size);
// Makes votes that follow each other one meeting, of warps of at most 32.
void join_votes(llvm::Function* function);

// Removes what no kernel reaches, and no variable.
void drop_unreached(DeviceModule* code);

using Values = std::set<llvm::GlobalValue*>;

// Functions and variables that an operand, or a constant in it, names.
std::vector<llvm::GlobalValue*> named_by(llvm::Value* operand);
// What they reach, with themselves. Reads the code of all of it.
Values reached_by(const Values& values);

// Replaces a variable in an address space of its own, and what is made of it in constant
// expressions, by what `place` returns for a function that uses it: an address.
void replace_by_place(llvm::GlobalVariable* variable,
                      const std::function<llvm::Value*(llvm::Function*)>& place);

}  // namespace kernels
