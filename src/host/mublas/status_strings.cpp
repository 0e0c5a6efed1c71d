#include <mublas.h>

extern "C" const char* mublasGetStatusString(mublasStatus_t status) {
  switch (status) {
#define NAMED(status)          \
  case MUBLAS_STATUS_##status: \
    return "MUBLAS_STATUS_" #status;
    NAMED(SUCCESS)
    NAMED(INVALID_HANDLE)
    NAMED(NOT_IMPLEMENTED)
    NAMED(INVALID_POINTER)
    NAMED(INVALID_SIZE)
    NAMED(MEMORY_ERROR)
    NAMED(INTERNAL_ERROR)
    NAMED(PERF_DEGRADED)
    NAMED(SIZE_QUERY_MISMATCH)
    NAMED(SIZE_INCREASED)
    NAMED(SIZE_UNCHANGED)
    NAMED(INVALID_VALUE)
    NAMED(CONTINUE)
    NAMED(CHECK_NUMERICS_FAIL)
#undef NAMED
    default:
      return "unknown muBLAS status";
  }
}
