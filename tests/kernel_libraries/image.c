/* Two kernel libraries for the stand-in, by hand: IMAGE is 1 or 2. The names are what clang gives
 * the kernels in the comments, in a source named a.cu. */
#include <torchada_image.h>

#define ARGUMENT(type, at) (*(type const*)(arguments + (at)))
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A kernel with its parameters' offsets and sizes. */
#define KERNEL(symbol, ...) KERNEL_NAMED(symbol, #symbol, __VA_ARGS__)
/* With internal linkage. */
#define INTERNAL_KERNEL(symbol, ...) KERNEL_NAMED(symbol, #symbol "@a_cu", __VA_ARGS__)
#define KERNEL_NAMED(symbol, name, ...)                                                            \
  __attribute__((section(TORCHADA_NAMES_SECTION), used)) static const char symbol##_name[] = name; \
  static const struct torchada_parameter symbol##_parameters[] = {__VA_ARGS__};                    \
  static const struct torchada_kernel symbol##_kernel = {                                          \
      symbol##_name,                                                                               \
      symbol##_run,                                                                                \
      symbol##_parameters,                                                                         \
      COUNT(symbol##_parameters),                                                                  \
      symbol##_parameters[COUNT(symbol##_parameters) - 1].offset +                                 \
          symbol##_parameters[COUNT(symbol##_parameters) - 1].size,                                \
      256,                                                                                         \
      16,                                                                                          \
      NULL,                                                                                        \
      NULL}
#define RUN(symbol) \
  static void symbol##_run(struct torchada_state* state, const unsigned char* arguments)

/* __global__ void add(int* data, int value) */
RUN(_Z3addPii) {
  while (torchada_next(state)) {
    const unsigned int i = state->block.x * state->block_dim.x + state->thread.x;
    ARGUMENT(int*, 0)[i] += ARGUMENT(int, 8) * (IMAGE == 1 ? 1 : 100);
  }
}
KERNEL(_Z3addPii, {0, 8}, {8, 4});

/* static __global__ void both(int* data) */
RUN(_ZL4bothPi) {
  while (torchada_next(state)) *ARGUMENT(int*, 0) = IMAGE;
}
INTERNAL_KERNEL(_ZL4bothPi, {0, 8});

#if IMAGE == 1

/* static __global__ void shape(unsigned* out) */
RUN(_ZL5shapePj) {
  while (torchada_next(state)) {
    unsigned int* const out = ARGUMENT(unsigned int*, 0);
    if (state->block.x + state->block.y + state->block.z + state->index != 0) continue;
    out[0] = state->grid_dim.x;
    out[1] = state->grid_dim.y;
    out[2] = state->grid_dim.z;
    out[3] = state->block_dim.x;
    out[4] = state->block_dim.y;
    out[5] = state->block_dim.z;
    out[6] = state->dynamic_size;
  }
}
INTERNAL_KERNEL(_ZL5shapePj, {0, 8});

/* struct Box { char c; double d; int i[3]; };  __global__ void unpack(Box box, double* out) */
struct Box {
  char c;
  double d;
  int i[3];
};
RUN(_Z6unpack3BoxPd) {
  while (torchada_next(state)) {
    const struct Box box = ARGUMENT(struct Box, 0);
    double* const out = ARGUMENT(double*, 32);
    out[0] = box.c;
    out[1] = box.d;
    out[2] = box.i[0] + 10 * box.i[1] + 100 * box.i[2];
  }
}
KERNEL(_Z6unpack3BoxPd, {0, 32}, {32, 8});

/* __global__ void reverse(int* data), through dynamic shared memory */
RUN(_Z7reversePi) {
  while (torchada_next(state)) {
    int* const data = ARGUMENT(int*, 0);
    int* const shared = (int*)state->dynamic_shared;
    const unsigned int i = state->thread.x;
    shared[i] = data[i];
    state->engine->barrier(0);
    data[i] = shared[state->block_dim.x - 1 - i];
  }
}
KERNEL(_Z7reversePi, {0, 8});

/* static __global__ void hidden(int* out) */
RUN(_ZL6hiddenPi) {
  while (torchada_next(state)) *ARGUMENT(int*, 0) = 61;
}
INTERNAL_KERNEL(_ZL6hiddenPi, {0, 8});

/* namespace { __global__ void unnamed(int* out); } */
RUN(_ZN12_GLOBAL__N_17unnamedEPi) {
  while (torchada_next(state)) *ARGUMENT(int*, 0) = 71;
}
INTERNAL_KERNEL(_ZN12_GLOBAL__N_17unnamedEPi, {0, 8});

/* __global__ void wait_for(int* flags): tells by the second that it runs, until the host writes the
 * first. */
RUN(_Z8wait_forPi) {
  while (torchada_next(state)) {
    int* const flags = ARGUMENT(int*, 0);
    __atomic_store_n(&flags[1], 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&flags[0], __ATOMIC_ACQUIRE) == 0) continue;
  }
}
KERNEL(_Z8wait_forPi, {0, 8});

/* __global__ void trap(int* unused) */
RUN(_Z4trapPi) {
  (void)arguments;
  while (torchada_next(state)) state->engine->end(TORCHADA_END_TRAP, 0);
}
KERNEL(_Z4trapPi, {0, 8});

/* __device__ int table[4];  namespace ns { static __constant__ int limit; } */
static int table[4] = {1, 2, 3, 4};
static int limit = 5;
/* __global__ void sum(int* out) */
RUN(_Z3sumPi) {
  while (torchada_next(state)) {
    *ARGUMENT(int*, 0) = table[0] + table[1] + table[2] + table[3] + 100 * limit;
  }
}
KERNEL(_Z3sumPi, {0, 8});
static const struct torchada_variable table_variable = {"table", table, sizeof table, 0};
static const struct torchada_variable limit_variable = {"_ZN2nsL5limitE@a_cu", &limit, sizeof limit,
                                                        1};
static const struct torchada_variable* const variables[] = {&table_variable, &limit_variable};

static const struct torchada_kernel* const kernels[] = {&_Z3addPii_kernel,
                                                        &_ZL4bothPi_kernel,
                                                        &_ZL5shapePj_kernel,
                                                        &_Z6unpack3BoxPd_kernel,
                                                        &_Z7reversePi_kernel,
                                                        &_ZL6hiddenPi_kernel,
                                                        &_ZN12_GLOBAL__N_17unnamedEPi_kernel,
                                                        &_Z8wait_forPi_kernel,
                                                        &_Z4trapPi_kernel,
                                                        &_Z3sumPi_kernel};

#else

/* __global__ void second(int* out) */
RUN(_Z6secondPi) {
  while (torchada_next(state)) *ARGUMENT(int*, 0) = 2;
}
KERNEL(_Z6secondPi, {0, 8});

static int unused;
static const struct torchada_variable unused_variable = {"unused", &unused, sizeof unused, 0};
static const struct torchada_variable* const variables[] = {&unused_variable};
static const struct torchada_kernel* const kernels[] = {&_Z3addPii_kernel, &_ZL4bothPi_kernel,
                                                        &_Z6secondPi_kernel};

#endif

TORCHADA_SEAL;
__attribute__((visibility("default"))) const struct torchada_image torchada_image = {
    TORCHADA_IMAGE_FORMAT,    32,        TORCHADA_CPU_BASELINE,       700, kernels,
    kernels + COUNT(kernels), variables, variables + COUNT(variables)};
