// Shifts the callers: see the variants in CMakeLists.txt.
    .text
    .skip BENCH_PADDING
    .section .note.GNU-stack, "", @progbits
