// How MUSA is found, as torchada-gen emits it from mappings/: for the libraries that open MUSA, and
// for the command that explains what they would open.
#pragma once

#include <stdint.h>

#include "generated/libraries.h"
#include "src/shared/sdk.h"

#define TORCHADA_HIDDEN __attribute__((visibility("hidden")))

namespace torchada {

// Why a function is not served.
enum class FailureKind : uint8_t {
  kUnsupported,  // MUSA lacks it.
  kNoBackend,    // No MUSA was found.
  kNoImage,      // It needs device code in MUSA's form.
  kUnloading,    // The process is exiting and MUSA may be gone.
  kForked,       // The process is a child of fork() and its parent had used MUSA.
  kCount
};

// One file name under which a MUSA library is known, newest first.
struct Soname {
  const char* name;
  int32_t sdk_from;
  int32_t sdk_to;
};

// Where a library of MUSA lies.
enum class Home : uint8_t {
  kSdk,     // In the folders of one installation.
  kDriver,  // With the driver, in the folders of the system.
};

// An environment variable of CUDA and its name in MUSA.
struct Variable {
  const char* cuda;
  const char* musa;
};

// All variables whose names start with `cuda`, except those in `except` (CUDA's names).
struct VariablePrefix {
  const char* cuda;
  const char* musa;
  const char* const* except;  // Null terminated.
};

// How MUSA installations are found; emitted from mappings/libraries.yaml and
// mappings/musa/backend.yaml.
struct BackendTable {
  const char* const* root_variables;  // Environment variables, null terminated.
  const char* const* default_roots;
  const char* const* subfolders;
  const char* names[static_cast<int>(BackendLibrary::kCount)];      // "libmusart"
  const Soname* sonames[static_cast<int>(BackendLibrary::kCount)];  // Each ends with a null name.
  Home homes[static_cast<int>(BackendLibrary::kCount)];
  // What each library returns for each failure, in MUSA's numbers, for calls that adapters make.
  int32_t status[static_cast<int>(BackendLibrary::kCount)][static_cast<int>(FailureKind::kCount)];
  const Variable* variables;       // Ends with a null name.
  const VariablePrefix* prefixes;  // The same.
  // Whether a child of fork() may go on with what its parent did: no function initialises anything.
  bool outlives_fork[static_cast<int>(BackendLibrary::kCount)];
};

// The SDK version for a result of kRuntimeVersionCall; emitted with the backend table.
TORCHADA_HIDDEN int32_t torchada_sdk_of_runtime_version(int32_t version);

extern "C" TORCHADA_HIDDEN const BackendTable torchada_backend_table;

}  // namespace torchada
