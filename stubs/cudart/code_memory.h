// Memory for the records of registered device code, straight from the system: registration comes
// before main, when a program's own malloc may not be ready, and happens tens of thousands of
// times. Callers hold the lock of registered_code.cpp.
#pragma once

#include <stddef.h>

namespace torchada {

inline constexpr size_t kCodeBlock = 512;

// A block of kCodeBlock bytes, aligned to its size; null without memory. Its content is undefined.
void* take_block();
// Keeps the block for a later take_block().
void give_block(void* block);
// Whether `address` lies at the start of a block, in use or not.
bool is_block(const void* address);

// Newly mapped, zeroed pages; null without memory.
void* map_pages(size_t bytes);
void unmap_pages(void* pages, size_t bytes);

}  // namespace torchada
