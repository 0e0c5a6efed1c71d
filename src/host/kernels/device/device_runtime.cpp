// What device code calls, with the state of the thread before the arguments that the headers
// declare (include/cuda/torchada_threads.h). Compiled to bitcode when the project is built, and
// linked into each source's module.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/host/kernels/include/torchada_image.h"
#include "src/host/kernels/include/torchada_texture.h"

#define TORCHADA_SHORT extern "C" __attribute__((always_inline))
#define TORCHADA_CALL extern "C" __attribute__((noinline))

// The ends of the arrays that the linker makes of all sources' kernels and variables.
#define TORCHADA_ENDS(type, name)                                                            \
  extern "C" const type* const __start_##name[] __attribute__((weak, visibility("hidden"))); \
  extern "C" const type* const __stop_##name[] __attribute__((weak, visibility("hidden")))
TORCHADA_ENDS(torchada_kernel, torchada_kernels);
TORCHADA_ENDS(torchada_variable, torchada_variables);

TORCHADA_SEAL;  // In every source; the first in the image counts.

// What the driver looks for. Every source has it, and the linker keeps one. The compiler writes
// warp size, CPU level and architecture (entries.cpp).
extern "C" {
__attribute__((weak, visibility("default"))) extern const torchada_image torchada_image = {
    TORCHADA_IMAGE_FORMAT,
    0,
    0,
    0,
    __start_torchada_kernels,
    __stop_torchada_kernels,
    __start_torchada_variables,
    __stop_torchada_variables};
}

// Where threads wait. They are calls until frames.cpp has seen them.
TORCHADA_CALL int torchada_barrier(torchada_state* state, int vote) {
  return state->engine->barrier(vote);
}
TORCHADA_CALL unsigned long long torchada_meet(torchada_state* state, int kind, unsigned int mask,
                                               unsigned long long value, unsigned int argument) {
  return state->engine->meet(static_cast<torchada_meeting>(kind), mask, value, argument);
}
TORCHADA_CALL void torchada_yield(torchada_state* state) { state->engine->yield(); }

// The same in kernels whose threads have frames.
TORCHADA_SHORT void torchada_begin_barrier(torchada_state* state, int vote) {
  state->engine->begin_barrier(vote);
}
TORCHADA_SHORT void torchada_begin_meet(torchada_state* state, int kind, unsigned int mask,
                                        unsigned long long value, unsigned int argument) {
  const torchada_meeting meeting = static_cast<torchada_meeting>(kind);
  const unsigned int votes = meeting == TORCHADA_MEET_VOTES ? argument : 1;
  torchada_round* const round = state->round;
  // What the whole warp does at once needs no call of the engine.
  if (round != nullptr && meeting != TORCHADA_MEET_ACTIVE &&
      (mask == 0 || (round->lanes & ~mask) == 0) &&
      (round->waiting == 0 ||
       (round->meeting == meeting && round->mask == mask && round->votes == votes))) {
    const unsigned int lane = state->index - round->first;
    round->waiting |= 1u << lane;
    round->meeting = meeting;
    round->mask = mask;
    round->votes = votes;
    round->values[lane] = value;
    round->arguments[lane] = argument;
  } else {
    state->engine->begin_meet(meeting, mask, value, argument);
  }
}
TORCHADA_SHORT void torchada_begin_yield(torchada_state* state) { state->engine->begin_yield(); }
TORCHADA_SHORT int torchada_end_barrier(torchada_state* state) { return state->counted; }
TORCHADA_SHORT unsigned long long torchada_end_meet(torchada_state* state) { return state->met; }
TORCHADA_SHORT unsigned long long torchada_end_votes(torchada_state* state, int vote) {
  return state->votes[vote];
}
TORCHADA_SHORT void torchada_end_yield(torchada_state*) {}
TORCHADA_SHORT void* torchada_frame(torchada_state* state, size_t bytes) {
  return state->engine->frame(bytes);
}

TORCHADA_SHORT int torchada_grid_barrier(torchada_state* state, int wait) {
  return state->engine->grid_barrier(wait);
}

