// The line by which BLAS names a bad argument; programs call it about functions of their own.
#include <unistd.h>

#include "text.h"

extern "C" void torchada_adapter_cublasXerbla(const char* name, int argument) {
  if (!name) return;
  torchada::Line line;
  line << " ** On entry to " << name << " parameter number " << argument
       << " had an illegal value\n";
  // To the standard output, as NVIDIA's. Nobody is there to be told that it failed.
  if (write(STDOUT_FILENO, line.c_str(), line.size()) < 0) return;
}
