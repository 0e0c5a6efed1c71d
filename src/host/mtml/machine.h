// The simulated machine as one sees it who only watches it.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "musa_runtime_api.h"
#include "src/host/musa/config.h"

namespace mtml {

// All devices of the machine, whatever MUSA_VISIBLE_DEVICES hides.
int device_count();
// What libmusa says of it. `index` is below device_count().
musaDeviceProp properties(int index);
// As MTML writes it: eight digits, and four groups, separated by hyphens.
std::string uuid(int index);
// As MTML writes it: eight digits of the domain.
std::string pci_bus_id(int index);

// Memory that all processes of the user have in use, in bytes. Nothing if the account is not
// shared (TORCHADA_HOST_ACCOUNT=none): then nobody but each process knows.
std::optional<std::uint64_t> memory_in_use(int index);
// How busy the streams of all these processes kept the device lately, in percent. Nothing as above.
// Waits up to 50 ms if nobody has asked within the last second.
std::optional<unsigned int> utilization(int index);
// From here on, utilization() can look back.
void watch();
// Held while any of these three looks at the account.
std::mutex& watcher_mutex();

// Whether TORCHADA_HOST_LOST lists the device. Tests and programs of tests set it at any time.
bool is_lost(int index);

}  // namespace mtml
