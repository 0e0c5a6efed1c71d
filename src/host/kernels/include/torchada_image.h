/* The format of the stand-in's images of device code.
 *
 * An image is a shared object (ELF, ET_DYN, of the machine's own architecture) with a section
 * named .torchada.image, by which the driver knows it before it loads it, and an exported
 * `const struct torchada_image torchada_image`. The driver loads a copy for each module, so a
 * module has variables of its own. It needs nothing from the driver to link: the engine comes
 * through torchada_state. Nothing in it may run while the loader opens it, so it is linked with
 * -nostartfiles.
 */
#ifndef TORCHADA_IMAGE_H
#define TORCHADA_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define TORCHADA_IMAGE_SECTION ".torchada.image"
#define TORCHADA_IMAGE_FORMAT 8
#define TORCHADA_SEAL_MARK "torchada image" /* zeros follow */
/* Holds the kernels' names, each ended by a zero, for those who read an image without loading it:
 * torchada kernels, torchada check. */
#define TORCHADA_NAMES_SECTION ".torchada.kernels"

#ifdef __cplusplus
extern "C" {
#endif

/* What the section TORCHADA_IMAGE_SECTION begins with. torchada-kernels writes size and checksum
 * when the file is complete (torchada-kernels --seal=FILE for one made by hand). */
struct torchada_seal {
  char mark[16];
  uint64_t size;     /* of the file in bytes */
  uint32_t checksum; /* CRC-32 of the file, with zeros in place of this number */
  uint32_t unused;
};
#define TORCHADA_SEAL                                                            \
  __attribute__((section(TORCHADA_IMAGE_SECTION),                                \
                 used)) static const struct torchada_seal torchada_seal_here = { \
      TORCHADA_SEAL_MARK, 0, 0, 0}

struct torchada_xyz {
  unsigned int x, y, z;
};

struct torchada_state;

/* How the threads of a warp meet. */
enum torchada_meeting {
  TORCHADA_MEET_SYNC,   /* no result */
  TORCHADA_MEET_READ,   /* the value of the lane `argument` */
  TORCHADA_MEET_VOTE,   /* a bit for each lane whose value is not 0 */
  TORCHADA_MEET_MATCH,  /* a bit for each lane with the same value */
  TORCHADA_MEET_ACTIVE, /* the lanes that wait here when no other thread of the block can run */
  TORCHADA_MEET_VOTES,  /* as VOTE `argument` times, of each of the value's bits; with begin_meet */
};
#define TORCHADA_MOST_VOTES 8

/* Why a kernel ends early. EXIT: only the thread does. */
enum torchada_end { TORCHADA_END_TRAP, TORCHADA_END_ASSERT, TORCHADA_END_EXIT };

/* The instructions that an image needs. */
enum torchada_cpu_level { TORCHADA_CPU_BASELINE = 1, TORCHADA_CPU_V3 = 3 /* x86-64-v3 */ };

/* What the driver does for a running thread. */
struct torchada_engine {
  /* Prepares the next thread that nobody has begun. 0 if there is none. */
  int (*next)(void);
  /* All threads of the block. Returns for how many of them `vote` is not 0. */
  int (*barrier)(int vote);
  /* The lanes of `mask` that have not ended; 0 means all of the warp. */
  uint64_t (*meet)(enum torchada_meeting meeting, uint32_t mask, uint64_t value,
                   unsigned int argument);
  /* Lets the other threads of the block run. */
  void (*yield)(void);
  /* Does not return. The text may be null. */
  void (*end)(enum torchada_end end, const char* text);
  /* All blocks of a cooperative launch: one thread of each calls it. 0 in any other launch. With
   * `wait` 0 it only answers. */
  int (*grid_barrier)(int wait);
  /* barrier, meet and yield of a thread that start() began. It has to leave then, and is resumed
   * with the result in the state. */
  void (*begin_barrier)(int vote);
  void (*begin_meet)(enum torchada_meeting meeting, uint32_t mask, uint64_t value,
                     unsigned int argument);
  void (*begin_yield)(void);
  /* Memory for what the thread keeps while it waits, as much for each thread of a kernel. */
  void* (*frame)(size_t bytes);
};

/* Where the threads of a warp meet that run one after the other, from one meeting to the next. Only
 * kernels with start() have it, and warps of at most 32. */
struct torchada_round {
  unsigned int first; /* index of the warp's first thread */
  uint32_t lanes;     /* those that run in this round */
  uint32_t waiting;   /* those that came to the meeting */
  enum torchada_meeting meeting;
  uint32_t mask;
  uint32_t votes; /* of TORCHADA_MEET_VOTES */
  uint64_t values[32];
  unsigned int arguments[32];
};

/* One for each OS thread that runs blocks. A block never changes its OS thread. */
struct torchada_state {
  struct torchada_xyz thread, block, block_dim, grid_dim;
  const struct torchada_engine* engine;
  unsigned char* shared; /* the block's shared memory, not initialised: the kernel's variables */
  unsigned char* dynamic_shared; /* its part whose size the launch says, behind them */
  unsigned int begun;            /* threads of the block */
  unsigned int count;            /* threads in the block */
  unsigned int suspended;        /* threads that have begun and do not run now */
  unsigned int index;            /* of this thread in the block; `count` if nobody knows */
  unsigned int spins;            /* what the thread did that may be waiting, see torchada_spin */
  unsigned int dynamic_size;
  uint64_t met; /* the results of meetings and barriers of threads that start() began */
  int counted;
  const uint32_t* votes;        /* of TORCHADA_MEET_VOTES, one for each bit */
  struct torchada_round* round; /* null while the threads of a warp do not run together */
};

struct torchada_parameter {
  uint32_t offset, size;
};

struct torchada_kernel {
  /* Mangled. One with internal linkage ends in @SOURCE, the base name of its source file with an
   * underscore for what is no letter and no digit, as in nvcc's names: @SoftMax_cu. */
  const char* name;
  /* Runs threads while torchada_next() finds one. The arguments lie at the parameters' offsets.
   * Null if there is start(). */
  void (*run)(struct torchada_state* state, const unsigned char* arguments);
  const struct torchada_parameter* parameters;
  uint32_t parameter_count;
  uint32_t parameter_bytes; /* to the end of the last one */
  uint32_t max_threads;     /* of __launch_bounds__; 0: the device's limit */
  uint32_t shared_size;     /* of the __shared__ variables with a size */
  /* Runs `count` whole blocks, in order, from state->block on. Null if only run() can, which is
   * also what runs grids wider than TORCHADA_WIDEST_GRID. */
  void (*run_blocks)(struct torchada_state* state, const unsigned char* arguments,
                     unsigned int count);
  /* Begins a thread. Returns when it waits or has ended, and what it returns points to a function
   * that goes on with it, or null if it has ended. Null if only run() can. */
  void* (*start)(struct torchada_state* state, const unsigned char* arguments);
};

/* So that the index of a thread is never more than an int holds: 1024 threads in a block. */
#define TORCHADA_WIDEST_GRID 0x200000

struct torchada_variable {
  const char* name; /* as a kernel's */
  void* address;
  uint64_t size;
  uint32_t is_constant;
};

struct torchada_image {
  uint32_t format;
  uint32_t warp_size; /* for which the sources were compiled */
  uint32_t cpu_level; /* enum torchada_cpu_level */
  uint32_t cuda_arch; /* what a function's ptxVersion tells, times 10 */
  /* The ends of arrays of pointers. */
  const struct torchada_kernel* const* kernels;
  const struct torchada_kernel* const* kernels_end;
  const struct torchada_variable* const* variables;
  const struct torchada_variable* const* variables_end;
};

#ifdef __cplusplus
}
#endif

/* The next position in a grid of blocks or a block of threads. */
static inline void torchada_advance(struct torchada_xyz* at, const struct torchada_xyz* size) {
  if (++at->x != size->x) return;
  at->x = 0;
  if (++at->y != size->y) return;
  at->y = 0;
  ++at->z;
}

/* To be called before each thread. 0: all have begun. */
static inline int torchada_next(struct torchada_state* state) {
  if (state->suspended != 0 || state->begun == 0) return state->engine->next();
  if (state->begun == state->count) return 0;
  state->index = state->begun++;
  torchada_advance(&state->thread, &state->block_dim);
  state->spins = 0;
  return 1;
}

/* To be called where a thread may be waiting for another one of its block: whether the others are
 * to run now. */
static inline int torchada_has_spun(struct torchada_state* state) {
  return ++state->spins % 64 == 0;
}

static inline void torchada_spin(struct torchada_state* state) {
  if (torchada_has_spun(state)) state->engine->yield();
}

#endif
