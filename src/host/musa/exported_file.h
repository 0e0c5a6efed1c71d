// A file for one piece of device memory, which is passed to other processes by its descriptor
// alone.
#pragma once

#include <cstddef>
#include <memory>

namespace musa {

class ExportedFile {
 public:
  // `size` is in whole pages. Null if the system lacks such files or descriptors have run out.
  static std::shared_ptr<ExportedFile> create(std::size_t size, int physical_device);
  // The file behind a descriptor that another process made, or this one. The descriptor stays the
  // caller's. Null if it is not such a file.
  static std::shared_ptr<ExportedFile> open(int descriptor);
  ~ExportedFile();
  ExportedFile(const ExportedFile&) = delete;
  ExportedFile& operator=(const ExportedFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::size_t size() const { return size_; }
  int physical_device() const { return physical_device_; }

 private:
  ExportedFile(int descriptor, std::size_t size, int physical_device)
      : descriptor_(descriptor), size_(size), physical_device_(physical_device) {}

  const int descriptor_;
  const std::size_t size_;
  const int physical_device_;
};

}  // namespace musa
