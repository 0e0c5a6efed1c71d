#include "stubs/environment_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "stubs/environment.h"
#include "stubs/log.h"
#include "stubs/table.h"
#include "system_call.h"

extern char** environ;

namespace torchada {
namespace {

using Name = Text<256>;

bool in_list(const char* const* list, const char* name) {
  for (; *list; ++list) {
    if (strcmp(*list, name) == 0) return true;
  }
  return false;
}

// Whose turn it is: 0 for nobody's, otherwise the process in the upper half and the thread in the
// lower. The turn covers calls of the C library alone, so it ends soon, whatever lock a waiting
// thread holds.
std::atomic<uint64_t> turn{0};

constexpr useconds_t kNap = 100;  // Microseconds.
constexpr int kMostNaps = 20000;  // Two seconds.

// False if the map shall be left alone: this thread is at it already, because the program's own
// setenv called us, or the other thread does not come to an end.
bool take_turn() {
#ifdef TORCHADA_SEED_MAP_WITHOUT_TURNS
  return true;  // A deliberate bug: a test checks that ThreadSanitizer finds it.
#endif
  const uint64_t process = static_cast<uint64_t>(getpid()) << 32;
  const uint64_t self = process | static_cast<uint32_t>(system_call(SYS_gettid));
  for (int naps = 0; naps < kMostNaps;) {
    uint64_t whose = turn.load(std::memory_order_acquire);
    if (whose == self) return false;
    // After fork(), the child has no thread that could end a turn of its parent's.
    const bool is_free = whose == 0 || (whose & ~uint64_t{UINT32_MAX}) != process;
    if (!is_free) {
      usleep(kNap);
      ++naps;
    } else if (turn.compare_exchange_strong(whose, self, std::memory_order_acq_rel)) {
      return true;
    }
  }
  return false;
}

void end_turn() { turn.store(0, std::memory_order_release); }

// An empty value counts too: CUDA_VISIBLE_DEVICES= means no device. Returns whether it was copied.
bool copy_variable(const char* cuda, const char* musa) {
  const char* value = secure_getenv(cuda);
  // A value that the user set wins.
  return value && !getenv(musa) && setenv(musa, value, 0) == 0;
}

void say_copied(const Variable& variable) {
  const char* value = secure_getenv(variable.cuda);
  if (!value) return;
  Line line;
  line << variable.musa << "=" << value << " (from " << variable.cuda << ")";
  log(LogLevel::kInfo, line);
}

// MUSA's name for the variable that `entry` ("NAME=value") sets. Empty if the rule does not apply
// or MUSA's variable is already set.
Name target_of(const char* entry, const VariablePrefix& rule) {
  Name name;
  const size_t prefix = strlen(rule.cuda);
  if (strncmp(entry, rule.cuda, prefix) != 0) return name;
  const size_t length = strcspn(entry, "=");
  if (length <= prefix) return name;
  name.append(entry, length);
  if (name.truncated() || in_list(rule.except, name.c_str())) {
    name.clear();
    return name;
  }
  name.clear();
  name << rule.musa;
  name.append(entry + prefix, length - prefix);
  if (name.truncated() || getenv(name.c_str())) name.clear();
  return name;
}

// Copies one variable, then the caller starts again, because setenv may move the environment.
bool copy_one(const VariablePrefix& rule) {
  for (char** entry = environ; entry && *entry; ++entry) {
    if (**entry != *rule.cuda) continue;
    const Name musa = target_of(*entry, rule);
    const char* value = strchr(*entry, '=');
    if (musa.size() != 0 && value) return setenv(musa.c_str(), value + 1, 0) == 0;
  }
  return false;
}

}  // namespace

void map_environment() {
  if (getauxval(AT_SECURE) != 0) return;  // setuid: no variable is read.
  if (!take_turn()) return;
  uint64_t copied = 0;  // One bit for each variable.
  const Variable* variables = torchada_backend_table.variables;
  for (int i = 0; variables[i].cuda; ++i) {
    const bool was_copied = copy_variable(variables[i].cuda, variables[i].musa);
    if (i < 64 && was_copied) copied |= uint64_t{1} << i;
  }
  const VariablePrefix* rule = torchada_backend_table.prefixes;
  for (; rule->cuda; ++rule) {
    while (copy_one(*rule)) {
    }
  }
  end_turn();
  // Not before: writing a line may open the companion.
  for (int i = 0; i < 64 && variables[i].cuda; ++i) {
    if (copied >> i & 1) say_copied(variables[i]);
  }
}

void report_late_environment() {
  const Variable* variable = torchada_backend_table.variables;
  for (; variable->cuda; ++variable) {
    const char* value = secure_getenv(variable->cuda);
    const char* set = getenv(variable->musa);
    if (!value || (set && strcmp(set, value) == 0)) continue;
    Line line;
    line << variable->cuda << "=" << value
         << " has no effect: MUSA was opened before the first CUDA call";
    if (set) line << ", with " << variable->musa << "=" << set;
    line << "; set " << variable->musa << "=" << value;
    log(LogLevel::kWarn, line);
    return;
  }
}

}  // namespace torchada
