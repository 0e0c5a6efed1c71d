// Pages that other processes can map: ranges of a file that lives in memory and has no name, so
// that nothing is left of it when its last user is gone, however that ends.
#ifndef TORCHADA_HOST_MUSART_SHARED_FILE_H_
#define TORCHADA_HOST_MUSART_SHARED_FILE_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace musart {

class SharedFile {
 public:
  // Null if the system has no such files, or no descriptor is left.
  static std::shared_ptr<SharedFile> create();
  // A file that another process made. Takes the descriptor; null if it is not one of ours.
  static std::shared_ptr<SharedFile> adopt(int descriptor);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int descriptor() const { return descriptor_; }
  // Whether the descriptor is still this file's: a program may have closed descriptors that are not
  // its own.
  bool is_intact() const;

  // Fresh pages, all zero; 0 if there are none. No range of the file is ever used twice.
  std::uintptr_t map_new(std::size_t size, std::uint64_t* offset);
  // From now on the range can be mapped by who knows the secret.
  bool publish(std::uint64_t offset, std::size_t size, std::uint64_t secret);
  void withdraw(std::uint64_t offset);
  // The published pages; 0 if there are none with this size and secret.
  std::uintptr_t map_published(std::uint64_t offset, std::size_t size, std::uint64_t secret) const;
  // Gives the pages back to the system.
  void release(std::uint64_t offset, std::size_t size);

 private:
  explicit SharedFile(int descriptor);

  const int descriptor_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::mutex mutex_;
  std::uint64_t end_ = 0;
};

// The file that this process' device memory lies in. Null as create().
std::shared_ptr<SharedFile> process_file();

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_SHARED_FILE_H_
