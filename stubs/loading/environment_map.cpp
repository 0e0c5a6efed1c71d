#include "stubs/loading/environment_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "src/shared/named_devices.h"
#include "stubs/loading/installation.h"
#include "stubs/loading/visible_devices.h"
#include "stubs/process/peers.h"
#include "stubs/reporting/log.h"
#include "stubs/system/environment.h"
#include "stubs/system/mapped_memory.h"
#include "stubs/system/signals_held.h"
#include "stubs/system/system_call.h"
#include "stubs/table.h"

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
// lower.
using Turn = std::atomic<uint64_t>;

// For changes of the environment: covers calls of the C library alone, so it ends soon, whatever
// lock a waiting thread holds.
Turn turn_to_change{0};
// For questions to MTML. Whoever has it may wait for the loader, which a waiting thread may hold:
// that one asks as well, when it has waited long enough.
Turn turn_to_ask{0};

constexpr useconds_t kNap = 100;  // Microseconds.
constexpr int kMostNaps = 20000;  // Two seconds.

// kOwn: this thread is at it already, because the program's own setenv called us. kTooLong: the
// other thread does not come to an end.
enum class Taken { kYes, kOwn, kTooLong };

Taken take(Turn* turn) {
#ifdef TORCHADA_SEED_MAP_WITHOUT_TURNS
  return Taken::kYes;  // A deliberate bug: a test checks that ThreadSanitizer finds it.
#endif
  const uint64_t process = static_cast<uint64_t>(getpid()) << 32;
  const uint64_t self = process | static_cast<uint32_t>(system_call(SYS_gettid));
  for (int naps = 0; naps < kMostNaps;) {
    uint64_t whose = turn->load(std::memory_order_acquire);
    if (whose == self) return Taken::kOwn;
    // After fork(), the child has no thread that could end a turn of its parent's.
    const bool is_free = whose == 0 || (whose & ~uint64_t{UINT32_MAX}) != process;
    if (!is_free) {
      usleep(kNap);
      ++naps;
    } else if (turn->compare_exchange_strong(whose, self, std::memory_order_acq_rel)) {
      return Taken::kYes;
    }
  }
  return Taken::kTooLong;
}

// False if the map shall be left alone.
bool take_turn() { return take(&turn_to_change) == Taken::kYes; }

void end_turn() { turn_to_change.store(0, std::memory_order_release); }

// The variable that map_environment left to map_visible_devices, null if there is none.
std::atomic<const Variable*> left{nullptr};

// An empty value counts too: CUDA_VISIBLE_DEVICES= means no device. Returns whether it was copied.
bool copy_variable(const Variable& variable) {
  const char* value = secure_getenv(variable.cuda);
  // A value that the user set wins.
  if (!value || getenv(variable.musa)) return false;
  if (names_devices(variable.cuda, value)) {
    left.store(&variable, std::memory_order_release);
    return false;
  }
  return setenv(variable.musa, value, 0) == 0;
}

void say_copied(const Variable& variable) {
  const char* value = secure_getenv(variable.cuda);
  if (!value) return;
  Line line;
  line << variable.musa << "=" << value << " (from " << variable.cuda << ")";
  log(LogLevel::kInfo, line);
}

TORCHADA_APART void say_numbered(const Variable& variable, const char* numbers) {
  Line line;
  line << variable.musa << "=" << numbers << " (from the devices in " << variable.cuda << ")";
  log(LogLevel::kInfo, line);
}

TORCHADA_APART void say_no_memory(const Variable& variable) {
  Line line;
  line << variable.cuda << " has no effect: no memory to look for its devices; set "
       << variable.musa << " to their numbers";
  log(LogLevel::kWarn, line);
}

// Returns whether this call set the variable.
bool set_numbers(const Variable& variable, const char* numbers) {
  if (!take_turn()) return false;
  const bool is_set = !getenv(variable.musa) && setenv(variable.musa, numbers, 0) == 0;
  end_turn();
  return is_set;
}

TORCHADA_APART void number(const Variable& variable) {
  const char* value = secure_getenv(variable.cuda);
  Backend backend;
  if (!value || !names_devices(variable.cuda, value) || !find_installation(&backend)) return;
  const MappedMemory memory(sizeof(VisibleDevices));
  if (!memory.data()) return say_no_memory(variable);
  // It is initialised: cppcheck does not see that where memory is given.
  // cppcheck-suppress legacyUninitvar
  auto* const devices = new (memory.data()) VisibleDevices{};
  number_devices(backend, variable.cuda, value, devices);
  if (!set_numbers(variable, devices->numbers.c_str())) return;
  say_numbered(variable, devices->numbers.c_str());
  if (devices->why.size() != 0) log(LogLevel::kWarn, devices->why);
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

// Whether map_visible_devices may have something to do, in whichever library.
bool visible_devices_are_named() {
  const Variable* variable = torchada_backend_table.variables;
  for (; variable->cuda; ++variable) {
    const char* value = secure_getenv(variable->cuda);
    if (value && names_devices(variable->cuda, value)) return true;
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
    const bool was_copied = copy_variable(variables[i]);
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

void map_visible_devices() {
  if (!left.load(std::memory_order_acquire)) return;
  const HandlersHeld held;
  const Taken taken = take(&turn_to_ask);
  if (taken == Taken::kOwn) return;
  if (const Variable* variable = left.load(std::memory_order_acquire)) {
    number(*variable);
    left.store(nullptr, std::memory_order_release);
  }
  if (taken == Taken::kYes) turn_to_ask.store(0, std::memory_order_release);
}

void map_environment_in_first() {
  // Not from within a walk, which holds a lock of the loader.
  if (const AskPeer first = first_that_maps()) {
    first(kMapEnvironment, nullptr);
  } else {
    map_environment();
  }
}

void map_visible_devices_in_first() {
  // As nearly always; spares the walk.
  if (!is_first_known() && !visible_devices_are_named()) return;
  if (const AskPeer first = first_that_maps()) {
    first(kMapVisibleDevices, nullptr);  // Returns at once where map_environment left it nothing.
  } else {
    map_visible_devices();
  }
}

void report_late_environment() {
  const Variable* variable = torchada_backend_table.variables;
  for (; variable->cuda; ++variable) {
    const char* value = secure_getenv(variable->cuda);
    const char* set = getenv(variable->musa);
    if (!value || (set && strcmp(set, value) == 0)) continue;
    const bool is_named = names_devices(variable->cuda, value);
    if (set && is_named) continue;  // Numbers, which may well be those of the devices.
    Line line;
    line << variable->cuda << "=" << value
         << " has no effect: MUSA was opened before the first CUDA call";
    if (set) line << ", with " << variable->musa << "=" << set;
    line << "; set " << variable->musa;
    if (is_named) {
      line << " to the numbers of the devices";
    } else {
      line << "=" << value;
    }
    log(LogLevel::kWarn, line);
    return;
  }
}

}  // namespace torchada
