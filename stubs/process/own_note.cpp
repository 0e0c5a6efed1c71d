// Every replacement library carries an ELF note named "torchada". File names cannot identify
// replacement libraries, because users copy and link them.
__asm__(
    ".pushsection .note.torchada, \"a\", @note\n"
    ".balign 4\n"
    ".long 9, 8, 1\n"
    ".asciz \"torchada\"\n"
    ".balign 4\n"
    // How far it is from here to the function that answers the other replacement libraries:
    // peers.cpp.
    ".quad torchada_answer_peer - .\n"
    ".popsection\n");

// atexit() passes this on to name the library. Programs that test these sources have the start
// files' own.
extern "C" __attribute__((visibility("hidden"), weak)) void* __dso_handle;
void* __dso_handle = &__dso_handle;
