#include <mccl.h>

#include "tests/verify/spoilt.h"

mcclResult_t mcclAllReduce(const void* sendbuff, void* recvbuff, size_t count,
                           mcclDataType_t datatype, mcclRedOp_t op, mcclComm_t comm,
                           musaStream_t stream) {
  if (spoilt("operator") && op == mcclMax) op = mcclMin;
  // Treats bfloat16 as float16: the same width, but another number.
  if (spoilt("type") && datatype == mcclBfloat16) datatype = mcclFloat16;
  if (spoilt("eight_bits") && datatype == mcclFp8E4M3) datatype = mcclFp8E5M2;
  return REAL(mcclAllReduce)(sendbuff, recvbuff, count, datatype, op, comm, stream);
}

mcclResult_t mcclGetUniqueId(mcclUniqueId* uniqueId) {
  const mcclResult_t status = REAL(mcclGetUniqueId)(uniqueId);
  if (spoilt("long_id")) memset(uniqueId + 1, 0, 64);
  return status;
}
