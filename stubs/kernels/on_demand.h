// Kernels and variables that no kernel library has, made while the program waits.
//
// TORCHADA_KERNELS_FROM=RECIPE says from which sources. A process of its own makes them
// (`torchada kernels serve`), which the companion starts at the first request and which is one for
// all of torchada's libraries in the process (src/companion/kernels).
//
// The request is one message of these lines: make, the source as nvcc's names tell it, kernel or
// variable, and the name as the program registered it. The answer is one line:
//   image made|kept MILLISECONDS PATH    an image that has it
//   none REASON                          the recipe has no such source, or the source no such code
//   failed REASON                        the first error of the compiler
#pragma once

#include <stdint.h>

#include "stubs/kernels/kind.h"
#include "stubs/system/mapped_memory.h"

namespace torchada::kernels {

// Whether the user named a recipe. The variable is read once.
bool is_made_on_demand();

// The answer to one request. No lock may be held, because it waits for a compiler.
class Answer {
 public:
  Answer(const char* source, Kind kind, const char* name);

  // The path of an image. Null if there is none.
  const char* image() const { return image_; }
  // Why there is none.
  const char* reason() const { return reason_; }

 private:
  void read_from(int pipe);
  void understand();
  void understand_image(char* rest);
  void count() const;

  static constexpr size_t kRoom = 8192;
  MappedMemory line_{kRoom};
  int64_t milliseconds_ = 0;
  bool is_kept_ = false;
  const char* image_ = nullptr;
  const char* reason_ = "there is no memory";
};

// TORCHADA_RECORD_KERNELS=FILE: each kernel that the program launches, or asks about, is appended
// to that file, as SOURCE, a tab, and its name. Once for each process.
bool is_recorded();
void record(const char* source, const char* name);

}  // namespace torchada::kernels
