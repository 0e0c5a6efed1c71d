/* An image of device code by hand, in the format of src/host/kernels/include/torchada_image.h:
 *   cc -shared -fPIC -fvisibility=hidden -nostartfiles -I src/host/kernels/include device_code.c \
 *     -o image.so
 *   host/kernels/torchada-kernels --seal=image.so
 */
#include <torchada_image.h>

#define ARGUMENT(type, at) (*(type const*)(arguments + (at)))
/* A kernel whose parameters are listed with their offsets. */
#define KERNEL_WITH(symbol, threads, shared, ...)                                                  \
  static const struct torchada_parameter symbol##_parameters[] = {__VA_ARGS__};                    \
  static const struct torchada_kernel symbol##_kernel = {                                          \
      #symbol,                                                                                     \
      symbol##_run,                                                                                \
      symbol##_parameters,                                                                         \
      sizeof(symbol##_parameters) / sizeof(struct torchada_parameter),                             \
      symbol##_parameters[sizeof(symbol##_parameters) / sizeof(struct torchada_parameter) - 1]     \
              .offset +                                                                            \
          symbol##_parameters[sizeof(symbol##_parameters) / sizeof(struct torchada_parameter) - 1] \
              .size,                                                                               \
      threads,                                                                                     \
      shared,                                                                                      \
      NULL,                                                                                        \
      NULL}
#define KERNEL(symbol, ...) KERNEL_WITH(symbol, 0, 0, __VA_ARGS__)
#define RUN(symbol) \
  static void symbol##_run(struct torchada_state* state, const unsigned char* arguments)

static unsigned int global_index(const struct torchada_state* state) {
  return state->block.x * state->block_dim.x + state->thread.x;
}

/* void scale(float* data, float factor, int count) */
RUN(scale) {
  while (torchada_next(state)) {
    const unsigned int i = global_index(state);
    if (i < (unsigned int)ARGUMENT(int, 12)) ARGUMENT(float*, 0)[i] *= ARGUMENT(float, 8);
  }
}
KERNEL(scale, {0, 8}, {8, 4}, {12, 4});

/* void position(struct torchada_xyz* out): 3-D grids and blocks. */
RUN(position) {
  while (torchada_next(state)) {
    const struct torchada_xyz b = state->block, t = state->thread, n = state->block_dim;
    const unsigned int block = (b.z * state->grid_dim.y + b.y) * state->grid_dim.x + b.x;
    const unsigned int thread = (t.z * n.y + t.y) * n.x + t.x;
    struct torchada_xyz* const out =
        ARGUMENT(struct torchada_xyz*, 0) + 2 * (block * n.x * n.y * n.z + thread);
    out[0] = b;
    out[1] = t;
  }
}
KERNEL(position, {0, 8});

/* void store(int* to, int value): one thread of one block. */
RUN(store) {
  while (torchada_next(state)) *ARGUMENT(int*, 0) = ARGUMENT(int, 8);
}
KERNEL_WITH(store, 64, 1024, {0, 8}, {8, 4});

/* void reverse(int* data): each block's threads, through dynamic shared memory. */
RUN(reverse) {
  while (torchada_next(state)) {
    int* const data = ARGUMENT(int*, 0) + state->block.x * state->block_dim.x;
    int* const shared = (int*)state->dynamic_shared;
    const unsigned int i = state->thread.x;
    shared[i] = data[i];
    state->engine->barrier(0);
    data[i] = shared[state->block_dim.x - 1 - i];
  }
}
KERNEL(reverse, {0, 8});

/* void split(): half of the threads wait where the others never come. */
RUN(split) {
  (void)arguments;
  while (torchada_next(state)) {
    if (state->thread.x % 2 == 0) {
      state->engine->barrier(0);
    } else {
      state->engine->meet(TORCHADA_MEET_SYNC, 3, 0, 0);
    }
  }
}
KERNEL(split, {0, 0});

/* void fail(int how) */
static volatile int zero;
static int deep(int depth) {
  volatile char frame[256];
  frame[0] = (char)depth;
  return depth == 0 ? 0 : deep(depth - 1) + frame[0];
}
RUN(fail) {
  while (torchada_next(state)) {
    switch (ARGUMENT(int, 0)) {
      case 0:
        state->engine->end(TORCHADA_END_TRAP, 0);
        break;
      case 1:
        state->engine->end(TORCHADA_END_ASSERT, "assertion `no' failed");
        break;
      case 2:
        __builtin_trap();
        break;
      case 3:
        zero = 100 / zero;
        break;
      default: /* more stack than there is */
        zero = deep(100000);
    }
  }
}
KERNEL(fail, {0, 4});

/* void wait_for(int* flags): tells by the second that it runs, until the host writes the first. */
RUN(wait_for) {
  while (torchada_next(state)) {
    int* const flags = ARGUMENT(int*, 0);
    __atomic_store_n(&flags[1], 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&flags[0], __ATOMIC_ACQUIRE) == 0) continue;
  }
}
KERNEL(wait_for, {0, 8});

/* void sum_table(int* out) */
static int table[4] = {1, 2, 3, 4};
RUN(sum_table) {
  while (torchada_next(state)) *ARGUMENT(int*, 0) = table[0] + table[1] + table[2] + table[3];
}
KERNEL(sum_table, {0, 8});
static const struct torchada_variable table_variable = {"table", table, sizeof table, 0};

static const struct torchada_kernel* const kernels[] = {
    &scale_kernel, &position_kernel, &store_kernel,    &reverse_kernel,
    &split_kernel, &fail_kernel,     &wait_for_kernel, &sum_table_kernel};
static const struct torchada_variable* const variables[] = {&table_variable};

TORCHADA_SEAL;
__attribute__((visibility("default")))
const struct torchada_image torchada_image = {TORCHADA_IMAGE_FORMAT,
                                              32,
                                              TORCHADA_CPU_BASELINE,
                                              700,
                                              kernels,
                                              kernels + sizeof kernels / sizeof *kernels,
                                              variables,
                                              variables + 1};
