// Every shim carries an ELF note named "torchada". File names cannot identify shims, because users
// copy and link them.
__asm__(
    ".pushsection .note.torchada, \"a\", @note\n"
    ".balign 4\n"
    ".long 9, 8, 1\n"
    ".asciz \"torchada\"\n"
    ".balign 4\n"
    // How far it is from here to the function that answers the other fake libraries: peers.cpp.
    ".quad torchada_answer_peer - .\n"
    ".popsection\n");
