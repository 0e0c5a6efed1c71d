#include "generator/decide/plan.h"

#include <algorithm>
#include <map>

#include "generator/decide/enumerators.h"
#include "generator/decide/per_thread.h"
#include "generator/decide/refusals.h"
#include "generator/tables/no_driver.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// A function without a known prototype is assumed to return a status: almost all do, and a caller
// that ignores the value is not harmed.
ReturnKind returns_of(const Prototype* prototype, const std::string& status_type) {
  if (!prototype || prototype->returns == status_type) return ReturnKind::kStatus;
  if (prototype->returns == "void") return ReturnKind::kVoid;
  if (prototype->returns == "const char *") return ReturnKind::kString;
  // A CUDA status in another library's type (cublas and cublasLt share theirs) is a status too.
  return prototype->returns.ends_with("Status_t") ? ReturnKind::kStatus : ReturnKind::kZero;
}

class LibraryPlanner {
 public:
  LibraryPlanner(const Tables& tables, const Output& output)
      : tables_(tables),
        output_(output),
        forward_(tables.forward[output.library]),
        comparer_(tables) {}

  LibraryPlan plan() {
    out_.output = &output_;
    out_.forward = &forward_;
    for (const CudaSymbol* symbol : exports_of(tables_, output_)) add_export(*symbol);
    order_slots();
    for (const PlannedExport* item : own_) generate_adapters(*item->symbol, *item->row);
    const std::vector<Call> calls = musa_calls(tables_, output_);
    for (const Call& call : calls) generate_adapters_of(call);
    for (const GeneratedAdapter& adapter : out_.generated) out_.adapters.push_back(adapter.name);
    find_guards();
    for (const PlannedExport* item : own_) add_slot(*item->symbol, *item->row);
    add_waits();
    for (const Call& call : calls) add_internal(call);
    out_.own_calls = torchada::own_calls(tables_, output_);
    out_.refusals = plan_refusals(tables_, out_);
    return std::move(out_);
  }

 private:
  void add_export(const CudaSymbol& symbol) {
    PlannedExport item;
    item.symbol = &symbol;
    item.decided_as = decided_as(tables_, output_, symbol);
    item.row = row_of(forward_, item.decided_as, output_.abi);
    if (!item.row) {
      throw TableError(forward_.rows_place, "'" + symbol.name + "' is exported by " +
                                                output_.soname +
                                                ", but no row decides it; add a row");
    }
    item.standing = standing_of(tables_, comparer_, output_, symbol, *item.row);
    out_.exports.push_back(item);
  }

  // A program uses a few functions of a library. Slots, trampolines, names and adapters lie in this
  // order, so that its calls touch few cache lines and pages: first what programs use, the most
  // used first, then the rest by name. An alias counts for the export whose slot it shares.
  void order_slots() {
    std::map<std::string, std::size_t> ranks;
    for (const RankedSymbol& item : tables_.clients) {
      if (item.library == output_.library_name) ranks.emplace(item.symbol, ranks.size());
    }
    std::map<std::string, std::size_t> rank_of;
    for (const PlannedExport& item : out_.exports) {
      const auto found = ranks.find(item.symbol->name);
      const std::size_t rank = found == ranks.end() ? ranks.size() : found->second;
      std::size_t& least = rank_of.try_emplace(item.decided_as, rank).first->second;
      least = std::min(least, rank);
      if (item.decided_as == item.symbol->name) own_.push_back(&item);
    }
    std::stable_sort(own_.begin(), own_.end(), [&](const PlannedExport* a, const PlannedExport* b) {
      return rank_of[a->decided_as] < rank_of[b->decided_as];
    });
  }

  // Generated adapters come first in `adapters`.
  void generate_adapters(const CudaSymbol& symbol, const ForwardRow& row) {
    const std::size_t before = out_.generated.size();
    if (row.decision == RowDecision::kAdapted) {
      for (const AdaptedCandidate& candidate :
           adapted_candidates_of(tables_, comparer_, output_, symbol, row.target, row.place)) {
        if (candidate.adaptation.is_possible) add_generated(symbol.name, candidate, before);
      }
      if (out_.generated.size() == before) {
        throw TableError(row.place, symbol.name + ": cannot be adapted: no prototype of " +
                                        row.target + " can be reached");
      }
    }
    // Last, for a MUSA that lacks the function of the row.
    for (const AdaptedCandidate& candidate :
         per_thread_candidates(tables_, comparer_, output_, symbol, row)) {
      add_generated(symbol.name, candidate, before);
    }
  }

