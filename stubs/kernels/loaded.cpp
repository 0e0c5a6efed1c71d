#include "stubs/kernels/loaded.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "facts.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/made.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/kernels/names.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/reporting/log.h"

namespace torchada::kernels {
namespace {

struct Context {
  const void* handle;
  MappedArray<Module> modules;  // By the number of the file. Ends behind the last that was tried.
  MappedArray<Entry> entries;   // By the number of the name.
};

// A place in `functions`, by MUSA's handle. The number is 0 where nothing is.
struct Function {
  const void* handle;
  uint32_t number;
};

MappedArray<Context> contexts;
MappedArray<Function> functions;
size_t function_count;
MappedArray<bool> told_files;  // Files that could not be loaded, each told once.

uint32_t hash_of(const void* handle) {
  const auto bits = reinterpret_cast<uintptr_t>(handle) * 0x9e3779b97f4a7c15U;
  return static_cast<uint32_t>(bits >> 32);
}

Function& place_of(const void* handle) {
  const size_t mask = functions.size() - 1;
  for (size_t at = hash_of(handle) & mask;; at = (at + 1) & mask) {
    Function& place = functions[at];
    if (place.number == 0 || place.handle == handle) return place;
  }
}

// Without memory the handle is not noted.
void note_function(const void* handle, uint32_t number) {
  if ((function_count + 1) * 2 > functions.size()) {
    MappedArray<Function> smaller = functions;
    functions = {};
    if (!functions.resize(smaller.size() == 0 ? 1024 : smaller.size() * 2)) {
      functions = smaller;
      return;
    }
    for (const Function& function : smaller) {
      if (function.number != 0) place_of(function.handle) = function;
    }
    smaller.release();
  }
  Function& place = place_of(handle);
  if (place.number == 0) ++function_count;
  place = {handle, number};
}

// Null without memory.
Context* context_of(const void* handle) {
  for (Context& context : contexts) {
    if (context.handle == handle) return &context;
  }
  return contexts.add({handle, {}, {}}) ? &contexts[contexts.size() - 1] : nullptr;
}

// Makes room for a number in an array.
template <typename T>
bool reach(MappedArray<T>* array, size_t number) {
  return number < array->size() || array->resize(number + 1);
}

// Where a context keeps the module of a file. Null without memory.
Module* place_of_module(const void* handle, size_t number) {
  Context* const context = context_of(handle);
  return context && reach(&context->modules, number) ? &context->modules[number] : nullptr;
}

// Null without memory.
Entry* entry_of(const void* handle, uint32_t number) {
  Context* const context = context_of(handle);
  if (!context) return nullptr;
  if (context->entries.size() <= number && !context->entries.resize(name_count() + 1)) {
    return nullptr;
  }
  return &context->entries[number];
}

TORCHADA_APART void say_not_loaded(size_t number, int status) {
  {
    const Lock hold;
    if (!reach(&told_files, number) || told_files[number]) return;
    told_files[number] = true;
  }
  const char* name = nullptr;
  if (muGetErrorName(status, &name) != 0 || !name) name = "an error that MUSA does not name";
  Line line;
  line << path_of(number) << ": MUSA cannot load this kernel library: " << name << " (" << status
       << "); it is left out";
  log(LogLevel::kWarn, line);
}

// What an earlier kernel did to the context. MUSA's numbers are CUDA's here, too.
bool is_sticky(int status) { return status >= 700 && status < 800; }

// Whether an image is the stand-in's: a shared object of this machine. MUSA's are of its own.
bool tells_sources(const char* path) {
  Elf64_Ehdr header;
  uint64_t size = 0;
  bool is_other = false;
  const int file = open_regular(path, &size, &is_other);
  if (file < 0) return false;
  const bool is_read = pread(file, &header, sizeof header, 0) == ssize_t{sizeof header};
  close(file);
  constexpr Elf64_Half kMusaMachine = 253;
  return is_read && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_machine != kMusaMachine;
}

int load(size_t number, void** out) {
  const char* const path = path_of(number);
  if (number < file_count()) return muModuleLoad(out, path);
  // The program does not expect it here: it may be capturing a stream.
  int mode = musa::musaStreamCaptureModeRelaxed;
  const bool is_exchanged = musaThreadExchangeStreamCaptureMode(&mode) == 0;
  const int status = muModuleLoad(out, path);
  if (is_exchanged) musaThreadExchangeStreamCaptureMode(&mode);
  return status;
}

}  // namespace

uint64_t forgotten_contexts;

Module module_of(size_t number, const Asker& asker, int* status) {
  {
    const Lock hold;
    const Module* const known = place_of_module(asker.context, number);
    if (known && known->tried) return *known;
  }
  Module loaded{nullptr, true, tells_sources(path_of(number))};
  const int error = load(number, &loaded.handle);
  if (error != 0) {
    loaded.handle = nullptr;
    if (is_sticky(error)) {
      *status = error;
      return {};
    }
    say_not_loaded(number, error);
  }
  void* mine = nullptr;  // What another thread loaded first.
  {
    const Lock hold;
    Module* const known =
        forgotten_contexts == asker.seen ? place_of_module(asker.context, number) : nullptr;
    if (known && known->tried) {
      mine = loaded.handle;
      loaded = *known;
    } else if (known) {
      *known = loaded;
    }
  }
  if (mine) muModuleUnload(mine);
  return loaded;
}

Entry known_entry(const void* context, uint32_t number, uint64_t* seen) {
  const Lock hold;
  *seen = forgotten_contexts;
  const Entry* const known = entry_of(context, number);
  return known ? *known : Entry{};
}

void keep(uint32_t number, const Asker& asker, const Entry& entry) {
  const Lock hold;
  if (forgotten_contexts != asker.seen || name_of(number).kind != Kind::kKernel) return;
  Entry* const known = entry_of(asker.context, number);
  if (!known) return;
  *known = entry;
  if (entry.function) note_function(entry.function, number);
}

uint32_t number_of_function(const void* function) {
  // Most programs never have any, and the guard asks at every launch of MUSA's own kernels.
  if (!function || !knows_functions()) return 0;
  const Lock hold;
  return functions.size() != 0 ? place_of(function).number : 0;
}

bool knows_functions() { return __atomic_load_n(&function_count, __ATOMIC_RELAXED) != 0; }

void note_musas(const void* function, uint32_t number) {
  const Lock hold;
  note_function(function, number | kMusas);
}

void forget(const void* handle) {
  const Lock hold;
  __atomic_store_n(&forgotten_contexts, forgotten_contexts + 1, __ATOMIC_RELAXED);
  for (size_t i = 0; i < contexts.size(); ++i) {
    if (contexts[i].handle != handle) continue;
    contexts[i].modules.release();
    contexts[i].entries.release();
    contexts[i] = contexts[contexts.size() - 1];
    contexts.remove_last();
    break;
  }
  MappedArray<Function> old = functions;
  functions = {};
  function_count = 0;
  for (const Function& function : old) {
    if ((function.number & kMusas) != 0) note_function(function.handle, function.number);
  }
  old.release();
  for (Context& context : contexts) {
    for (uint32_t number = 1; number < context.entries.size(); ++number) {
      const void* const function = context.entries[number].function;
      if (function) note_function(function, number);
    }
  }
}

}  // namespace torchada::kernels
