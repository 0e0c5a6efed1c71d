// Every shim carries an ELF note named "torchada". File names cannot identify shims, because users
// copy and link them.
__asm__(
    ".pushsection .note.torchada, \"a\", @note\n"
    ".balign 4\n"
    ".long 9, 0, 1\n"
    ".asciz \"torchada\"\n"
    ".balign 4\n"
    ".popsection\n");