  // Adapters that are written by hand pass structs, too, the program's or their own: between them
  // and MUSA is a generated one that knows how long MUSA's may be.
  void generate_adapters_of(const Call& call) {
    for (const MusaPrototype& prototype : call.musa->prototypes) {
      if (prototype.like_symbol.empty()) continue;
      const Adaptation adaptation = adapt_call(tables_, comparer_, prototype);
      if (!adaptation.is_possible) continue;
      const Prototype taken = expand(tables_, prototype);
      for (const MusaPrototype& other : call.musa->prototypes) {
        if (expand(tables_, other) == taken) continue;
        throw TableError(prototype.place,
                         call.name +
                             ": a struct goes through a buffer, so all its prototypes must "
                             "take the same arguments for adapters to call it");
      }
      add_generated(call.name, {call.musa, &prototype, adaptation}, out_.generated.size());
      return;
    }
  }

  // The adapters of this symbol start at index `before`.
  void add_generated(const std::string& symbol, const AdaptedCandidate& candidate,
                     std::size_t before) {
    const std::size_t number = out_.generated.size() - before;
    out_.generated.push_back(
        {symbol,
         "torchada_adapted_" + symbol + (number == 0 ? "" : "__" + std::to_string(number + 1)),
         static_cast<int>(out_.generated.size()) + 1, candidate});
  }

  void add_waits() {
    for (const GeneratedAdapter& adapter : out_.generated) {
      if (adapter.candidate.adaptation.waits_for_own_stream) {
        out_.needs.push_back({adapter.index, own_stream_wait(tables_, output_)});
      }
    }
  }

  void find_guards() {
    int index = 0;
    for (const PlannedExport* item : own_) {
      if (!item->row->guard.parameter.empty()) {
        out_.guards.push_back(guard_of(tables_, output_, *item->symbol, *item->row));
        out_.guards.back().index = index;
        out_.adapters.push_back(out_.guards.back().entry);
      }
      ++index;
    }
  }

  void add_slot(const CudaSymbol& symbol, const ForwardRow& row) {
    PlannedSlot slot;
    slot.name = symbol.name;
    slot.symbol = &symbol;
    slot.row = &row;
    slot.prototype = prototype_in(symbol, output_);
    slot.returns = returns_of(slot.prototype, forward_.status.type);
    slot.backend = forward_.backend;
    slot.no_backend = no_backend_of(slot);
    if (!row.status.empty()) {
      slot.unsupported = own_status(slot, row.status, forward_.status.unsupported);
    }
    slot.guard = guard_of_next();
    switch (row.decision) {
      case RowDecision::kDirect:
        add_direct_targets(&slot);
        add_generated_targets(&slot);
        lead_to_musa(&slot);
        break;
      case RowDecision::kAdapted:
        add_generated_targets(&slot);
        lead_to_musa(&slot);
        break;
      case RowDecision::kEmulated:
      case RowDecision::kRecorded:
        slot.decision = SlotDecision::kAdapter;
        add_own_adapter(&slot);
        add_needs(row.calls, row.optional);
        break;
      case RowDecision::kDelegated:
        slot.decision = SlotDecision::kAdapter;
        add_own_adapter(&slot);
        if (symbol.name.ends_with("_ptds")) add_needs({own_stream_wait(tables_, output_)}, {});
        break;
      case RowDecision::kUnsupported:
        slot.decision = SlotDecision::kUnsupported;
        slot.reason = row.reason;
        if (row.refused_by_hand) {
          slot.decision = SlotDecision::kAdapter;
          add_own_adapter(&slot);
        }
        break;
      case RowDecision::kNoImage:
        slot.decision = SlotDecision::kNoImage;
        slot.reason = row.reason;
        break;
    }
    out_.slots.push_back(std::move(slot));
  }

