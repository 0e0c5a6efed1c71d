// torchada run -- COMMAND: starts a program in an environment in which it finds our libraries.
#include "src/command/command.h"
#include "src/command/requests.h"
#include "src/command/start_program.h"

namespace torchada {
namespace {

StartOptions options;
Requests requests;

std::vector<Option> run_options() {
  std::vector<Option> out = start_options(&options);
  for (const Option& option : request_options(&requests)) out.push_back(option);
  return out;
}

int run_program(const Invocation& invocation) {
  if (invocation.program.empty()) {
    throw UsageError("no program given; usage: torchada run [OPTION...] -- PROGRAM [ARGUMENT...]");
  }
  return start_program(options, invocation, requested_variables(requests));
}

}  // namespace

const Command& run_command() {
  static const Command command = {
      "run",
      "run an unmodified CUDA program on MUSA, or on the CPU stand-in",
      "[--] PROGRAM [ARGUMENT...]",
      Words::kProgram,
      Kind::kFile,
      // One string for each paragraph.
      // NOLINTNEXTLINE(bugprone-suspicious-missing-comma)
      {"Runs an unmodified CUDA program on MUSA. If no MUSA is found, the program runs on the CPU "
       "stand-in, and a line on stderr says so; another line warns if the machine has an NVIDIA "
       "GPU, "
       "which torchada does not use.",
       "--via=path sets only LD_LIBRARY_PATH. --via=preload also puts the CUDA runtime into "
       "LD_PRELOAD. --via=audit sets LD_LIBRARY_PATH and LD_AUDIT: every request for a library "
       "that torchada replaces then finds torchada's, whatever DT_RPATH or path the request uses. "
       "The first libcudart that the program loads decides which CUDA major version it gets; a "
       "line says which plain names of other majors are not opened, and which other CUDA libraries "
       "were not found.",
       "--only offers only the libraries that it names, and those that they need: libcublas brings "
       "libcublasLt. All others count as not installed, and the loader looks for another file. The "
       "CUDA driver is offered by torchada run alone.",
       "--nvml also offers libnvidia-ml, with which nvitop, gpustat and others show MUSA's "
       "devices. It is offered on request only: some programs ask it whose devices the machine "
       "has, and then choose NVIDIA's code where they have code for MUSA.",
       "--kernels names kernel libraries: files of device code that torchada kernels build made "
       "from the source of the program's kernels, with MUSA's compiler or for the stand-in. A "
       "kernel or a variable "
       "that the program has for CUDA is taken from the first of them that has its name. Without "
       "one, its launch is refused.",
       "--kernels-from makes the kernels that no image has while the program waits for them, from "
       "their sources; what is made is kept for the next run. torchada kernels fetch brings the "
       "sources, torchada kernels prepare makes kernels beforehand. A kernel whose source does not "
       "compile is refused with the compiler's first error.",
       "LD_PRELOAD and LD_AUDIT of the environment apply to the program, not to torchada.",
       "Everything after PROGRAM is passed to the program."},
      run_options(),
      {{2, "bad usage, or the installation lacks what the options ask for"},
       {126, "the program cannot be executed"},
       {127, "the program was not found"},
       {0, "and all other values: the program's exit status"}},
      {{"run -- python3 my_cuda_script.py", "any program, wherever it loads CUDA from"},
       {"run --kernels-from=pytorch-2.6 -- python3 my_cuda_script.py",
        "make the kernels that it launches from PyTorch's sources"},
       {"run --abi=13 -- ./my_cuda_program", "offer only the CUDA 13 libraries"},
       {"run --only=cudart,nccl -- ./my_cuda_program", "offer only these libraries"},
       {"run --nvml -- nvitop", "show MUSA's devices in a program for NVIDIA's"}},
      run_program};
  return command;
}

}  // namespace torchada
