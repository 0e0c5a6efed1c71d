#include "stubs/adapting/device_claims.h"

#include "stubs/reporting/log.h"
#include "stubs/resolving/backend.h"
#include "stubs/system/environment.h"

namespace torchada {
namespace {

constexpr int kUnread = -1;
int known = kUnread;

// One or two digits, then a point, then one digit.
int parse(const char* text) {
  int major = 0, digits = 0;
  for (; *text >= '0' && *text <= '9' && digits < 2; ++text, ++digits) {
    major = 10 * major + (*text - '0');
  }
  if (digits == 0 || major == 0 || text[0] != '.') return 0;
  if (text[1] < '0' || text[1] > '9' || text[2] != '\0') return 0;
  return 10 * major + (text[1] - '0');
}

// 10 * major + minor, or 0 if the user wants MUSA's. Threads that race here read the same text.
int wanted_capability() {
  int value = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (value != kUnread) return value;
  const char* text = environment("TORCHADA_COMPUTE_CAPABILITY");
  value = text ? parse(text) : 0;
  int expected = kUnread;
  const bool first = __atomic_compare_exchange_n(&known, &expected, value, false, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED);
  if (first && text && value == 0) {
    ShownValue shown;
    shown << text;
    Line line;
    line << "TORCHADA_COMPUTE_CAPABILITY=" << shown.c_str()
         << " is ignored: expected MAJOR.MINOR, for example 8.6";
    log(LogLevel::kWarn, line);
  }
  return value;
}

}  // namespace

int major_to_tell(int value) { return wanted_capability() != 0 ? wanted_capability() / 10 : value; }

int minor_to_tell(int value) { return wanted_capability() != 0 ? wanted_capability() % 10 : value; }

bool has_memory_pools() {
  const Target pools{0, 0, kNoSdkEnd, 0, true};
  return find_in_backend(kRuntimeLibrary, &pools, 1, "musaMallocFromPoolAsync").result ==
         Lookup::kFound;
}

}  // namespace torchada
