// Which MUSA installation is used, and opening the files of it.
#pragma once

#include "table.h"
#include "text.h"

namespace torchada {

// One opened MUSA installation. Immutable once published. The arrays are not cleared, because one
// of these lies on the stack of every first call.
struct Backend {
  void* musart = nullptr;
  char folder[4096];  // Where libmusart lies; its siblings are taken from there. May be empty.
};

// A libmusart that is in the process already, else the first in the order of the table's roots.
// False where there is none, or where what is there does not open; one line names the file then.
bool open_installation(Backend* backend);

// Another library of the same installation, or null.
void* open_sibling(const Backend* backend, BackendLibrary library);

}  // namespace torchada
