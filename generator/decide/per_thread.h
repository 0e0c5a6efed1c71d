// Functions whose names end in _ptsz and _ptds: a null stream is the thread's own. If MUSA does not
// export such a name, the plain function does the same with the handle of that stream.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/candidates.h"
#include "generator/tables/tables.h"

namespace torchada {

// Whether a function of this name works in the thread's own stream.
bool is_per_thread(const std::string& name);

// The functions of MUSA that serve `symbol`, which ends so: one candidate for each prototype. For
// _ptsz that is `plain`. For _ptds, whose functions wait, it is the asynchronous form of `plain` in
// the thread's own stream, otherwise `plain`, which waits for more. Empty if no stream is passed.
std::vector<AdaptedCandidate> own_stream_candidates(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const std::string& plain, const Place& place);

// The same for a direct or adapted row whose target ends so too, in case the opened MUSA lacks it.
// Empty for other rows.
std::vector<AdaptedCandidate> per_thread_candidates(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const ForwardRow& row);

// MUSA's function that waits for a stream, which an adapter calls if
// Adaptation::waits_for_own_stream is set.
const std::string& own_stream_wait(const Tables& tables, const Output& output);

}  // namespace torchada
