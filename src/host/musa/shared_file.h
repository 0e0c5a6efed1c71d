// Pages that other processes can map: ranges of an in-memory file without a name. It disappears
// with its last user, however that process ends.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace musa {

class SharedFile {
 public:
  // Whose pages it holds: the memory of a process, or a pool that others may import.
  enum class Use { kProcess, kPool };

  // Null if the system lacks such files or descriptors have run out.
  static std::shared_ptr<SharedFile> create(Use use);
  // A file made by another process. Takes ownership of the descriptor. Null if the file is not one
  // of ours for that use.
  static std::shared_ptr<SharedFile> adopt(int descriptor, Use use);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int descriptor() const { return descriptor_; }
  // Whether the descriptor still refers to this file: a program may have closed descriptors that it
  // does not own.
  bool is_intact() const;

  // Fresh pages, all zero. False on failure. No range of the file is ever reused.
  bool add_range(std::size_t size, std::uint64_t* offset);
  // The same, mapped; 0 on failure.
  std::uintptr_t map_new(std::size_t size, std::uint64_t* offset);
  // From now on, a process that knows the secret can map the range.
  bool publish(std::uint64_t offset, std::size_t size, std::uint64_t secret);
  void withdraw(std::uint64_t offset);
  // The published pages; 0 if none have this size and secret.
  std::uintptr_t map_published(std::uint64_t offset, std::size_t size, std::uint64_t secret) const;
  // Returns the pages to the system. If this fails, they stay until the file is closed.
  bool release(std::uint64_t offset, std::size_t size);

 private:
  explicit SharedFile(int descriptor);

  const int descriptor_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::mutex mutex_;
  std::uint64_t end_ = 0;     // of the ranges
  std::uint64_t length_ = 0;  // of the file
};

// Whether a file may have this size. Growing beyond the limit would raise a signal instead of an
// error.
bool may_grow_to(std::uint64_t size);

// A new file in memory, closed on exec, above the standard descriptors: what a program writes there
// must not land in device memory. `flags` of memfd_create() besides that. -1 and errno on failure.
int make_memory_file(const char* name, unsigned int flags);

// The file that holds this process's device memory. Null as for create().
std::shared_ptr<SharedFile> process_file();

}  // namespace musa
