// Asks torchada_guard_route where a guarded call goes, and jumps there with all arguments
// unchanged. Entered by a jump with the guard's number in r11d.
//
// The vector registers are not saved. On the way to MUSA's function, the route runs only code that
// is compiled for general registers (stubs/CMakeLists.txt), and no guarded function takes a
// floating-point argument (the generator checks this).

#include "property_note.h"

    .text
    .p2align 4
    .globl torchada_guard_entry
    .hidden torchada_guard_entry
    .type torchada_guard_entry, @function
torchada_guard_entry:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $64, %rsp
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movq %rax, 48(%rsp)
    movq %r10, 56(%rsp)
    movl %r11d, %edi
    movq %rsp, %rsi
    call torchada_guard_route
    movq %rax, %r11
    movq (%rsp), %rdi
    movq 8(%rsp), %rsi
    movq 16(%rsp), %rdx
    movq 24(%rsp), %rcx
    movq 32(%rsp), %r8
    movq 40(%rsp), %r9
    movq 48(%rsp), %rax
    movq 56(%rsp), %r10
    movq %rbp, %rsp
    .cfi_def_cfa_register %rsp
    popq %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore %rbp
    jmp *%r11
    .cfi_endproc
    .size torchada_guard_entry, . - torchada_guard_entry

    torchada_property_note
