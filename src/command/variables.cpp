#include "src/command/variables.h"

#include <cstdlib>

namespace torchada {

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

const std::vector<OwnVariable>& own_variables() {
  static const std::vector<OwnVariable> variables = {
      {"TORCHADA_MUSA_PATH=DIR", "use only this MUSA installation"},
      {"TORCHADA_LOG=LEVEL",
       "off, warn (default), info or debug; debug prints where each symbol goes and every path "
       "tried"},
      {"TORCHADA_LOG_FILE=PATTERN",
       "append messages to this file, with time, process and thread; %p stands for the process id, "
       "%h for the host name, %% for a percent sign. Warnings also go to stderr. Messages of the "
       "audit module (torchada run) go only to stderr"},
      {"TORCHADA_STRICT=1",
       "stop with abort() at the first unsupported call and print the call stack of the thread, "
       "and that of Python if the process runs Python"},
      {"TORCHADA_SUMMARY=1",
       "when a process exits, print how often each unsupported call was made, to stderr or the log "
       "file; the audit module also prints to stderr which CUDA libraries were not found. Prints "
       "nothing if a signal ends the process, or _exit(), which ends children of "
       "Python's multiprocessing"},
      {"TORCHADA_TRACE=WORD[,WORD...][:FILE]",
       "trace calls; WORD is 1 or text, json, chrome, summary, memory, begin or status; see "
       "torchada-trace(1)"},
      {"TORCHADA_TRACE_FILTER=GLOB,...",
       "trace only functions whose names match one of these patterns"},
      {"TORCHADA_KERNELS=FILE:FOLDER:...",
       "take the kernels that a program brings for CUDA, by their names, from these files of "
       "device "
       "code for MUSA; a folder stands for the files in it"},
      {"TORCHADA_KERNELS_FOLDER=FOLDER",
       "where recipes keep sources and what is made of them, instead of the user's cache"},
      {"TORCHADA_KERNELS_FROM=RECIPE:RECIPE:...",
       "make kernels that are in none of these when the program launches them, from their sources, "
       "as the first of these files says that has them; or names of torchada's recipes"},
      {"TORCHADA_RECORD_KERNELS=FILE",
       "append the source and the name of each kernel that a program launches to this file"},
      {"TORCHADA_NVML=1", "torchada run also offers libnvidia-ml.so.1, as with --nvml"},
      {"TORCHADA_COMPUTE_CAPABILITY=8.6", "the compute capability to report instead of MUSA's own"},
      {"TORCHADA_DISABLE=NAME,...", "treat these CUDA functions as unsupported"},
      {"TORCHADA_OVERRIDE=LIBRARY", "use the CUDA functions of this library instead of MUSA's"},
      {"TORCHADA_CUDA_VERSION=12.4", "the version that CUDA's runtime and driver report"},
      {"TORCHADA_NCCL_VERSION=2.27.3", "the version that NCCL reports"},
      {"TORCHADA_HOST_DEVICES=N", "number of devices of the CPU stand-in"},
      {"TORCHADA_HOST_MEMORY=8G", "memory of each device of the CPU stand-in"},
      {"TORCHADA_HOST_ARCH=mp_22",
       "architecture that the CPU stand-in reports: mp_21, mp_22 or mp_31"},
      {"TORCHADA_HOST_ACCOUNT=NAME",
       "processes with the same NAME share this memory; none: a process counts alone"},
      {"TORCHADA_CLANG=COMMAND",
       "the clang++ of LLVM 19 that compiles device code for the CPU stand-in"},
      {"TORCHADA_HOST_COMPILE_CACHE=FOLDER",
       "also keep in this folder what the CPU stand-in compiles at run time; off: keep nothing"},
      {"TORCHADA_HOST_COMPILE_SECONDS=N",
       "end a compilation of the CPU stand-in after so many seconds; 0: never"},
      {"TORCHADA_HOST_LOST=0,1", "devices of the CPU stand-in that libmtml cannot reach"},
      {"TORCHADA_HOST_PROCESSORS=N", "number of multiprocessors that the CPU stand-in reports"},
      {"TORCHADA_HOST_THREADS=N", "number of threads for one call of the CPU stand-in's BLAS"},
  };
  return variables;
}

}  // namespace torchada
