// Functions whose names end in _ptsz and _ptds: a null stream is the thread's own. If the opened
// MUSA does not export such a name, the plain function does the same with the handle of that
// stream.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/standing.h"
#include "generator/tables/tables.h"

namespace torchada {

// The plain functions that serve a direct row of such a name if its target is missing: one for each
// prototype of the first function below that exists. For _ptsz that is the name without the suffix.
// For _ptds, whose functions wait, it is the asynchronous form in the thread's own stream,
// otherwise the plain one, which waits for more. Empty for other rows and if no stream is passed.
std::vector<AdaptedCandidate> per_thread_candidates(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const ForwardRow& row);

// Waits for a stream, if Adaptation::waits_for_own_stream is set.
extern const char* const kStreamWait;

}  // namespace torchada
