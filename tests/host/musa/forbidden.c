/* Images with what would run while the loader opens them, or with what is no device code. What
 * runs ends the process. */
#include <stdlib.h>
#include <torchada_image.h>

#define END_THE_PROCESS() __builtin_trap()

#if defined(INITIALISER)
__attribute__((constructor)) static void run_at_load(void) { END_THE_PROCESS(); }
#elif defined(FINALISER)
__attribute__((destructor)) static void run_at_unload(void) { END_THE_PROCESS(); }
#elif defined(INIT)
__attribute__((visibility("default"))) void _init(void) { END_THE_PROCESS(); }
#elif defined(RESOLVER)
static int chosen(void) { return 1; }
static int (*choose(void))(void) {
  END_THE_PROCESS();
  return chosen;
}
__attribute__((ifunc("choose"))) static int function(void);
int (*torchada_use(void))(void);
__attribute__((visibility("default"))) int (*torchada_use(void))(void) { return function; }
#elif defined(SYSTEM)
__attribute__((visibility("default"))) int run_command(const char* command) {
  return system(command);
}
#endif

TORCHADA_SEAL;
__attribute__((visibility("default"))) const struct torchada_image torchada_image = {
    TORCHADA_IMAGE_FORMAT, 32, TORCHADA_CPU_BASELINE, 0, NULL, NULL, NULL, NULL};
