// Chooses the MUSA installation and opens its files.
#pragma once

#include <stddef.h>

#include "stubs/table.h"

namespace torchada {

// One opened MUSA installation. Immutable once published. Small, because every first call has one
// on its stack.
struct Backend {
  void* musart = nullptr;
  // The folder of libmusart and its siblings is the beginning of its path (path_of), this long. 0
  // if it is not known.
  size_t folder_length = 0;
};

// Uses a libmusart that is already in the process, otherwise the first in the order of the table's
// roots. Maps the environment before, unless the call that needs MUSA only tells (Target). False if
// there is none or if it does not open; in the latter case one line names the file.
bool open_installation(bool only_tells, Backend* backend);

// The installation of the libmusart that the process has loaded. False if there is none.
bool find_installation(Backend* backend);

// Whether this library opened MUSA for a call that only tells, and was not asked this before. Then
// the environment was not mapped, and whoever asks does that.
bool take_opening_to_tell();

// Maps the environment if MUSA was opened, through whichever fake library, without that.
void map_environment_for_work();

// Another library of the same installation, or null. A driver library (Home::kDriver) is the one
// that libmusart needs or that the process has loaded, otherwise one beside the driver that
// libmusart needs, otherwise one in the installation, otherwise the one that the loader finds by
// name. Link stubs are never opened.
void* open_sibling(const Backend* backend, BackendLibrary library);

}  // namespace torchada
