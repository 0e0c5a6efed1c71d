// What the first rank of a new communicator tells the others.
#pragma once

#include "facts.h"

namespace torchada::nccl {

struct Invitation {
  int status;  // Of creating the identifier.
  mcclUniqueId id;
};

}  // namespace torchada::nccl