  // Adapters reach MUSA through slots too, so that there is only one path that opens MUSA.
  void add_internal(const Call& call) {
    PlannedSlot slot;
    slot.name = call.name;
    slot.backend = call.library;
    const auto found = std::ranges::find(out_.generated, call.name, &GeneratedAdapter::symbol);
    const int adapter = found == out_.generated.end() ? 0 : found->index;
    for (const MusaSymbol* musa : tables_.musa_symbols(call.library, call.name)) {
      slot.targets.push_back({musa->link_name, SdkRange{}, adapter});
    }
    out_.slots.push_back(std::move(slot));
  }

  void lead_to_musa(PlannedSlot* slot) {
    slot->decision = SlotDecision::kDirect;
    if (slot->row->otherwise.reason.empty()) return;
    slot->decision = SlotDecision::kDirectOrAdapter;
    add_own_adapter(slot);
    add_needs(slot->row->otherwise.calls, slot->row->otherwise.optional);
  }

  // The function of this name that is written by hand, or emitted for what was recorded or
  // delegated.
  void add_own_adapter(PlannedSlot* slot) {
    slot->adapter = static_cast<int>(out_.adapters.size());
    out_.adapters.push_back("torchada_adapter_" + slot->name);
  }

  // Of the adapter that was added last. An own export that it calls answers for itself.
  void add_needs(const std::vector<std::string>& calls, const std::vector<std::string>& optional) {
    for (const std::string& name : calls) {
      if (contains(optional, name) || !find_call(tables_, output_, name).musa) continue;
      out_.needs.push_back({static_cast<int>(out_.adapters.size()) - 1, name});
    }
  }

  void add_direct_targets(PlannedSlot* slot) {
    const ForwardRow& row = *slot->row;
    for (const Candidate& candidate :
         candidates_of(tables_, comparer_, output_, *slot->symbol, row.target, row.place)) {
      if (candidate.comparison.sameness == Sameness::kDiffers) continue;
      slot->targets.push_back({candidate.symbol->link_name, candidate.prototype->sdk, 0});
    }
    if (slot->targets.empty()) {
      throw TableError(row.place, slot->name + ": cannot be direct: no prototype of " + row.target +
                                      " has the same types");
    }
  }

  void add_generated_targets(PlannedSlot* slot) {
    for (const GeneratedAdapter& adapter : out_.generated) {
      if (adapter.symbol != slot->name) continue;
      slot->targets.push_back({adapter.candidate.symbol->link_name,
                               adapter.candidate.prototype->sdk,
                               adapter.candidate.adaptation.changes_nothing() ? 0 : adapter.index});
    }
  }

  int guard_of_next() const {
    for (std::size_t i = 0; i < out_.guards.size(); ++i) {
      if (out_.guards[i].index == static_cast<int>(out_.slots.size())) {
        return static_cast<int>(out_.generated.size() + i) + 1;
      }
    }
    return 0;
  }

  int no_backend_of(const PlannedSlot& slot) {
    const std::string& usual = forward_.status.no_backend;
    if (!slot.row->no_backend.empty()) return own_status(slot, slot.row->no_backend, usual);
    const std::optional<int> status = no_driver_status(tables_, output_, *slot.symbol);
    return status ? own_status(slot, *status, usual) : 0;
  }

  int own_status(const PlannedSlot& slot, const std::string& name, const std::string& usual) {
    return own_status(slot,
                      static_cast<int>(cuda_enumerator_value(tables_, forward_.status.type, name,
                                                             slot.row->place)),
                      usual);
  }

  // One more than the index of `status`; 0 if it is the usual one.
  int own_status(const PlannedSlot& slot, int status, const std::string& usual) {
    if (slot.returns != ReturnKind::kStatus) return 0;
    if (status == cuda_enumerator_value(tables_, forward_.status.type, usual, {forward_.file, 0})) {
      return 0;
    }
    std::vector<int>& all = out_.own_statuses;
    auto found = std::find(all.begin(), all.end(), status);
    if (found == all.end()) found = all.insert(found, status);
    return static_cast<int>(found - all.begin()) + 1;
  }

  const Tables& tables_;
  const Output& output_;
  const ForwardLibrary& forward_;
  const Comparer comparer_;
  LibraryPlan out_;
  std::vector<const PlannedExport*> own_;  // Exports with a slot of their own, in its order.
};

}  // namespace

LibraryPlan plan_library(const Tables& tables, const Output& output) {
  return LibraryPlanner(tables, output).plan();
}

}  // namespace torchada
