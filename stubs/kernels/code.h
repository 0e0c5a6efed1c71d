// Kernels and variables from the kernel libraries (files.h), found by their names. Each context has
// every library loaded once, at the first question that comes from it.
//
// Names and their numbers are in names.cpp, what contexts have loaded in loaded.cpp, and the rest
// in find.cpp. Compiled into the libraries whose sources.cmake names it: each has its own modules,
// as CUDA's runtime and its driver API have. No lock is held while MUSA is called.
//
// What has internal linkage is taken from the image of its own source alone: in the stand-in's
// images its name ends with @ and the source (torchada_image.h). MUSA's compiler is not known to
// tell the source, so its images are asked by the name alone, and two that have it are a doubt.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "src/shared/nvcc_name.h"
#include "stubs/kernels/kind.h"

namespace torchada::kernels {

// What a name's fat binary tells about the source, from which all of its code is.
struct Origin {
  SourceName source;
  // Without a source. Of a kernel declared static nothing tells it then, and an image serves it
  // that has all kernels of the module, if no other module registers the same name. `kernel(module,
  // i)` is the name of number `i`, or null.
  const void* module = nullptr;
  const char* (*kernel)(const void* module, size_t i) = nullptr;
  bool is_shared = false;
};

// What a library's own part decides, because each knows MUSA's statuses by other names.
bool says_not_found(int musa_status);

// A number for the name, never 0; the same for the same name from the same source, but another one
// for each origin with a module. 0 without memory.
uint32_t number_of(const char* name, Kind kind, const Origin& origin = {});

struct Code {
  int status = 0;            // MUSA's, because it could not be asked. Nothing else is set then.
  bool exists = false;       // Some library has it.
  void* function = nullptr;  // MUSA's handle of a kernel.
  unsigned long long address = 0;  // Of a variable.
  size_t bytes = 0;                // Of a variable.
};

// What `context`, which is the current one, has under that number.
Code find(uint32_t number, void* context);

// The name's number if `function` is a handle that `find` gave and no context was forgotten since,
// or one that note_musas got; otherwise 0.
uint32_t number_of_function(const void* function);

// Whether it may return anything else than 0.
bool knows_functions();

// Notes a kernel of a module of MUSA's that the program loaded. Its number has this bit, and means
// the handle itself.
inline constexpr uint32_t kMusas = uint32_t{1} << 31;
void note_musas(const void* function, uint32_t number);

// Why no image could be made on demand for the name. It never moves. Null if none was asked for.
const char* failure_of(uint32_t number);

// The name that has that number. It never moves.
const char* text_of(uint32_t number);

// Keeps the address by which the program names the kernel `number`, and tells it again. Null if the
// program has only the handle.
void note_host(uint32_t number, const void* host);
const void* host_of(uint32_t number);

// The context is gone, or has lost its modules: they are loaded again when it is asked.
void forget(const void* context);

// How often that was said.
extern uint64_t forgotten_contexts;

// The same, if MUSA no longer knows `code`, a kernel: another library may have ended the context,
// and a new one may have its handle. `musa_status`: what a call with the kernel returned.
bool forget_if_lost(int musa_status, const Code& code, const void* context);

// Writes MUSA's handle of a kernel to `out` if MUSA knows it. Returns MUSA's status.
int give(const Code& code, void** out);

// Calls use(code) with what has that number in `context`, and once more if the context's modules
// were lost. Returns what it returns, or the status of a failed look-up; without such code sets
// `exists` to false.
template <typename Use>
int with_code(uint32_t number, void* context, bool* exists, Use use) {
  for (bool is_second = false;; is_second = true) {
    const Code code = find(number, context);
    *exists = code.exists || code.status != 0;
    if (code.status != 0 || !code.exists) return code.status;
    const int status = use(code);
    if (status == 0 || is_second || !forget_if_lost(status, code, context)) return status;
  }
}

}  // namespace torchada::kernels
