// What the tables together say about one exported symbol: what a caller may expect.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/candidates.h"
#include "generator/tables/tables.h"
#include "src/shared/standing.h"

namespace torchada {

// The candidates of `target` for a CUDA symbol, in table order, including those that differ.
std::vector<Candidate> candidates_of(const Tables& tables, const Comparer& comparer,
                                     const Output& output, const CudaSymbol& symbol,
                                     const std::string& target, const Place& place);

// Like candidates_of, for adapted rows; includes those that cannot be adapted. If `symbol` ends in
// _ptsz or _ptds and `target` does not, these are the candidates of per_thread.h.
std::vector<AdaptedCandidate> adapted_candidates_of(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const std::string& target, const Place& place);

// The fact about a candidate that is missing to call it supported: the one with the weakest
// evidence among its name, its arguments, and the types and numbers that it passes; the first of
// them if several are equally weak. Empty if none is missing.
WeakFact missing_fact(const Candidate& candidate);
WeakFact missing_fact(const Tables& tables, const Comparer& comparer, const Output& output,
                      const CudaSymbol& symbol, const AdaptedCandidate& candidate);

// The same of a direct or adapted row: empty if it is supported. The facts for `sdk` count, or
// those of any SDK if the function is only known of others.
WeakFact missing_fact(const Tables& tables, const Comparer& comparer, const Output& output,
                      const CudaSymbol& symbol, const ForwardRow& row, int sdk);

// An SDK newer than all that the tables know: facts without an upper end hold for it.
constexpr int kComingSdk = kNoSdkEnd - 1;

// Standing of `symbol` in `output` according to `row`, which must be valid (see check). What is
// known of a MUSA function may differ between SDKs: the facts for `sdk` count, or those of any SDK
// if the function is only known of others.
Standing standing_of(const Tables& tables, const Comparer& comparer, const Output& output,
                     const CudaSymbol& symbol, const ForwardRow& row, int sdk = kComingSdk);

// What a delegated row assumes if goes_in_place is true of it.
inline constexpr char kInPlace[] = "no evidence says that MUSA's function may work in place";

// Whether a kDelegated row gives its target one matrix as input and as output. No evidence says
// that MUSA allows that.
bool goes_in_place(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                   const ForwardRow& row);

// Exports at the same address as `symbol`, itself included, e.g. ncclSend and pncclSend.
std::vector<std::string> alias_group(const CudaLibrary& library, const CudaSymbol& symbol);

// The name under whose row `symbol` is decided: itself, or the alias that has a row.
std::string decided_as(const Tables& tables, const Output& output, const CudaSymbol& symbol);

}  // namespace torchada