TORCHADA_SHORT void torchada_spin_here(torchada_state* state) {
  if (torchada_has_spun(state)) torchada_yield(state);
}

// Nanoseconds, as the devices' clock rate says (src/host/musa/device_clock.h). A thread that waits
// by them reads them again and again.
extern "C" long long torchada_clock(torchada_state* state) {
  torchada_spin(state);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

TORCHADA_SHORT unsigned int torchada_thread_index(torchada_state* state) { return state->index; }

TORCHADA_SHORT unsigned int torchada_thread_count(torchada_state* state) { return state->count; }

TORCHADA_SHORT unsigned int torchada_dynamic_size(torchada_state* state) {
  return state->dynamic_size;
}

// Where the block's shared memory begins and ends.
TORCHADA_SHORT unsigned char* torchada_shared_begin(torchada_state* state) { return state->shared; }
TORCHADA_SHORT unsigned char* torchada_shared_end(torchada_state* state) {
  return state->dynamic_shared + state->dynamic_size;
}

// These three are calls where frames.cpp looks: of nothing else that calls the engine is it known
// that nobody comes back.
TORCHADA_CALL void torchada_trap(torchada_state* state) {
  state->engine->end(TORCHADA_END_TRAP, nullptr);
  __builtin_unreachable();
}

// The thread ends here (the PTX instruction exit).
TORCHADA_CALL void torchada_exit(torchada_state* state) {
  state->engine->end(TORCHADA_END_EXIT, nullptr);
  __builtin_unreachable();
}

TORCHADA_CALL void torchada_assert_fail(torchada_state* state, const char* what, const char* file,
                                        unsigned int line, const char*) {
  char text[256];
  snprintf(text, sizeof text, "%s:%u: assertion `%s' failed", file, line, what);
  state->engine->end(TORCHADA_END_ASSERT, text);
  __builtin_unreachable();
}

namespace {

// What lies behind a handle. The kernel ends if that is something else.
template <typename Object>
__attribute__((always_inline)) inline const Object& object_at(torchada_state* state,
                                                              unsigned long long handle,
                                                              unsigned long long mark,
                                                              const char* otherwise) {
  const auto* const object = reinterpret_cast<const Object*>(handle);
  if (object->handle != mark) {
    state->engine->end(TORCHADA_END_TRAP, otherwise);
    __builtin_unreachable();
  }
  return *object;
}

__attribute__((always_inline)) inline const torchada_texture& texture_at(
    torchada_state* state, unsigned long long handle) {
  return object_at<torchada_texture>(state, handle, handle, "it reads no texture object");
}

int clamp(int at, int most) { return at < 0 ? 0 : at > most ? most : at; }

}  // namespace

TORCHADA_SHORT void torchada_sample(torchada_state* state, unsigned long long texture, float x,
                                    float y, float z, int layer, float level,
                                    torchada_texel* texel) {
  const torchada_texture& found = texture_at(state, texture);
  *texel = found.sample(&found, x, y, z, layer, level);
}

TORCHADA_SHORT void torchada_fetch(torchada_state* state, unsigned long long texture, int index,
                                   torchada_texel* texel) {
  const torchada_texture& found = texture_at(state, texture);
  *texel = found.fetch(&found, index);
}

TORCHADA_SHORT void torchada_gather(torchada_state* state, unsigned long long texture, float x,
                                    float y, int channel, torchada_texel* texels) {
  const torchada_texture& found = texture_at(state, texture);
  *texels = found.gather(&found, x, y, channel);
}

TORCHADA_SHORT float torchada_level(torchada_state* state, unsigned long long texture,
                                    const float* dx, const float* dy) {
  const torchada_texture& found = texture_at(state, texture);
  return found.level_of(&found, dx, dy);
}

// Where an element of a surface is. Outside of the surface, `mode` says what happens: nothing (0),
// it is the nearest one (1), or the kernel ends.
TORCHADA_SHORT unsigned char* torchada_surface_at(torchada_state* state, unsigned long long handle,
                                                  int x, int y, int z, unsigned int size,
                                                  int mode) {
  const auto& surface =
      object_at<torchada_surface>(state, handle, ~handle, "it reads or writes no surface object");
  const int last = surface.row_bytes - static_cast<int>(size);
  const int near_x = clamp(x, last);
  const int near_y = clamp(y, surface.rows - 1);
  const int near_z = clamp(z, surface.slices - 1);
  if (near_x != x || near_y != y || near_z != z) {
    if (mode == 0) return nullptr;
    if (mode != 1) {
      state->engine->end(TORCHADA_END_TRAP, "it reads or writes outside of a surface");
      __builtin_unreachable();
    }
  }
  return surface.start + near_z * surface.slice + near_y * surface.pitch + near_x;
}

// A virtual function without a definition: its class's table names it.
extern "C" void __cxa_pure_virtual(torchada_state* state) { torchada_trap(state); }

namespace {

// The next of printf's arguments, which lie one behind the other, each at a multiple of its size.
template <typename T>
T next_argument(const unsigned char** at) {
  const auto place = (reinterpret_cast<uintptr_t>(*at) + sizeof(T) - 1) / sizeof(T) * sizeof(T);
  T value;
  memcpy(&value, reinterpret_cast<const void*>(place), sizeof(T));
  *at = reinterpret_cast<const unsigned char*>(place) + sizeof(T);
  return value;
}

// What one printf prints. Without memory the rest is left out.
class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    printf("%.*s", static_cast<int>(end_), text_);
    if (text_ != short_) free(text_);
  }

  template <typename... Values>
  void add(const char* format, Values... values) {
    const int size = snprintf(text_ + end_, room_ - end_, format, values...);
    if (size < 0 || (end_ + size >= room_ && !grow(end_ + size + 1))) return;
    snprintf(text_ + end_, room_ - end_, format, values...);
    end_ += size;
  }

 private:
  bool grow(size_t wanted) {
    char* const larger = static_cast<char*>(malloc(2 * wanted));
    if (larger == nullptr) return false;
    memcpy(larger, text_, end_);
    if (text_ != short_) free(text_);
    text_ = larger;
    room_ = 2 * wanted;
    return true;
  }

  char short_[512] = {};
  char* text_ = short_;
  size_t room_ = sizeof short_;
  size_t end_ = 0;
};

