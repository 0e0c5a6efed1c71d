// The contents of the 64-byte handle with which one process finds memory of another.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "musa_runtime_api.h"
#include "src/host/musa/shared_file.h"

namespace musa {

enum class SharedKind : std::uint32_t { kMemory = 1, kEvent = 2, kPoolBlock = 3 };

struct IpcContents {
  char magic[4];
  SharedKind kind;
  std::int32_t pid;
  std::int32_t descriptor;
  std::uint64_t started;  // start time of the process, because process numbers are reused
  std::uint64_t offset;
  std::uint64_t size;    // as asked for; the range has whole pages
  std::uint64_t secret;  // random, so that nobody can guess a handle or mistake it for an older one
  std::uint64_t check;
};
static_assert(sizeof(IpcContents) <= MUSA_IPC_HANDLE_SIZE);

// 0 if the system provides no random numbers.
std::uint64_t new_secret();
IpcContents make_contents(SharedKind kind, const SharedFile& file, std::uint64_t offset,
                          std::size_t size, std::uint64_t secret);
// Copies the contents to and from a handle, whose remaining bytes are zero. Returns false if the
// bytes are not ours.
void write_handle(const IpcContents& contents, void* handle, std::size_t handle_size);
bool read_handle(const void* handle, SharedKind kind, IpcContents* contents);
bool is_from_this_process(const IpcContents& contents);
// Identifies the range on the whole machine.
std::string key_of(const IpcContents& contents);
// The file that the handle refers to. Null if its process has ended or has closed it.
std::shared_ptr<SharedFile> open_file(const IpcContents& contents);

}  // namespace musa
