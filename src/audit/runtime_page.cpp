#include "src/audit/runtime_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/shared/own_descriptor.h"

namespace torchada {

void RuntimePage::map(const char* path) {
  const int file = above_standard(open(path, O_RDONLY | O_CLOEXEC));
  if (file < 0) return;
  size_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  page_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  if (page_ == MAP_FAILED) page_ = nullptr;
  close(file);
}

void RuntimePage::unmap() {
  if (page_) munmap(page_, size_);
  page_ = nullptr;
}

}  // namespace torchada
