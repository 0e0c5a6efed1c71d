/* A kernel library for the stand-in, by hand, from sources that have code of the same names with
 * internal linkage: OF_A from a.cu, OF_B from b.cu, both from both. Each kernel writes a number
 * that tells its source. The names are what clang gives what is in the comments. */
#include <torchada_image.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct torchada_parameter parameters[] = {{0, 8}};
#define KERNEL(id, name, number)                                                               \
  __attribute__((section(TORCHADA_NAMES_SECTION), used)) static const char id##_name[] = name; \
  static void id##_run(struct torchada_state* state, const unsigned char* arguments) {         \
    while (torchada_next(state)) **(int* const*)arguments = number;                            \
  }                                                                                            \
  static const struct torchada_kernel id = {id##_name, id##_run, parameters, 1,   8,           \
                                            256,       0,        NULL,       NULL}

#ifdef OF_A
/* static __global__ void same(int* out); */
KERNEL(a_same, "_ZL4samePi@a_cu", 1);
/* namespace { __global__ void unnamed(int* out); } */
KERNEL(a_unnamed, "_ZN12_GLOBAL__N_17unnamedEPi@a_cu", 11);
/* template <typename F, typename... A> __global__ void runx(F f, A... arguments);
 * static void caller(ns::T, ns::T*), which calls it with a lambda */
KERNEL(a_lambda, "_Z4runxIZL6callerN2ns1TEPS1_EUlS2_E_JS2_EEvT_DpT0_@a_cu", 21);
/* static __device__ int value = 31; */
static int a_value = 31;
static const struct torchada_variable a_variable = {"_ZL5value@a_cu", &a_value, sizeof a_value, 0};
#endif
#ifdef OF_B
KERNEL(b_same, "_ZL4samePi@b_cu", 2);
KERNEL(b_unnamed, "_ZN12_GLOBAL__N_17unnamedEPi@b_cu", 12);
KERNEL(b_lambda, "_Z4runxIZL6callerN2ns1TEPS1_EUlS2_E_JS2_EEvT_DpT0_@b_cu", 22);
static int b_value = 32;
static const struct torchada_variable b_variable = {"_ZL5value@b_cu", &b_value, sizeof b_value, 0};
/* static __global__ void alone(int* out);  __global__ void plain(int* out); */
KERNEL(b_alone, "_ZL5alonePi@b_cu", 42);
KERNEL(b_plain, "_Z5plainPi", 52);
#endif

static const struct torchada_kernel* const kernels[] = {
#ifdef OF_A
    &a_same, &a_unnamed, &a_lambda,
#endif
#ifdef OF_B
    &b_same, &b_unnamed, &b_lambda, &b_alone, &b_plain,
#endif
};
static const struct torchada_variable* const variables[] = {
#ifdef OF_A
    &a_variable,
#endif
#ifdef OF_B
    &b_variable,
#endif
};

TORCHADA_SEAL;
__attribute__((visibility("default"))) const struct torchada_image torchada_image = {
    TORCHADA_IMAGE_FORMAT,    32,        TORCHADA_CPU_BASELINE,       0, kernels,
    kernels + COUNT(kernels), variables, variables + COUNT(variables)};
