// musaGraphExecUpdate. Compiled for each tree: SDK 5.0 changed its arguments.
#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

#if MUSA_TAKES_UPDATE_RESULTS

musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
                                musaGraphExecUpdateResultInfo* resultInfo) {
  musa::Update update;
  const musaError_t status = musart::recorded(musa::update_exec(hGraphExec, hGraph, &update));
  if (resultInfo != nullptr) *resultInfo = {update.result, update.node, update.from};
  return status;
}

#else

musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
                                musaGraphNode_t* hErrorNode_out,
                                enum musaGraphExecUpdateResult* updateResult_out) {
  musa::Update update;
  const musaError_t status = musart::recorded(musa::update_exec(hGraphExec, hGraph, &update));
  if (hErrorNode_out != nullptr) *hErrorNode_out = update.node;
  if (updateResult_out != nullptr) *updateResult_out = update.result;
  return status;
}

#endif