// Prints a conversion. The values of `*` come before its own.
template <typename T>
void add_value(Output* output, const char* conversion, int stars, const unsigned char** packed) {
  const int first = stars > 0 ? next_argument<int>(packed) : 0;
  const int second = stars > 1 ? next_argument<int>(packed) : 0;
  const T value = next_argument<T>(packed);
  if (stars == 0) output->add(conversion, value);
  if (stars == 1) output->add(conversion, first, value);
  if (stars == 2) output->add(conversion, first, second, value);
}

}  // namespace

// printf of device code: clang packs the arguments. Each conversion goes to the C library, and all
// of it is printed at once. Returns how many arguments there were, as CUDA's does.
extern "C" int torchada_print(torchada_state*, const char* format, const unsigned char* packed) {
  Output output;
  int count = 0;
  while (*format != '\0') {
    char piece[64];
    size_t length = *format == '%' ? 2 : strcspn(format, "%");
    if (*format != '%') {
      output.add("%.*s", static_cast<int>(length), format);
    } else if (format[1] == '%') {
      output.add("%s", "%");
    } else {
      length = strspn(format + 1, "-+ #0123456789.*hlLqjzt") + 2;
      if (length >= sizeof piece || strnlen(format, length) < length) break;
      memcpy(piece, format, length);
      piece[length] = '\0';
      int stars = 0;
      for (const char* c = piece; *c != '\0'; ++c) stars += *c == '*' ? 1 : 0;
      ++count;
      if (strchr("aAeEfFgG", piece[length - 1]) != nullptr) {
        add_value<double>(&output, piece, stars, &packed);
      } else if (strchr("sp", piece[length - 1]) != nullptr) {
        add_value<const char*>(&output, piece, stars, &packed);
      } else if (strpbrk(piece, "lLqjzt") != nullptr) {
        add_value<long>(&output, piece, stars, &packed);
      } else if (strchr("diouxXc", piece[length - 1]) != nullptr) {
        add_value<int>(&output, piece, stars, &packed);
      }
    }
    format += length;
  }
  return count;
}

