// The design of this project, in the form that torchada-gen emits, for all functions of the list.
#include "trampoline.h"

#define BENCH_FUNCTION(index, target) torchada_export slot_##target, index;
    .text
#include "functions.inc"
#undef BENCH_FUNCTION

#define BENCH_FUNCTION(index, target) torchada_slot index;
torchada_slots_begin
#include "functions.inc"
torchada_slots_end
