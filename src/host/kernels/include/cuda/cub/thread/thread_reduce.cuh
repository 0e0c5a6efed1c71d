// Where CCCL knows neither __half nor bfloat16, its branch of 8.0 takes all numbers for them.
#pragma once
#include <torchada_generic_begin.h>
#include_next <cub/thread/thread_reduce.cuh>
#include <torchada_generic_end.h>