// Runs threads while there are any.
TORCHADA_SHORT void torchada_run_threads(torchada_state* state, const unsigned char* arguments,
                                         void (*kernel)(torchada_state*, const unsigned char*)) {
  while (torchada_next(state) != 0) kernel(state, arguments);
}

// Runs whole blocks of a plain kernel (entries.cpp). In these loops nothing but `x` changes from
// thread to thread, and it is known to be small, so they can become loops over vectors. The order
// of the threads is that of torchada_run_threads. `has_work` is the question with which the kernel
// begins, or null; if all threads of a block have work, `busy` runs them, which does not ask.
TORCHADA_SHORT void torchada_run_blocks(torchada_state* state, const unsigned char* arguments,
                                        unsigned int count,
                                        void (*kernel)(torchada_state*, const unsigned char*),
                                        bool (*has_work)(torchada_state*, const unsigned char*),
                                        void (*busy)(torchada_state*, const unsigned char*)) {
  while (true) {
    torchada_state here = *state;
    const unsigned int width = here.block_dim.x = (here.block_dim.x - 1) % 1024 + 1;
    here.block.x %= TORCHADA_WIDEST_GRID;
    unsigned int idle = 0;
    for (unsigned int z = 0; z < here.block_dim.z && idle == 0; ++z) {
      for (unsigned int y = 0; y < here.block_dim.y && idle == 0; ++y) {
        for (unsigned int x = 0; x < width; ++x) {
          here.thread.x = x;
          here.thread.y = y;
          here.thread.z = z;
          idle += has_work == nullptr || has_work(&here, arguments) ? 0 : 1;
        }
      }
    }
    if (idle == 0) {
      state->begun = state->index = state->count;
      asm volatile("" : : : "memory");  // What a fault in the loop finds.
      for (unsigned int z = 0; z < here.block_dim.z; ++z) {
        for (unsigned int y = 0; y < here.block_dim.y; ++y) {
          for (unsigned int x = 0; x < width; ++x) {
            here.thread.x = x;
            here.thread.y = y;
            here.thread.z = z;
            busy(&here, arguments);
          }
        }
      }
    } else {
      state->begun = 0;
      torchada_run_threads(state, arguments, kernel);
    }
    if (--count == 0) return;
    torchada_advance(&state->block, &state->grid_dim);
  }
}

// Functions of double that the C library computes less exactly than CUDA documents, with the 64
// bits that a long double has here.
#define TORCHADA_LONG(name, parameters, ...)                                         \
  TORCHADA_SHORT double torchada_##name(torchada_state*, TORCHADA_LIST parameters) { \
    return static_cast<double>(__VA_ARGS__);                                         \
  }
#define TORCHADA_LIST(...) __VA_ARGS__
TORCHADA_LONG(cbrt, (double x), cbrtl(x))
TORCHADA_LONG(rcbrt, (double x), 1 / cbrtl(x))
TORCHADA_LONG(exp10, (double x), exp10l(x))
TORCHADA_LONG(normcdf, (double x), erfcl(-x* M_SQRT1_2l) / 2)
TORCHADA_LONG(rnorm, (double a, double b, double c, double d),
              1 / hypotl(hypotl(a, b), hypotl(c, d)))
TORCHADA_LONG(j0, (double x), j0l(x))
TORCHADA_LONG(j1, (double x), j1l(x))
TORCHADA_LONG(jn, (int order, double x), jnl(order, x))
TORCHADA_LONG(y0, (double x), y0l(x))
TORCHADA_LONG(y1, (double x), y1l(x))
TORCHADA_LONG(yn, (int order, double x), ynl(order, x))

// Bessel's I of order 0 and 1, by its series.
extern "C" double torchada_bessel_i(torchada_state*, int order, double x) {
  const long double half = x / 2.0L;
  long double term = order == 0 ? 1 : half, sum = term;
  for (int k = 1; fabsl(term) > fabsl(sum) * 1e-20L; ++k) {
    term *= half / k * (half / (k + order));
    sum += term;
  }
  return static_cast<double>(sum);
}
