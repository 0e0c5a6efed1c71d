#include "stubs/cudart/code_memory.h"

#include <stdint.h>
#include <sys/mman.h>

namespace torchada {
namespace {

// Mapped in one call and never unmapped. The first block of a piece links it to the one before.
constexpr size_t kPiece = size_t{1} << 18;

struct Piece {
  Piece* before;
};
struct FreeBlock {
  FreeBlock* next;
};

Piece* pieces;
char* next_block;  // In the newest piece.
char* end;         // The end of the newest piece.
FreeBlock* free_blocks;

bool add_piece() {
  auto* const piece = static_cast<Piece*>(map_pages(kPiece));
  if (!piece) return false;
  piece->before = pieces;
  pieces = piece;
  next_block = reinterpret_cast<char*>(piece) + kCodeBlock;
  end = reinterpret_cast<char*>(piece) + kPiece;
  return true;
}

}  // namespace

void* take_block() {
  if (FreeBlock* const block = free_blocks) {
    free_blocks = block->next;
    return block;
  }
  if (next_block == end && !add_piece()) return nullptr;
  char* const block = next_block;
  next_block += kCodeBlock;
  return block;
}

void give_block(void* block) {
  auto* const freed = static_cast<FreeBlock*>(block);
  freed->next = free_blocks;
  free_blocks = freed;
}

bool is_block(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (const Piece* piece = pieces; piece; piece = piece->before) {
    const uintptr_t offset = at - reinterpret_cast<uintptr_t>(piece);
    if (offset < kPiece) return offset != 0 && offset % kCodeBlock == 0;
  }
  return false;
}

void* map_pages(size_t bytes) {
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

void unmap_pages(void* pages, size_t bytes) { munmap(pages, bytes); }

}  // namespace torchada
