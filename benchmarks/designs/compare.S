// For comparison: trampolines that compare their table entry with null in every call, and branch to
// a resolver if it is null.
.macro compare_trampoline name, index
    .p2align 4
    .globl \name
    .type \name, @function
\name:
    .cfi_startproc
    endbr64
    cmpq $0, (compare_table + 8 * (\index))(%rip)
    je 1f
    jmp *(compare_table + 8 * (\index))(%rip)
1:  movl $\index, %r11d
    jmp compare_resolve_and_jump
    .cfi_endproc
    .size \name, . - \name
.endm

#define BENCH_FUNCTION(index, target) compare_trampoline compare_##target, index;
    .text
#include "functions.inc"

// Saves the argument registers. The width of the vector registers is fixed.
    .p2align 4
    .type compare_resolve_and_jump, @function
compare_resolve_and_jump:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    andq $-32, %rsp
    subq $192, %rsp
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movaps %xmm0, 64(%rsp)
    movaps %xmm1, 80(%rsp)
    movaps %xmm2, 96(%rsp)
    movaps %xmm3, 112(%rsp)
    movaps %xmm4, 128(%rsp)
    movaps %xmm5, 144(%rsp)
    movaps %xmm6, 160(%rsp)
    movaps %xmm7, 176(%rsp)
    movl %r11d, %edi
    call compare_resolve
    movaps 176(%rsp), %xmm7
    movaps 160(%rsp), %xmm6
    movaps 144(%rsp), %xmm5
    movaps 128(%rsp), %xmm4
    movaps 112(%rsp), %xmm3
    movaps 96(%rsp), %xmm2
    movaps 80(%rsp), %xmm1
    movaps 64(%rsp), %xmm0
    movq 40(%rsp), %r9
    movq 32(%rsp), %r8
    movq 24(%rsp), %rcx
    movq 16(%rsp), %rdx
    movq 8(%rsp), %rsi
    movq (%rsp), %rdi
    movq %rbp, %rsp
    .cfi_def_cfa_register %rsp
    popq %rbp
    .cfi_def_cfa_offset 8
    jmp *%rax
    .cfi_endproc
    .size compare_resolve_and_jump, . - compare_resolve_and_jump

    .section .note.GNU-stack, "", @progbits
