// torchada run -- COMMAND: starts a program in an environment in which it finds our libraries.
#include "command.h"
#include "requests.h"
#include "start_program.h"

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
    throw UsageError("run: no command; usage: torchada run [--abi=N] [--backend=WHICH] -- COMMAND");
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
      {"Runs an unmodified CUDA program on MUSA, or on the CPU stand-in where no MUSA is found; "
       "one "
       "line on stderr says so.",
       "path sets LD_LIBRARY_PATH alone. preload also puts the CUDA runtime into LD_PRELOAD. audit "
       "also sets LD_AUDIT, which leads every request for our names here, whatever DT_RPATH or "
       "folder it comes from.",
       "Words from PROGRAM on are the program's."},
      run_options(),
      {{2, "bad usage, or the installation is not fit for what is asked"},
       {126, "the program cannot be executed"},
       {127, "the program was not found"},
       {0, "and all others: the program's"}},
      {{"run -- python3 my_cuda_script.py", "any program, whatever path it loads CUDA from"},
       {"run --abi=13 -- ./my_cuda_program", "offers only the CUDA 13 libraries"}},
      run_program};
  return command;
}

}  // namespace torchada
