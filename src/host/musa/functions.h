// Device functions: kernels of the modules that the program has loaded.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "src/host/kernels/engine/grid.h"
#include "src/host/kernels/engine/module.h"
#include "src/host/musa/runtime.h"

namespace musa {

struct Function {
  Function(std::shared_ptr<Module> owner, const torchada_kernel& found, MUmodule in_module,
           const Context* where);

  const std::shared_ptr<Module> module;
  const torchada_kernel& kernel;
  MUfunction handle = nullptr;
  const MUmodule module_handle;
  const Context* const context;  // which was current when the module was loaded

  unsigned int most_threads() const;
  // How many blocks a core runs at a time.
  int active_blocks(std::uint64_t threads, std::size_t dynamic_shared) const;
  // What a program may set.
  std::atomic<int> most_dynamic_shared;
  std::atomic<int> carveout{-1};
};

// Null if the handle is not live.
std::shared_ptr<Function> loaded_function(const void* handle);
// The modules of a context end with it.
void forget_modules(const Context* context);

// A launch, ready to run: its arguments are copied. It keeps the module loaded.
struct KernelLaunch {
  std::shared_ptr<Function> function;
  std::vector<unsigned char> arguments;
  std::vector<void*> pointers;  // to each of them
  Grid grid;

  // On a stream's thread.
  void run(Device& device) const;
};

// Checks everything that does not depend on the stream. `parameters` or `extra` has the arguments,
// as for muLaunchKernel.
musaError_t prepare_launch(const std::shared_ptr<Function>& function, const dim3& grid,
                           const dim3& block, std::size_t dynamic_shared, void** parameters,
                           void** extra, std::shared_ptr<KernelLaunch>* launch);
// Lets the blocks wait for each other. Fails if there are more than can run at a time.
musaError_t run_together(KernelLaunch* launch, const Device& device);

}  // namespace musa
