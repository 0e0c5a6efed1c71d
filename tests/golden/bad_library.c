// Breaks the ELF invariants on purpose: the checks must notice.
__thread char state[64];
char* touch(void) { return state; }
int odd(void) { return 1; }
