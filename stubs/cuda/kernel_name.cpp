// The names of kernels, for a profiler.
#include "stubs/cuda/given_functions.h"
#include "stubs/kernels/code.h"
#include "stubs/process/peers.h"

extern "C" bool torchada_answer_name_of_kernel(torchada::NamedKernel* question) {
  const uint32_t number = torchada::kernels::number_of_function(question->kernel);
  question->name = number != 0 ? torchada::kernels::text_of(number)
                               : torchada::driver::name_of_given(question->kernel);
  return question->name != nullptr;
}
