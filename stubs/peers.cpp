#include "stubs/peers.h"

#include <string.h>

#include <atomic>

#include "stubs/environment_map.h"
#include "stubs/installation.h"
#include "stubs/lifetime.h"
#include "stubs/loader.h"
#include "stubs/own_address.h"
#include "stubs/thread.h"
#include "stubs/unfinished.h"

namespace torchada {
namespace {

// Questions and answers are numbers of their own, because the libraries may be of two releases.
enum Question : int32_t {
  kIsOpening,
  kIsOver,
  kCanMapEnvironment,
  kMapEnvironment,
  kIsCutOff,
  kTakeOpeningToTell,
  kMapVisibleDevices,
  kEndsAtFork,
  kEndAtFork,
  kBlasHandleIsMade,
  kBlasHandleEnds,
  kHasLibraries,
  kOfLibrary
};
enum Answer : int32_t { kNo, kYes, kAfterExit, kAfterFork };
// Older releases take the question alone, and say no to what they do not know.
using Ask = int32_t (*)(int32_t question, void* subject);

struct Inquiry {
  Question question;
  void* subject;
  int32_t answer;
};

// The first fake library that can map the environment, once a walk has met it. None is ever
// unloaded, and none comes before it later.
std::atomic<Ask> mapper{nullptr};

// Null if the object is no fake library.
Ask peer_of(const dl_phdr_info* object) {
  size_t size = 0;
  const char* note = note_of(object, &size);
  int64_t offset = 0;
  if (!note || size < sizeof offset) return nullptr;
  memcpy(&offset, note, sizeof offset);
  return reinterpret_cast<Ask>(reinterpret_cast<uintptr_t>(note) + static_cast<uintptr_t>(offset));
}

int visit(dl_phdr_info* object, size_t, void* data) {
  auto* inquiry = static_cast<Inquiry*>(data);
  const Ask who = peer_of(object);
  if (!who) return 0;
  if (!mapper.load(std::memory_order_relaxed) && who(kCanMapEnvironment, nullptr) == kYes) {
    mapper.store(who, std::memory_order_relaxed);
  }
  inquiry->answer = who(inquiry->question, inquiry->subject);
  return inquiry->answer == kNo ? 0 : 1;
}

// Asks one library after the other, in the loader's order, until one does not say no.
int32_t ask(Question question, void* subject = nullptr) {
  Inquiry inquiry{question, subject, kNo};
  visit_objects(visit, &inquiry);
  return inquiry.answer;
}

// Other fake libraries. One runtime of each CUDA major that has them, and one driver.
struct Peers {
  Ask who[8];
  size_t count;
};

}  // namespace

// The note of this library leads here; see own_note.cpp. Waits for nothing, but for
// kMapEnvironment, kMapVisibleDevices and kOfLibrary.
extern "C" TORCHADA_HIDDEN int32_t torchada_answer_peer(int32_t question, void* subject) {
  if (question == kIsOpening) return is_opening_here() ? kYes : kNo;
  if (question == kCanMapEnvironment) return kYes;
  if (question == kIsCutOff) return was_cut_off() ? kYes : kNo;
  if (question == kTakeOpeningToTell) return take_opening_to_tell() ? kYes : kNo;
  if (question == kEndsAtFork) return ends_at_fork() ? kYes : kNo;
  if (question == kEndAtFork) {
    end_here_at_fork();
    return kNo;  // So that the next library is told too.
  }
  if (question == kBlasHandleIsMade || question == kBlasHandleEnds) {
    if (torchada_hear_of_blas_handle) {
      torchada_hear_of_blas_handle(subject, question == kBlasHandleIsMade);
    }
    return kNo;  // So that another major is told too.
  }
  if (question == kHasLibraries) return torchada_answer_of_library ? kYes : kNo;
  if (question == kOfLibrary) {
    return torchada_answer_of_library(static_cast<OfLibrary*>(subject)) ? kYes : kNo;
  }
  if (question == kMapEnvironment) {
    map_environment();
    return kYes;
  }
  if (question == kMapVisibleDevices) {
    map_visible_devices();
    return kYes;
  }
  FailureKind why;
  if (question != kIsOver || !is_over_here(&why)) return kNo;
  return why == FailureKind::kForked ? kAfterFork : kAfterExit;
}

bool is_opening() { return is_opening_here() || ask(kIsOpening) == kYes; }

bool is_over_elsewhere(FailureKind* why) {
  const int32_t answer = ask(kIsOver);
  if (answer != kAfterExit && answer != kAfterFork) return false;
  *why = answer == kAfterFork ? FailureKind::kForked : FailureKind::kUnloading;
  return true;
}

bool is_cut_off_elsewhere() { return ask(kIsCutOff) == kYes; }

bool ends_at_fork_elsewhere() { return ask(kEndsAtFork) == kYes; }

void end_at_fork_elsewhere() { ask(kEndAtFork); }

bool take_opening_to_tell_elsewhere() { return ask(kTakeOpeningToTell) == kYes; }

void tell_of_blas_handle(void* handle, bool is_made) {
  ask(is_made ? kBlasHandleIsMade : kBlasHandleEnds, handle);
}

bool ask_others_of_library(OfLibrary* question) {
  Peers peers{};
  const auto collect = [](dl_phdr_info* object, size_t, void* data) {
    auto* const found = static_cast<Peers*>(data);
    const Ask who = peer_of(object);
    if (who && who != torchada_answer_peer && who(kHasLibraries, nullptr) == kYes) {
      found->who[found->count++] = who;
    }
    return found->count == sizeof found->who / sizeof found->who[0] ? 1 : 0;
  };
  visit_objects(collect, &peers);
  // Not from within the walk, because they call MUSA.
  for (size_t i = 0; i < peers.count; ++i) {
    if (peers.who[i](kOfLibrary, question) == kYes) return true;
  }
  return false;
}

bool ask_of_library(OfLibrary* question) {
  return torchada_answer_of_library(question) || ask_others_of_library(question);
}

void map_environment_in_first() {
  if (!mapper.load(std::memory_order_relaxed)) ask(kCanMapEnvironment);
  // Not from within a walk, which holds a lock of the loader.
  if (const Ask first = mapper.load(std::memory_order_relaxed)) {
    first(kMapEnvironment, nullptr);
  } else {
    map_environment();
  }
}

void map_visible_devices_in_first() {
  if (!mapper.load(std::memory_order_relaxed)) {
    if (!visible_devices_are_named()) return;  // As nearly always: spares the walk.
    ask(kCanMapEnvironment);
  }
  if (const Ask first = mapper.load(std::memory_order_relaxed)) {
    first(kMapVisibleDevices, nullptr);  // Returns at once where map_environment left it nothing.
  } else {
    map_visible_devices();
  }
}

}  // namespace torchada
