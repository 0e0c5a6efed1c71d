// An entry of a folder, as the system call getdents64 writes it.
#pragma once

#include <stdint.h>

namespace torchada {

struct FolderEntry {
  uint64_t number;
  int64_t next;
  uint16_t size;
  uint8_t type;
  char name[1];
};

}  // namespace torchada
