// clang-format off
// Assembler macro for the emitted trampolines.S: the entry of a guarded function, which passes its
// number in r11 to guard.S. See stubs/cudart/guard.h.
.macro torchada_guard name, number
    .text
    .p2align 4
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
    endbr64
    movl $\number, %r11d
    jmp torchada_guard_entry
    .cfi_endproc
    .size \name, . - \name
.endm
