#pragma once

#include "group.h"

namespace host_mccl {

// A send to this rank and the receive it meets.
struct Transfer {
  Endpoint send;
  Endpoint receive;
};

// Copies behind the earlier work of both streams and before the later work of both.
mcclResult_t launch(const Transfer& transfer);

}  // namespace host_mccl
