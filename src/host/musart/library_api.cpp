// Images of device code that a program loads itself. A CPU can load none of them, so no library
// ever exists.
#include <unistd.h>

#include "src/host/musart/call.h"

namespace musart {
namespace {

struct LoadOptions {
  const void* jit_options;
  const void* jit_values;
  unsigned int jit_count;
  const void* options;
  const void* values;
  unsigned int count;
};

bool are_options(const LoadOptions& load) {
  return (load.jit_count == 0 || (load.jit_options != nullptr && load.jit_values != nullptr)) &&
         (load.count == 0 || (load.options != nullptr && load.values != nullptr));
}

musaError_t no_such_library(bool arguments_good) {
  return call(
      [&](int) { return arguments_good ? musaErrorInvalidResourceHandle : musaErrorInvalidValue; });
}

}  // namespace
}  // namespace musart

using musart::call;
using musart::no_such_library;

musaError_t musaLibraryLoadData(musaLibrary_t* library, const void* code,
                                enum musaJitOption* jitOptions, void** jitOptionsValues,
                                unsigned int numJitOptions, enum musaLibraryOption* libraryOptions,
                                void** libraryOptionValues, unsigned int numLibraryOptions) {
  return call([&](int) {
    const musart::LoadOptions load{jitOptions,     jitOptionsValues,    numJitOptions,
                                   libraryOptions, libraryOptionValues, numLibraryOptions};
    return library == nullptr || code == nullptr || !musart::are_options(load)
               ? musaErrorInvalidValue
               : musaErrorInvalidKernelImage;
  });
}

musaError_t musaLibraryLoadFromFile(musaLibrary_t* library, const char* fileName,
                                    enum musaJitOption* jitOptions, void** jitOptionsValues,
                                    unsigned int numJitOptions,
                                    enum musaLibraryOption* libraryOptions,
                                    void** libraryOptionValues, unsigned int numLibraryOptions) {
  return call([&](int) {
    const musart::LoadOptions load{jitOptions,     jitOptionsValues,    numJitOptions,
                                   libraryOptions, libraryOptionValues, numLibraryOptions};
    if (library == nullptr || fileName == nullptr || !musart::are_options(load)) {
      return musaErrorInvalidValue;
    }
    return access(fileName, R_OK) == 0 ? musaErrorInvalidKernelImage : musaErrorFileNotFound;
  });
}

musaError_t musaLibraryUnload(musaLibrary_t) { return no_such_library(true); }

musaError_t musaLibraryGetKernel(musaKernel_t* pKernel, musaLibrary_t, const char* name) {
  return no_such_library(pKernel != nullptr && name != nullptr);
}

// Either result is optional, but not both.
musaError_t musaLibraryGetGlobal(void** dptr, size_t* bytes, musaLibrary_t, const char* name) {
  return no_such_library((dptr != nullptr || bytes != nullptr) && name != nullptr);
}

musaError_t musaLibraryGetManaged(void** dptr, size_t* bytes, musaLibrary_t, const char* name) {
  return no_such_library((dptr != nullptr || bytes != nullptr) && name != nullptr);
}

musaError_t musaLibraryGetUnifiedFunction(void** fptr, musaLibrary_t, const char* symbol) {
  return no_such_library(fptr != nullptr && symbol != nullptr);
}

musaError_t musaLibraryGetKernelCount(unsigned int* count, musaLibrary_t) {
  return no_such_library(count != nullptr);
}

musaError_t musaLibraryEnumerateKernels(musaKernel_t* kernels, unsigned int numKernels,
                                        musaLibrary_t) {
  return no_such_library(kernels != nullptr && numKernels != 0);
}
