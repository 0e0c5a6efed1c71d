// recording_invoke(function, invocation): calls `function` with every register and stack word that
// can carry an argument set from `invocation`, and stores the results. See invocation.h.
#include "tests/recording/recording.h"

#define LOCALS 48  // Five saved registers and `invocation`, below rbp.

    .text
    .p2align 4
    .globl recording_invoke
    .type recording_invoke, @function
recording_invoke:
    .cfi_startproc
    endbr64
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rbx
    .cfi_offset %rbx, -24
    pushq %r12
    .cfi_offset %r12, -32
    pushq %r13
    .cfi_offset %r13, -40
    pushq %r14
    .cfi_offset %r14, -48
    pushq %r15
    .cfi_offset %r15, -56
    pushq %rsi
    movq %rdi, %r11
    movq %rsi, %rax

    subq $8 * RECORDING_STACK_WORDS, %rsp
    leaq RECORDING_STACK(%rax), %rsi
    movq %rsp, %rdi
    movl $RECORDING_STACK_WORDS, %ecx
    rep movsq
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    movups RECORDING_VECTORS + 16 * \n(%rax), %xmm\n
    .endr
    movq RECORDING_SAVED_BEFORE(%rax), %rbx
    movq RECORDING_SAVED_BEFORE + 8(%rax), %r12
    movq RECORDING_SAVED_BEFORE + 16(%rax), %r13
    movq RECORDING_SAVED_BEFORE + 24(%rax), %r14
    movq RECORDING_SAVED_BEFORE + 32(%rax), %r15
    movq RECORDING_INTEGERS(%rax), %rdi
    movq RECORDING_INTEGERS + 8(%rax), %rsi
    movq RECORDING_INTEGERS + 16(%rax), %rdx
    movq RECORDING_INTEGERS + 24(%rax), %rcx
    movq RECORDING_INTEGERS + 32(%rax), %r8
    movq RECORDING_INTEGERS + 40(%rax), %r9
    movq RECORDING_R10(%rax), %r10
    movq RECORDING_RAX(%rax), %rax
    call *%r11

    movq -LOCALS(%rbp), %r11
    movq %rax, RECORDING_RESULT_RAX(%r11)
    movq %rdx, RECORDING_RESULT_RDX(%r11)
    movups %xmm0, RECORDING_RESULT_XMM0(%r11)
    movq %rbx, RECORDING_SAVED_AFTER(%r11)
    movq %r12, RECORDING_SAVED_AFTER + 8(%r11)
    movq %r13, RECORDING_SAVED_AFTER + 16(%r11)
    movq %r14, RECORDING_SAVED_AFTER + 24(%r11)
    movq %r15, RECORDING_SAVED_AFTER + 32(%r11)
    leaq -LOCALS - 8 * RECORDING_STACK_WORDS(%rbp), %rcx
    subq %rsp, %rcx
    movq %rcx, RECORDING_STACK_MOVED(%r11)

    leaq 8 - LOCALS(%rbp), %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size recording_invoke, . - recording_invoke

    .section .note.GNU-stack, "", @progbits
