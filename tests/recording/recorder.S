// One library of the recording backend. No function has a prototype: everything that the convention
// can pass is logged as it arrived.
//
// Two defects can be built in, to prove that the tests see them:
//     RECORDING_MISNAMES_MALLOC   musaMalloc logs the name of another function
//     RECORDING_DROPS_RCX         the fourth integer argument is lost
#include "tests/recording/recording.h"

.macro recording_function name
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    endbr64
    leaq .Lname_\@(%rip), %r11
    jmp recording_record
    .cfi_endproc
    .size \name, . - \name
    .pushsection .rodata
.Lname_\@:
#ifdef RECORDING_MISNAMES_MALLOC
    .ifc \name,musaMalloc
    .ascii "musaFreeAsync_instead_of_"
    .endif
#endif
    .asciz "\name"
    .popsection
.endm

    .text
// Entered by a jump, with the name in r11 and everything else as the caller left it.
    .p2align 4
    .type recording_record, @function
recording_record:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $RECORDING_EXCHANGE_SIZE, %rsp
#ifdef RECORDING_DROPS_RCX
    xorl %ecx, %ecx
#endif
    movq %rdi, RECORDING_INTEGERS(%rsp)
    movq %rsi, RECORDING_INTEGERS + 8(%rsp)
    movq %rdx, RECORDING_INTEGERS + 16(%rsp)
    movq %rcx, RECORDING_INTEGERS + 24(%rsp)
    movq %r8, RECORDING_INTEGERS + 32(%rsp)
    movq %r9, RECORDING_INTEGERS + 40(%rsp)
    movq %rax, RECORDING_RAX(%rsp)
    movq %r10, RECORDING_R10(%rsp)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    movups %xmm\n, RECORDING_VECTORS + 16 * \n(%rsp)
    .endr
    leaq 16(%rbp), %rsi
    leaq RECORDING_STACK(%rsp), %rdi
    movl $RECORDING_STACK_WORDS, %ecx
    rep movsq
    movq %r11, %rdi
    movq %rsp, %rsi
    call recording_append@PLT
    movq RECORDING_RESULT_RAX(%rsp), %rax
    movq RECORDING_RESULT_RDX(%rsp), %rdx
    movups RECORDING_RESULT_XMM0(%rsp), %xmm0
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size recording_record, . - recording_record

// A list of `recording_function NAME`, written by CMake from musa_names.csv.
#include "recorded_names.h"

    .section .note.GNU-stack, "", @progbits
