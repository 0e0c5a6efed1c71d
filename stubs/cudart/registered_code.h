// The device code that the program brought for CUDA, as nvcc's static constructors register it for
// every module, before main or in dlopen. None of it runs on MUSA. It is kept so that a call that
// names one of its kernels or variables can be told apart from one that names MUSA's. A kernel
// library may have code of that name for MUSA (kernel_code.h); otherwise it is refused by name.
//
// PyTorch registers about 40,000 kernels before main, and most programs never ask about any.
// Registering one is a store into memory that is taken in large pieces. The index is built at the
// first question; from then on only new records are added. Names are kept as pointers: they live as
// long as the module, which removes its entries when it is unloaded.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stubs/cudart/code_kind.h"
#include "stubs/kernels/code.h"

namespace torchada {

struct RegisteredCode {
  const void* host;  // The address by which the program refers to it.
  const char* name;  // As in the device code: mangled.
  size_t size;       // Of a variable, in bytes.
  CodeKind kind;
  uint32_t number = 0;  // Of its name, by stubs/kernels/code.h; 0 until it is asked for there.
};

// The handle of a new module. `image` is the program's description of it and is not read. Never
// null: without memory, the module's entries are forgotten.
void** register_module(const void* image);

// These functions accept any handle, and ignore one that register_module did not return or that is
// no longer registered.
void register_code(void** module, const RegisteredCode& code);
void unregister_module(void** module);

// Grows whenever an entry comes or goes.
extern uint64_t registered_generation;

// The newest entry for `host` that is still registered.
bool find_registered(const void* host, RegisteredCode* found);

// The managed variable number `i`, from 0, of a module.
bool find_managed(void** module, size_t i, RegisteredCode* found);

// What the module that registered `host` tells about the source of its code: a module's is one.
kernels::Origin origin_of(const void* host);

// Keeps the number with the newest entry for `host`.
void number_registered(const void* host, uint32_t number);

// True the first time it is called for `host`: the line about it has not been printed. The number
// of lines is limited; `is_last` says that this one is the last.
bool first_report_of(const void* host, bool* is_last);

}  // namespace torchada
