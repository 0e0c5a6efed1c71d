// For comparison: trampolines with a table that a constructor fills when the library is loaded. The
// index is passed in r10, so that one default function can name the missing symbol.
.macro eager_trampoline name, index
    .p2align 4
    .globl \name
    .type \name, @function
\name:
    .cfi_startproc
    endbr64
    movl $\index, %r10d
    movq (eager_table + 8 * (\index))(%rip), %r11
    jmp *%r11
    .cfi_endproc
    .size \name, . - \name
.endm

#define BENCH_FUNCTION(index, target) eager_trampoline eager_##target, index;
    .text
#include "functions.inc"

    .section .note.GNU-stack, "", @progbits
