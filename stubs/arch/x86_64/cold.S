// The first call of a symbol. Entered by a jump from the symbol's cold stub with its index in
// r11d and everything else, stack included, as the caller left it for the target.
//
// Saves everything that may carry an argument: the six integer registers, rax (al counts the vector
// registers of a variadic call), r10 (static chain), and the whole vector state at the width that
// this CPU and kernel have, because the loader's string functions use wide registers at will.

#include "property_note.h"

    .text
    .p2align 4
    .globl torchada_cold
    .hidden torchada_cold
    .type torchada_cold, @function
torchada_cold:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $80, %rsp
    movq %rbx, -8(%rbp)
    .cfi_offset %rbx, -24
    movq %rax, -16(%rbp)
    movq %rdi, -24(%rbp)
    movq %rsi, -32(%rbp)
    movq %rdx, -40(%rbp)
    movq %rcx, -48(%rbp)
    movq %r8, -56(%rbp)
    movq %r9, -64(%rbp)
    movq %r10, -72(%rbp)
    movl %r11d, %ebx

    cmpq $0, torchada_vector_area(%rip)
    jne 1f
    andq $-64, %rsp
    call torchada_measure_vector_state  // Touches general registers only.
1:
    subq torchada_vector_area(%rip), %rsp
    andq $-64, %rsp
    movl torchada_vector_mask(%rip), %eax
    movl torchada_vector_mask + 4(%rip), %edx
    movl torchada_vector_mode(%rip), %ecx
    testl %ecx, %ecx
    je 3f
    // xrstor faults unless the reserved part of the header is zero, and xsave writes only part.
    xorl %esi, %esi
    movq %rsi, 512(%rsp)
    movq %rsi, 520(%rsp)
    movq %rsi, 528(%rsp)
    movq %rsi, 536(%rsp)
    movq %rsi, 544(%rsp)
    movq %rsi, 552(%rsp)
    movq %rsi, 560(%rsp)
    movq %rsi, 568(%rsp)
    cmpl $1, %ecx
    je 2f
    xsavec (%rsp)
    jmp 4f
2:  xsave (%rsp)
    jmp 4f
3:  fxsave (%rsp)
4:
    movl %ebx, %edi
    call torchada_resolve
    movq %rax, %r11

    movl torchada_vector_mask(%rip), %eax
    movl torchada_vector_mask + 4(%rip), %edx
    cmpl $0, torchada_vector_mode(%rip)
    je 5f
    xrstor (%rsp)
    jmp 6f
5:  fxrstor (%rsp)
6:
    movq -72(%rbp), %r10
    movq -64(%rbp), %r9
    movq -56(%rbp), %r8
    movq -48(%rbp), %rcx
    movq -40(%rbp), %rdx
    movq -32(%rbp), %rsi
    movq -24(%rbp), %rdi
    movq -16(%rbp), %rax
    movq -8(%rbp), %rbx
    .cfi_restore %rbx
    movq %rbp, %rsp
    .cfi_def_cfa_register %rsp
    popq %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore %rbp
    jmp *%r11
    .cfi_endproc
    .size torchada_cold, . - torchada_cold

// Zero as an integer, pointer, float, double or complex number, whichever the caller expects.
    .p2align 4
    .globl torchada_return_zero
    .hidden torchada_return_zero
    .type torchada_return_zero, @function
torchada_return_zero:
    .cfi_startproc
    endbr64
    xorl %eax, %eax
    xorl %edx, %edx
    pxor %xmm0, %xmm0
    pxor %xmm1, %xmm1
    ret
    .cfi_endproc
    .size torchada_return_zero, . - torchada_return_zero

    torchada_property_note
