// The names of kernels, for a profiler, and their code before it takes the time.
#include "stubs/cudart/kernel_code.h"
#include "stubs/process/peers.h"

extern "C" bool torchada_answer_name_of_kernel(torchada::NamedKernel* question) {
  torchada::RegisteredCode found;
  if (torchada::find_registered(question->kernel, &found)) {
    question->name = found.name;
    if (question->is_launched) {
      torchada::with_code("cudaLaunchKernel", found.host, [](const auto&) { return 0; });
    }
  } else if (const uint32_t number = torchada::kernels::number_of_function(question->kernel)) {
    question->name = torchada::kernels::text_of(number);
  }
  return question->name != nullptr;
}
