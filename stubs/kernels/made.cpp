#include "stubs/kernels/made.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#include "facts.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/kernels/on_demand.h"
#include "stubs/system/system_call.h"

namespace torchada::kernels {
namespace {

MappedArray<const char*> made;  // Paths.

// Grows with each answer. Threads wait for that.
uint32_t answers;

// Keeps the image that was made for a name. Returns one more than its place, or 0.
size_t note_made(uint32_t number, const char* path) {
  const Lock hold;
  size_t place = 0;
  while (place < made.size() && strcmp(made[place], path) != 0) ++place;
  if (place == made.size()) {
    const char* const kept = keep_text(path);
    if (!kept || !made.add(kept)) return 0;
  }
  return name_of(number).made = place + 1;
}

// Returns true if this thread shall ask for the name, and false when another one has asked. A child
// of fork() has no copy of that one, and a signal handler interrupts it.
bool begin_to_ask(uint32_t number) {
  const int64_t process = system_call(SYS_getpid), thread = system_call(SYS_gettid);
  for (;;) {
    uint32_t seen = 0;
    {
      const Lock hold;
      Name& name = name_of(number);
      if (name.made != 0 || name.failure) return false;
      if (name.process != process || name.thread == thread) {
        name.process = process;
        name.thread = thread;
        return true;
      }
      seen = __atomic_load_n(&answers, __ATOMIC_ACQUIRE);
    }
    system_call(SYS_futex, &answers, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
  }
}

void end_asking(uint32_t number) {
  {
    const Lock hold;
    name_of(number).process = 0;
    __atomic_fetch_add(&answers, 1, __ATOMIC_RELEASE);
  }
  system_call(SYS_futex, &answers, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
}

}  // namespace

void note_failure(uint32_t number, const char* reason) {
  const Lock hold;
  const char* const kept = keep_text(reason);
  name_of(number).failure = kept ? kept : "there is no memory";
}

void make(uint32_t number, const Name& wanted) {
  if (!begin_to_ask(number)) return;
  const Answer answer(wanted.source, wanted.kind, wanted.text);
  if (!answer.image() || note_made(number, answer.image()) == 0) {
    note_failure(number, answer.reason());
  }
  end_asking(number);
}

size_t made_for(uint32_t number) {
  const Lock hold;
  return name_of(number).made;
}

const char* path_of(size_t number) {
  if (number < file_count()) return file(number);
  const Lock hold;
  return made[number - file_count()];
}

}  // namespace torchada::kernels
