// Chooses the MUSA installation and opens its files. What comes before and after: opening.h.
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

// The installation of the libmusart that the process has loaded. False if there is none.
bool find_installation(Backend* backend);

// The same, and a line says that it is used: the instance that torch_musa or the program has
// already loaded, whatever the environment says. A second one would have other streams, other
// allocations and another current device.
bool use_loaded_installation(Backend* backend);

// Opens the first one in the order of the table's roots. False if there is none or if it does not
// open; in the latter case one line names the file.
bool open_new_installation(Backend* backend);

// Call after the above: the program may have loaded a libmusart of its own meanwhile. The first one
// in the loader's list is what every other thread and replacement library finds, so it is used here
// too.
void settle_on_first(Backend* backend);

// Another library of the same installation, or null. A driver library (Home::kDriver) is the one
// that libmusart needs or that the process has loaded, otherwise one beside the driver that
// libmusart needs, otherwise one in the installation, otherwise the one that the loader finds by
// name. Link stubs are never opened.
void* open_sibling(const Backend* backend, BackendLibrary library);

}  // namespace torchada
