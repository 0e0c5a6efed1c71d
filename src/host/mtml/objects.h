// The objects behind MTML's pointers. None is ever freed, and a pointer counts only while it is
// open, so that no pointer that a program passes can do harm.
#pragma once

#include <mtml.h>

#include <mutex>
#include <optional>

#include "src/host/mtml/machine.h"

struct alignas(16) MtmlSystem {};
struct alignas(16) MtmlDevice {};
struct alignas(16) MtmlGpu {};
struct alignas(16) MtmlMemory {};
struct alignas(16) MtmlVpu {};

namespace mtml {

// A library pointer is a number of its own for each mtmlLibraryInit().
MtmlReturn open_library(MtmlLibrary** library);
MtmlReturn close_library(const MtmlLibrary* library);
bool is_open(const MtmlLibrary* library);

// Each object of a device is the same pointer for everyone, and is open until it was closed as
// often as it was opened, or until the last library is closed. `index` is that of the device; the
// system's is 0. A device that was closed is still known.
template <typename Object>
Object* open(int index);
// False if it is not open.
template <typename Object>
bool close(const Object* object);
// Held by all of these.
std::mutex& objects_mutex();
// The device's index; nothing if the object is neither open nor a device that is known.
template <typename Object>
std::optional<int> index_of(const Object* object);

}  // namespace mtml
