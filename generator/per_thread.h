// Names that end in _ptsz and _ptds: a null stream is the thread's own. Where the opened MUSA does
// not export such a name, the plain one does the same with the handle of that stream.
#pragma once

#include <string>
#include <vector>

#include "standing.h"
#include "tables.h"

namespace torchada {

// The plain functions by which a direct row of such a name is served where its target is missing,
// one for each prototype of the first that exists: for _ptsz the name without the suffix; for
// _ptds, which wait, the asynchronous form in the thread's own stream, or, where there is none, the
// plain one, which waits for more. Empty for other rows and where no stream is passed.
std::vector<AdaptedCandidate> per_thread_candidates(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const ForwardRow& row);

// What waits for a stream, for those of which Adaptation::waits_for_own_stream holds.
extern const char* const kStreamWait;

}  // namespace torchada
