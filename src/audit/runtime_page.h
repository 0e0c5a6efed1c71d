// Shows our libcudart to programs that look for it in /proc/self/maps before anything has loaded
// it, as vLLM's and SGLang's wrappers do. Loading it for them would choose a CUDA major for the
// program: the loader gives a loaded library to whoever asks for its name, and asks no auditor.
#pragma once

#include <stddef.h>

namespace torchada {

class RuntimePage {
 public:
  // Maps the first page of the file, readable only. Does nothing if that fails.
  void map(const char* path);

  // Removes the page. Called when the process loads a libcudart, which is then the one to find.
  void unmap();

 private:
  void* page_ = nullptr;
  size_t size_ = 0;
};

}  // namespace torchada
