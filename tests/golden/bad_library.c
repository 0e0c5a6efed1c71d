// Breaks the ELF invariants on purpose: the checks must find it.
__thread char state[64];
char* touch(void) { return state; }
int odd(void) { return 1; }
