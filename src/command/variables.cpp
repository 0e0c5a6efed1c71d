#include "variables.h"

namespace torchada {

const std::vector<OwnVariable>& own_variables() {
  static const std::vector<OwnVariable> variables = {
      {"TORCHADA_MUSA_PATH=DIR", "the MUSA installation to use, and no other"},
      {"TORCHADA_LOG=LEVEL",
       "off, warn (default), info, or debug: each symbol and where it went, every path tried"},
      {"TORCHADA_LOG_FILE=PATTERN",
       "a file that the lines are appended to, with time, process and thread; %p stands for the "
       "process, %h for the host, %% for a percent sign. Only warnings go to stderr as well; those "
       "of the audit module (torchada run) stay there"},
      {"TORCHADA_STRICT=1",
       "stop by abort() at the first unsupported call, and say where that is: the functions of the "
       "thread, and those of Python where the process has it"},
      {"TORCHADA_SUMMARY=1",
       "when a process ends by exit() or by returning from main, say how often each unsupported "
       "call was made, on stderr or in the log file. Not after _exit(), as children of Python's "
       "multiprocessing end, and not after a signal"},
      {"TORCHADA_TRACE=WORD[,WORD...][:FILE]",
       "show calls: 1 or text, json, chrome, summary, memory; see torchada-trace(1)"},
      {"TORCHADA_TRACE_FILTER=GLOB,...", "trace the functions of these names only"},
      {"TORCHADA_COMPUTE_CAPABILITY=8.6", "what programs are told instead of MUSA's own"},
      {"TORCHADA_DISABLE=NAME,...", "treat these CUDA functions as unsupported"},
      {"TORCHADA_OVERRIDE=LIBRARY", "a library whose CUDA names win over MUSA's"},
      {"TORCHADA_CUDA_VERSION=12.4", "what the CUDA runtime answers when asked for its version"},
      {"TORCHADA_NCCL_VERSION=2.27.3", "what NCCL answers when asked for its version"},
      {"TORCHADA_HOST_DEVICES=N", "number of devices of the CPU stand-in"},
      {"TORCHADA_HOST_MEMORY=8G", "memory of each device of the CPU stand-in"},
  };
  return variables;
}

}  // namespace torchada
