// musaGraphExecUpdate as it is from SDK 5.0 on.
#include "exec.h"

musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
                                musaGraphExecUpdateResultInfo* resultInfo) {
  musart::Update update;
  const musaError_t status = musart::update_exec(hGraphExec, hGraph, &update);
  if (resultInfo != nullptr) *resultInfo = {update.result, update.node, update.from};
  return status;
}
