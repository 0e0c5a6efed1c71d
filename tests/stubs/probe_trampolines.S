// Written by hand in the form that torchada-gen emits.
#include "trampoline.h"
    .text
torchada_export probe_variadic, 0
torchada_export probe_ten_integers, 1
torchada_export probe_nine_doubles, 2
torchada_export probe_bytes_by_value, 3
torchada_export probe_long_double, 4
torchada_export probe_returns_pair, 5
torchada_export probe_returns_memory, 6
torchada_export probe_throws, 7
torchada_export probe_errno, 8
torchada_export probe_add, 9
torchada_export probe_absent, 10
torchada_export probe_refused, 11
torchada_export probe_refused_float, 12
torchada_export probe_refused_string, 13
torchada_export probe_adapted, 14
torchada_export probe_called_back, 15
torchada_export probe_two_spellings, 16
torchada_export probe_register_al, 17
torchada_export probe_register_r10, 18
torchada_export probe_ymm, 19
torchada_export probe_zmm, 20
torchada_weak_export probe_weak, 21
torchada_alias probe_strong, probe_weak
torchada_export probe_lent, 22
torchada_export probe_old_only, 23
torchada_export probe_sibling, 24
torchada_export probe_driver, 25
torchada_internal back_add, 26
.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
torchada_export probe_many_\n, 27 + \n
.endr
torchada_slots_begin
.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58
torchada_slot \n
.endr
torchada_slots_end
