// Which values of CUDA_VISIBLE_DEVICES name devices rather than number them. Needs libc alone.
#pragma once

#include <string.h>

namespace torchada {

inline constexpr char kDevicePrefix[] = "GPU-";  // Before the UUID of a device.
inline constexpr char kPartPrefix[] = "MIG-";    // Before the name of a part of a device.
inline constexpr size_t kPrefixLength = sizeof kDevicePrefix - 1;
static_assert(sizeof kPartPrefix == sizeof kDevicePrefix);

inline bool begins_with(const char* text, const char (&prefix)[kPrefixLength + 1]) {
  return strncmp(text, prefix, kPrefixLength) == 0;
}

// The first entry of the list that names a device or a part of one, with the blanks before it, or
// null.
inline const char* first_named_device(const char* list) {
  for (const char* entry = list; entry;) {
    const char* const name = entry + strspn(entry, " ");
    if (begins_with(name, kDevicePrefix) || begins_with(name, kPartPrefix)) return entry;
    entry = strchr(entry, ',');
    if (entry) ++entry;
  }
  return nullptr;
}

inline bool begins_with_number(const char* list) {
  list += strspn(list, " ");
  return *list >= '0' && *list <= '9';
}

// Whether the value of `variable`, a name of CUDA's, names devices where CUDA reads names. Its
// first entry decides: what neither is a number nor names a device is a form of MUSA's own.
inline bool names_devices(const char* variable, const char* value) {
  if (strcmp(variable, "CUDA_VISIBLE_DEVICES") != 0) return false;
  const char* const named = first_named_device(value);
  return named && (named == value || begins_with_number(value));
}

}  // namespace torchada
