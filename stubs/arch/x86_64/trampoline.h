// clang-format off
// Assembler macros for the emitted trampolines.S. The body of a library is
// torchada_trampolines_begin, then a list of
//     torchada_export NAME, INDEX        strong export
//     torchada_weak_export NAME, INDEX   weak export
//     torchada_alias NAME, OF            another strong name for the same trampoline
//     torchada_weak_alias NAME, OF       another weak one
//     torchada_internal NAME, INDEX      for adapters, not exported
//     torchada_own NAME                  an export's second name, for adapters
// followed by torchada_slots_begin, one torchada_slot INDEX each, torchada_slots_end.

#include "property_note.h"

// Symbols are 16 bytes apart: tools that patch function entries need 12.
.macro torchada_trampoline name, index
    .p2align 4
    .type \name, @function
\name:
    .cfi_startproc
    endbr64
    jmp *(torchada_slots + 8 * (\index))(%rip)
    .cfi_endproc
    .size \name, . - \name
.endm

// The exports follow in the order of their slots: trampoline_of() in stubs/table.h counts on that.
.macro torchada_trampolines_begin
    .p2align 6
    .globl torchada_trampolines
    .hidden torchada_trampolines
torchada_trampolines:
.endm

.macro torchada_export name, index
    .globl \name
    torchada_trampoline \name, \index
.endm

.macro torchada_weak_export name, index
    .weak \name
    torchada_trampoline \name, \index
.endm

.macro torchada_internal name, index
    .globl \name
    .hidden \name
    torchada_trampoline \name, \index
.endm

.macro torchada_alias name, of
    .globl \name
    .type \name, @function
    .set \name, \of
    .size \name, 10
.endm

.macro torchada_weak_alias name, of
    .weak \name
    .type \name, @function
    .set \name, \of
    .size \name, 10
.endm

// Hidden, so that an adapter calls this library's function, whatever else the process has loaded.
.macro torchada_own name
    .globl torchada_own_\name
    .hidden torchada_own_\name
    .type torchada_own_\name, @function
    .set torchada_own_\name, \name
    .size torchada_own_\name, 10
.endm

// The initial target of a slot: passes the index in r11, which no calling convention uses for
// arguments, to the common cold path.
.macro torchada_slot index
    .pushsection .text.cold, "ax", @progbits
    .p2align 4
.Ltorchada_cold_\index:
    .cfi_startproc
    endbr64
    movl $\index, %r11d
    jmp torchada_cold
    .cfi_endproc
    .popsection
    .quad .Ltorchada_cold_\index
.endm

// Also names the first cold entry. A stub takes 15 bytes, so they are 16 bytes apart, in the order of
// the slots: cold_entry_of() in stubs/table.h counts on that.
.macro torchada_slots_begin
    .pushsection .text.cold, "ax", @progbits
    .p2align 4
    .globl torchada_cold_entries
    .hidden torchada_cold_entries
torchada_cold_entries:
    .popsection
    .data
    .p2align 6
    .globl torchada_slots
    .hidden torchada_slots
    .type torchada_slots, @object
torchada_slots:
.endm

.macro torchada_slots_end
    .size torchada_slots, . - torchada_slots
    torchada_property_note
.endm
