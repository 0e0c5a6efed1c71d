// Prints the line that names a bad argument in BLAS. Programs also call it for functions of their
// own.
#include <unistd.h>

#include "src/shared/text.h"

extern "C" void torchada_adapter_cublasXerbla(const char* name, int argument) {
  if (!name) return;
  torchada::Line line;
  line << " ** On entry to " << name << " parameter number " << argument
       << " had an illegal value\n";
  // On standard output, like NVIDIA's. The caller has no way to learn of a failed write.
  if (write(STDOUT_FILENO, line.c_str(), line.size()) < 0) return;
}
