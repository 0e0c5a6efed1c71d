// Devices that CUDA_VISIBLE_DEVICES names by UUID, as schedulers do. MUSA's variable is known to
// take numbers, so the names become the numbers that the driver's MTML gives the devices.
#pragma once

#include "src/shared/text.h"
#include "stubs/loading/installation.h"

namespace torchada {

// What counts of a UUID: programs write the digits small, and MTML's texts are not known to.
struct Uuid {
  static constexpr unsigned kDigits = 32;
  char digits[kDigits];
  unsigned count;
};

// The devices that CUDA shows for such a value. Too large for the stack beneath dlopen.
struct VisibleDevices {
  static constexpr unsigned kMost = 256;  // More than any host has.
  Line numbers;                           // "2,0". Empty if no device is shown.
  // One line if a device is hidden: an entry that names no single device hides itself and all that
  // follow, and a device that is named twice hides all.
  Line why;
  Uuid uuids[kMost];
  bool is_named[kMost];
};

// Fills `out`, which is empty. Asks the MTML of the driver of `backend`.
void number_devices(const Backend& backend, const char* variable, const char* value,
                    VisibleDevices* out);

}  // namespace torchada
