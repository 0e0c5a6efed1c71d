// clang-format off
// Assembler macro for the end of each source: no executable stack, and the GNU property that says
// that every indirect jump target here starts with endbr64 (IBT) and that no return address is
// tampered with (SHSTK). A single object without this note loses both for the library.
.macro torchada_property_note
    .section .note.GNU-stack, "", @progbits
    .section .note.gnu.property, "a", @note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 3, 0
.endm
