// A function in two versions, one in an old version only, and data.
int versions_data = 3;

int versions_twice_old(void) { return 1; }
int versions_twice_new(void) { return 2; }
int versions_only_old_body(void) { return 4; }

__asm__(".symver versions_twice_old,versions_twice@VERSION_1");
__asm__(".symver versions_twice_new,versions_twice@@VERSION_2");
__asm__(".symver versions_only_old_body,versions_only_old@VERSION_1");
