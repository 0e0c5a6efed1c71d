#include "src/command/verify/libraries.h"

#include <dlfcn.h>

namespace torchada::verify {

void* Libraries::open(const std::string& library, std::string* error) {
  const auto opened = handles_.find(library);
  if (opened != handles_.end()) return opened->second;
  if (library != "musart" && !open("musart", error)) return nullptr;
  const auto file = files_.libraries.find(library);
  if (file == files_.libraries.end()) {
    *error = "lib" + library + " is not in this MUSA";
    return nullptr;
  }
  // Also for a FIFO, on which dlopen would wait for a writer.
  if (!file->second.error.empty()) {
    *error = file->second.error;
    return nullptr;
  }
  void* handle = dlopen(file->second.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    *error = dlerror();
    return nullptr;
  }
  handles_[library] = handle;
  return handle;
}

void* Libraries::function(const Fact& symbol, std::string* error) {
  void* handle = open(symbol.library, error);
  if (!handle) return nullptr;
  void* address = dlsym(handle, symbol.link.c_str());
  if (!address) *error = symbol.link + " is not exported";
  return address;
}

}  // namespace torchada::verify
