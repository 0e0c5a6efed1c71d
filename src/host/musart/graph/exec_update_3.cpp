// musaGraphExecUpdate as it was before SDK 5.0. Not for a build with headers of 5.0 or later.
#include "exec.h"

musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
                                musaGraphNode_t* hErrorNode_out,
                                enum musaGraphExecUpdateResult* updateResult_out) {
  musart::Update update;
  const musaError_t status = musart::update_exec(hGraphExec, hGraph, &update);
  if (hErrorNode_out != nullptr) *hErrorNode_out = update.node;
  if (updateResult_out != nullptr) *updateResult_out = update.result;
  return status;
}
