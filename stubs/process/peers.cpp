#include "stubs/process/peers.h"

#include <string.h>

#include <atomic>

#include "stubs/process/own_address.h"
#include "stubs/system/loader.h"
#include "stubs/system/thread.h"
#include "stubs/system/unfinished.h"

namespace torchada {
namespace {

struct Inquiry {
  PeerQuestion question;
  void* subject;
  int32_t answer;
};

// The first replacement library that can map the environment, once a walk has met it. None is ever
// unloaded, and none comes before it later.
std::atomic<AskPeer> mapper{nullptr};

// Null if the object is no replacement library.
AskPeer peer_of(const dl_phdr_info* object) {
  size_t size = 0;
  const char* note = note_of(object, &size);
  int64_t offset = 0;
  if (!note || size < sizeof offset) return nullptr;
  memcpy(&offset, note, sizeof offset);
  return reinterpret_cast<AskPeer>(reinterpret_cast<uintptr_t>(note) +
                                   static_cast<uintptr_t>(offset));
}

// The same, in a walk that begins with the first object. Each walk has its own copy, because first
// calls of functions walk, too.
inline __attribute__((always_inline)) AskPeer meet(const dl_phdr_info* object) {
  const AskPeer who = peer_of(object);
  if (who && !mapper.load(std::memory_order_relaxed) && who(kCanMapEnvironment, nullptr) == kYes) {
    mapper.store(who, std::memory_order_relaxed);
  }
  return who;
}

int visit(dl_phdr_info* object, size_t, void* data) {
  auto* inquiry = static_cast<Inquiry*>(data);
  const AskPeer who = meet(object);
  if (!who) return 0;
  inquiry->answer = who(inquiry->question, inquiry->subject);
  return inquiry->answer == kNo ? 0 : 1;
}

// Asks one library after the other, in the loader's order, until one does not say no.
int32_t ask(PeerQuestion question, void* subject = nullptr) {
  Inquiry inquiry{question, subject, kNo};
  visit_objects(visit, &inquiry);
  return inquiry.answer;
}

bool says_over(int32_t answer, FailureKind* why) {
  if (answer != kAfterExit && answer != kAfterFork) return false;
  *why = answer == kAfterFork ? FailureKind::kForked : FailureKind::kUnloading;
  return true;
}

// Other replacement libraries. One runtime of each CUDA major that has them, and one driver.
struct Peers {
  AskPeer who[8];
  size_t count;
  PeerQuestion trait;  // What they have said yes to.
};

// Those that do not say no to `trait`.
Peers peers_with(PeerQuestion trait) {
  Peers peers{{}, 0, trait};
  const auto collect = [](dl_phdr_info* object, size_t, void* data) {
    auto* const found = static_cast<Peers*>(data);
    const AskPeer who = peer_of(object);
    if (who && who != torchada_answer_peer && who(found->trait, nullptr) == kYes) {
      found->who[found->count++] = who;
    }
    return found->count == sizeof found->who / sizeof found->who[0] ? 1 : 0;
  };
  visit_objects(collect, &peers);
  return peers;
}

// Asks each of them `question`. Not from within the walk, because they may call MUSA or wait.
bool ask_each(const Peers& peers, PeerQuestion question, void* subject) {
  for (size_t i = 0; i < peers.count; ++i) {
    if (peers.who[i](question, subject) == kYes) return true;
  }
  return false;
}

}  // namespace

bool is_opening() { return is_opening_here() || ask(kIsOpening) == kYes; }

bool is_over_elsewhere(FailureKind* why) { return says_over(ask(kIsOver), why); }

bool is_cut_off_elsewhere() { return ask(kIsCutOff) == kYes; }

Elsewhere learn_of_elsewhere() {
  Elsewhere found;
  const auto learn = [](dl_phdr_info* object, size_t, void* data) {
    auto* const known = static_cast<Elsewhere*>(data);
    const AskPeer who = meet(object);
    if (!who) return 0;
    if (!known->ends_at_fork) known->ends_at_fork = who(kEndsAtFork, nullptr) == kYes;
    if (!known->is_over) known->is_over = says_over(who(kIsOver, nullptr), &known->why);
    if (!known->is_observed) known->is_observed = who(kCallsAreObserved, nullptr) == kYes;
    return 0;
  };
  visit_objects(learn, &found);
  return found;
}

void end_at_fork_elsewhere() { ask(kEndAtFork); }

bool take_opening_to_tell_elsewhere() { return ask(kTakeOpeningToTell) == kYes; }

void tell_of_blas_handle(void* handle, bool is_made) {
  ask(is_made ? kBlasHandleIsMade : kBlasHandleEnds, handle);
}

bool ask_others_of_library(OfLibrary* question) {
  return ask_each(peers_with(kHasLibraries), kOfLibrary, question);
}

void observe_calls_everywhere(bool on) {
  char any;
  ask(kObserveCalls, on ? &any : nullptr);
}

const char* name_of_kernel(const void* kernel) {
  NamedKernel question{kernel};
  ask_each(peers_with(kNamesKernels), kNameKernel, &question);
  return question.name;
}

void make_kernel(const void* kernel) {
  NamedKernel question{kernel};
  question.is_launched = true;
  ask_each(peers_with(kNamesKernels), kNameKernel, &question);
}

bool ask_of_library(OfLibrary* question) {
  return torchada_answer_of_library(question) || ask_others_of_library(question);
}

AskPeer first_that_maps() {
  if (!is_first_known()) ask(kCanMapEnvironment);
  return mapper.load(std::memory_order_relaxed);
}

bool is_first_known() { return mapper.load(std::memory_order_relaxed) != nullptr; }

}  // namespace torchada
