// The device code that the program brought for CUDA: what nvcc's static constructors told of every
// module before main or in dlopen. None of it runs on MUSA; it is kept so that a call that names a
// kernel or a variable can be told apart from one that names MUSA's, and refused by name.
//
// PyTorch registers about 40,000 kernels before main, and most programs ask about none. Noting one
// is a store into memory taken in large pieces; the index is built at the first question, and
// from then on only what is new is added. Names are kept as pointers: they live as long as the
// module, which takes its entries back when it is unloaded.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace torchada {

enum class CodeKind : uint8_t { kKernel, kVariable, kManaged, kHostVariable, kTexture, kSurface };

struct RegisteredCode {
  const void* host;  // By what address the program means it.
  const char* name;  // In the device code: mangled.
  size_t size;       // Of a variable, in bytes.
  CodeKind kind;
};

// Variables that cudaGetSymbolAddress and its like take.
inline bool is_variable(CodeKind kind) {
  return kind == CodeKind::kVariable || kind == CodeKind::kManaged ||
         kind == CodeKind::kHostVariable;
}

// The handle of a new module, `image` the program's description of it, which is not read. Never
// null: without memory the module is one whose entries are forgotten.
void** register_module(const void* image);

// All functions take any handle: one that did not come from register_module, or was taken back,
// does nothing.
void register_code(void** module, const RegisteredCode& code);
void unregister_module(void** module);

// What was last registered for `host` and not taken back.
bool find_registered(const void* host, RegisteredCode* found);

// Whether it is the first time that `host` is asked about here: its line has not been printed. The
// number of lines is limited; `is_last` says that this one ends them.
bool first_report_of(const void* host, bool* is_last);

}  // namespace torchada
