// Copies of vectors and matrices between host and device.
#include <mublas.h>

#include <cstddef>

namespace {

// Copies `count` pieces of `width` bytes. Neither side needs whole rows: the last row ends with its
// piece.
mublasStatus_t transfer(const void* from, std::size_t from_pitch, void* to, std::size_t to_pitch,
                        std::size_t width, std::size_t count, musaMemcpyKind kind,
                        musaStream_t stream) {
  const bool dense = from_pitch == width && to_pitch == width;
  const auto error =
      dense ? musaMemcpyAsync(to, from, width * count, kind, stream)
            : musaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, count, kind, stream);
  switch (error) {
    case musaSuccess:
      return MUBLAS_STATUS_SUCCESS;
    case musaErrorInvalidValue:
    case musaErrorInvalidDevicePointer:
      return MUBLAS_STATUS_INVALID_POINTER;
    case musaErrorMemoryAllocation:
      return MUBLAS_STATUS_MEMORY_ERROR;
    default:
      return MUBLAS_STATUS_INTERNAL_ERROR;
  }
}

mublasStatus_t transfer_vector(int n, int size, const void* from, int from_inc, void* to,
                               int to_inc, musaMemcpyKind kind, musaStream_t stream) {
  if (n < 0 || size <= 0 || from_inc <= 0 || to_inc <= 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (n == 0) return MUBLAS_STATUS_SUCCESS;
  if (!from || !to) return MUBLAS_STATUS_INVALID_POINTER;
  const std::size_t width = size;
  return transfer(from, width * from_inc, to, width * to_inc, width, n, kind, stream);
}

mublasStatus_t transfer_matrix(int rows, int columns, int size, const void* from, int from_ld,
                               void* to, int to_ld, musaMemcpyKind kind, musaStream_t stream) {
  if (rows < 0 || columns < 0 || size <= 0 || from_ld <= 0 || to_ld <= 0 || from_ld < rows ||
      to_ld < rows) {
    return MUBLAS_STATUS_INVALID_SIZE;
  }
  if (rows == 0 || columns == 0) return MUBLAS_STATUS_SUCCESS;
  if (!from || !to) return MUBLAS_STATUS_INVALID_POINTER;
  const std::size_t element = size;
  return transfer(from, element * from_ld, to, element * to_ld, element * rows, columns, kind,
                  stream);
}

}  // namespace

mublasStatus_t mublasSetVectorAsync(mublas_int n, mublas_int elemSize, const void* hostPtr,
                                    mublas_int incx, void* devicePtr, mublas_int incy,
                                    musaStream_t stream) {
  return transfer_vector(n, elemSize, hostPtr, incx, devicePtr, incy, musaMemcpyHostToDevice,
                         stream);
}

mublasStatus_t mublasGetVectorAsync(mublas_int n, mublas_int elemSize, const void* devicePtr,
                                    mublas_int incx, void* hostPtr, mublas_int incy,
                                    musaStream_t stream) {
  return transfer_vector(n, elemSize, devicePtr, incx, hostPtr, incy, musaMemcpyDeviceToHost,
                         stream);
}

mublasStatus_t mublasSetMatrixAsync(mublas_int rows, mublas_int cols, mublas_int elemSize,
                                    const void* A, mublas_int lda, void* B, mublas_int ldb,
                                    musaStream_t stream) {
  return transfer_matrix(rows, cols, elemSize, A, lda, B, ldb, musaMemcpyHostToDevice, stream);
}

mublasStatus_t mublasGetMatrixAsync(mublas_int rows, mublas_int cols, mublas_int elemSize,
                                    const void* A, mublas_int lda, void* B, mublas_int ldb,
                                    musaStream_t stream) {
  return transfer_matrix(rows, cols, elemSize, A, lda, B, ldb, musaMemcpyDeviceToHost, stream);
}
