// Rooms for what is too large for the stack of a thread and is needed for a moment.
#pragma once

#include <stddef.h>

namespace torchada {

constexpr size_t kRoomBytes = 4096;

// kRoomBytes bytes, not zeroed; null if there is no memory. To map, touch and unmap a page takes 5
// us, so the rooms of the first few that ask are kept for the next ones.
char* take_room();
void give_back_room(char* room);

}  // namespace torchada
