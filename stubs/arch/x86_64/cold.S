// The first call of a symbol. Entered by a jump from the symbol's cold entry with its index in
// r11d and everything else, stack included, as the caller left it for the target.
//
// Saves everything that may carry an argument: the six integer registers, rax (al counts the vector
// registers of a variadic call), r10 (static chain), and vector registers 0 to 7 at the full width
// that this CPU and kernel have, because the loader's string functions use wide registers at will.
// A constructor of MUSA may change how the thread computes, for example by flushing denormal
// numbers to zero, so the control words are restored too.
//
// Moves instead of xsavec and xrstor: those two took 160 ns on an AMD EPYC (family 26), twice as
// long as dlsym.

#include "property_note.h"

#define VECTOR_AREA (8 * 64)
// Below rbp: eight general registers, then the control words.
#define SAVED_MXCSR -76(%rbp)
#define SAVED_X87 -80(%rbp)
#define CURRENT -84(%rbp)

.macro torchada_vectors instruction, register, to_memory
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    .if \to_memory
    \instruction %\register\n, (64 * \n)(%rsp)
    .else
    \instruction (64 * \n)(%rsp), %\register\n
    .endif
    .endr
.endm

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
    subq $(88 + VECTOR_AREA), %rsp
    andq $-64, %rsp
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
    stmxcsr SAVED_MXCSR
    fnstcw SAVED_X87
    movl %r11d, %ebx

    cmpl $0, torchada_vector_width(%rip)
    jne 1f
    call torchada_measure_vector_state  // Touches general registers only.
1:
    cmpl $32, torchada_vector_width(%rip)
    je 2f
    ja 3f
    torchada_vectors movaps, xmm, 1
    jmp 4f
2:  torchada_vectors vmovaps, ymm, 1
    jmp 4f
3:  torchada_vectors vmovaps, zmm, 1
4:
    movl %ebx, %edi
    call torchada_resolve
    movq %rax, %r11

    // Writing to the wide registers would slow down a program that uses only the narrow ones, so
    // that is done only if an upper part was not zero.
    cmpl $32, torchada_vector_width(%rip)
    jb 6f
    ja 5f
    vzeroupper
    pxor %xmm0, %xmm0
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    por (64 * \n + 16)(%rsp), %xmm0
    .endr
    ptest %xmm0, %xmm0
    je 6f
    torchada_vectors vmovaps, ymm, 0
    jmp 7f
5:  vzeroupper
    pxor %xmm0, %xmm0
    pxor %xmm1, %xmm1
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    por (64 * \n + 16)(%rsp), %xmm0
    por (64 * \n + 32)(%rsp), %xmm1
    por (64 * \n + 48)(%rsp), %xmm0
    .endr
    por %xmm1, %xmm0
    ptest %xmm0, %xmm0
    je 6f
    torchada_vectors vmovaps, zmm, 0
    jmp 7f
6:  torchada_vectors movaps, xmm, 0
7:
    stmxcsr CURRENT
    movl SAVED_MXCSR, %eax
    cmpl %eax, CURRENT
    je 8f
    ldmxcsr SAVED_MXCSR
8:
    fnstcw CURRENT
    movzwl SAVED_X87, %eax
    cmpw %ax, CURRENT
    je 9f
    fldcw SAVED_X87
9:
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
