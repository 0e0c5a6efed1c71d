// The replacement libraries of one process. Each has its own copy of everything in stubs/, but they
// share one MUSA: what happens to it through one of them holds for all.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stubs/table.h"

namespace torchada {

// Questions and answers are numbers of their own, because the libraries may be of two releases.
enum PeerQuestion : int32_t {
  kIsOpening,
  kIsOver,
  kCanMapEnvironment,
  kMapEnvironment,
  kIsCutOff,
  kTakeOpeningToTell,
  kMapVisibleDevices,
  kEndsAtFork,
  kEndAtFork,
  kBlasHandleIsMade,
  kBlasHandleEnds,
  kHasLibraries,
  kOfLibrary,
  kCallsAreObserved,
  kObserveCalls,
  kNamesKernels,
  kNameKernel,
  kInject
};
enum PeerAnswer : int32_t { kNo, kYes, kAfterExit, kAfterFork };

// Older releases take the question alone, and say no to what they do not know.
using AskPeer = int32_t (*)(int32_t question, void* subject);

// What this replacement library answers: answer_peer.cpp. Its note leads here; see own_note.cpp.
// Waits for nothing, but for kMapEnvironment, kMapVisibleDevices, kOfLibrary and kInject.
extern "C" TORCHADA_HIDDEN int32_t torchada_answer_peer(int32_t question, void* subject);

// Whether this thread is inside a dlopen of ours, begun in this library or in another of ours. What
// it resolves then may be shown to no other thread.
bool is_opening();

// Whether calls into MUSA are over in another replacement library, and why.
bool is_over_elsewhere(FailureKind* why);

// Whether this process was forked while another thread was in Unfinished work (unfinished.h) of
// another replacement library.
bool is_cut_off_elsewhere();

// What a replacement library must know of the others when it begins to use MUSA.
struct Elsewhere {
  bool ends_at_fork = false;  // MUSA would (lifetime.h).
  bool is_over = false;       // As is_over_elsewhere.
  FailureKind why{};
  bool is_observed = false;  // A profiler sees the calls (stubs/resolving/observed.h).
};
Elsewhere learn_of_elsewhere();

// From now on MUSA ends at fork() in all other replacement libraries.
void end_at_fork_elsewhere();

// See take_opening_to_tell (opening.h).
bool take_opening_to_tell_elsewhere();

// The first replacement library of the process that maps the environment (environment_map.h), so
// that all of them take turns in one place. Null if no walk through the objects meets one.
AskPeer first_that_maps();

// Whether the above needs no walk.
bool is_first_known();

// cuBLAS's handles are cuBLASLt's as well: tells every replacement of cuBLASLt that one was made,
// or ends.
void tell_of_blas_handle(void* handle, bool is_made);

// A replacement of cuBLASLt has it, and is told so.
extern "C" __attribute__((weak)) TORCHADA_HIDDEN void torchada_hear_of_blas_handle(void* handle,
                                                                                   bool is_made);

// Libraries of device code and their kernels have the same handles in the runtime and in the
// driver (a cudaLibrary_t is a CUlibrary). The replacement library that made a library does what
// another one is asked for. The layout is the same in all releases.
struct OfLibrary {
  enum What : int32_t {
    kIsLibrary,
    kFindKernel,     // `name` in `library`; answers with `kernel` and its `module`.
    kFindVariable,   // `name` in `library`; answers with `address` and `bytes`.
    kTellModule,     // Of `library`; answers with `module`.
    kUnload,         // `library`.
    kFindOwner,      // Of `module`; answers with `library`.
    kKernelIsGiven,  // The program has got `kernel`, which is `name` in `module`.
    kModuleEnds,     // `module` is about to be unloaded.
  };
  What what;
  const char* function;  // Of CUDA, as the program called it; for lines.
  void* library = nullptr;
  const char* name = nullptr;
  // Answers. The status is CUDA's, with the same number in runtime and driver; the rest counts only
  // if it is 0.
  int32_t status = 0;
  int32_t is_missing = 0;  // No kernel library has `name`, of which nothing was said yet.
  void* module = nullptr;  // What a CUmodule is; null if the library knows names only.
  void* kernel = nullptr;
  unsigned long long address = 0;
  size_t bytes = 0;
};

// Asks this replacement library, and then the others, until one answers; false if none does:
// `library` is no library. For a library that has the function below. The last two questions nobody
// answers, so that all hear of it.
bool ask_of_library(OfLibrary* question);
bool ask_others_of_library(OfLibrary* question);

// From now on a profiler sees the calls of all replacement libraries, or of none.
void observe_calls_everywhere(bool on);

// The name of a kernel, as in its device code, by what a program launches it by: the address that
// it registered with the runtime, or a handle of the driver. Null if no replacement library knows
// it. What it leads to lives as long as the library that told it knows the kernel.
struct NamedKernel {
  const void* kernel;
  const char* name = nullptr;
  bool is_launched = false;  // Then its code is made, if a kernel library has it on demand.
};
const char* name_of_kernel(const void* kernel);

// Makes the code of a kernel that is about to be launched, which a compiler may work at for
// minutes: a profiler does not count that as the kernel's time.
void make_kernel(const void* kernel);

// A replacement library that knows kernels has it. Returns whether it knows this one.
extern "C" __attribute__((weak)) TORCHADA_HIDDEN bool torchada_answer_name_of_kernel(
    NamedKernel* question);

// A replacement library whose program can load such libraries has it. Returns whether that was
// answered. Makes nothing the last error.
extern "C" __attribute__((weak)) TORCHADA_HIDDEN bool torchada_answer_of_library(
    OfLibrary* question);

}  // namespace torchada
