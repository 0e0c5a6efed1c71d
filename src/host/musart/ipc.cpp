// An allocation becomes an object in POSIX shared memory when it is first exported: its contents
// are copied there, and the object is mapped over it in place. The handle says which object;
// whoever opens it maps the same one.
#include "ipc.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "memory.h"

namespace musart {
namespace {

// What a handle holds. The rest of its 64 bytes is zero.
struct HandleContents {
  char magic[8];
  std::uint64_t pid;
  std::uint64_t secret;  // random, so that a handle cannot be guessed or mistaken for an older one
  std::uint64_t size;
  std::uint64_t mapped_size;
  std::uint64_t check;
};
static_assert(sizeof(HandleContents) <= MUSA_IPC_HANDLE_SIZE);

constexpr char kMagic[8] = {'t', 'o', 'r', 'c', 'h', 'a', 'd', 'a'};
// Contents move in steps of this size, each remapped at once: that keeps the time in which a host
// function that writes directly could be overtaken as short as can be.
constexpr std::size_t kStep = std::size_t{256} << 10;

std::uint64_t checksum(const HandleContents& contents) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const std::uint64_t part :
       {contents.pid, contents.secret, contents.size, contents.mapped_size}) {
    sum = (sum ^ part) * 0x100000001b3u;
    sum ^= sum >> 32;
  }
  return sum;
}

std::string object_name(const HandleContents& contents) {
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), "/torchada-musa-%llu-%016llx",
                static_cast<unsigned long long>(contents.pid),
                static_cast<unsigned long long>(contents.secret));
  return name.data();
}

// Names that this process made and has not taken back. At exit they go, as they would with a
// device's driver.
class SharedNames {
 public:
  static SharedNames& get() {
    static auto* const names = new SharedNames;
    return *names;
  }
  void add(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.insert(name);
  }
  void remove(const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (names_.erase(name) != 0) shm_unlink(name.c_str());
  }
  void remove_all() {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names_) shm_unlink(name.c_str());
    names_.clear();
  }

 private:
  SharedNames() {
    std::atexit([] {
      // They are the parent's, not a forked child's.
      if (!in_forked_child()) get().remove_all();
    });
  }

  std::mutex mutex_;
  std::set<std::string> names_;
};

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  const int descriptor_;
};

bool write_all(int descriptor, const unsigned char* data, std::size_t size, std::size_t offset) {
  while (size > 0) {
    const ssize_t written = pwrite(descriptor, data, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    offset += static_cast<std::size_t>(written);
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

// With the gate closed. A failure in the middle leaves a mixture of old and new pages, all with the
// right contents.
bool move_into(const FileDescriptor& object, const Allocation& allocation) {
  auto* const base = reinterpret_cast<unsigned char*>(allocation.base);
  for (std::size_t offset = 0; offset < allocation.mapped_size; offset += kStep) {
    const std::size_t size = std::min(kStep, allocation.mapped_size - offset);
    if (!write_all(object.get(), base + offset, size, offset)) return false;
    if (mmap(base + offset, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, object.get(),
             static_cast<off_t>(offset)) == MAP_FAILED) {
      return false;
    }
  }
  return true;
}

// Maps private pages with the same contents back, after a conversion that could not be finished.
void move_back(const Allocation& allocation) {
  auto* const base = reinterpret_cast<unsigned char*>(allocation.base);
  std::vector<unsigned char> contents(kStep);
  for (std::size_t offset = 0; offset < allocation.mapped_size; offset += kStep) {
    const std::size_t size = std::min(kStep, allocation.mapped_size - offset);
    std::memcpy(contents.data(), base + offset, size);
    if (mmap(base + offset, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
             -1, 0) != MAP_FAILED) {
      std::memcpy(base + offset, contents.data(), size);
    }
  }
}

musaError_t export_allocation(Runtime& runtime, const Allocation& allocation, std::string* name) {
  HandleContents contents{};
  contents.pid = static_cast<std::uint64_t>(getpid());
  if (getrandom(&contents.secret, sizeof(contents.secret), 0) != sizeof(contents.secret)) {
    return musaErrorOperatingSystem;
  }
  *name = object_name(contents);
  const FileDescriptor object(
      shm_open(name->c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (object.get() < 0) return musaErrorOperatingSystem;
  SharedNames::get().add(*name);
  // Space is claimed beforehand: running out of it later would kill the process that touches a
  // page.
  if (posix_fallocate(object.get(), 0, static_cast<off_t>(allocation.mapped_size)) != 0) {
    forget_shared_name(*name);
    return musaErrorMemoryAllocation;
  }
  const auto closed = runtime.gate.close();
  runtime.gate.await_host_functions();
  // Another thread may have freed it meanwhile; from here on it cannot be unmapped.
  const auto still_there = runtime.allocations.find(reinterpret_cast<void*>(allocation.base));
  if (!still_there || still_there->kind != MemoryKind::kDevice ||
      still_there->base != allocation.base) {
    forget_shared_name(*name);
    return musaErrorInvalidValue;
  }
  if (!move_into(object, allocation)) {
    move_back(allocation);
    forget_shared_name(*name);
    return musaErrorMapBufferObjectFailed;
  }
  return musaSuccess;
}

// The secret is in the name, in hexadecimal after the last dash.
std::uint64_t secret_of(const std::string& name) {
  return std::strtoull(name.c_str() + name.rfind('-') + 1, nullptr, 16);
}

musaIpcMemHandle_t handle_of(const Allocation& allocation) {
  HandleContents contents{};
  std::memcpy(contents.magic, kMagic, sizeof(kMagic));
  contents.pid = static_cast<std::uint64_t>(getpid());
  contents.secret = secret_of(allocation.shared_name);
  contents.size = allocation.size;
  contents.mapped_size = allocation.mapped_size;
  contents.check = checksum(contents);
  musaIpcMemHandle_t handle{};
  std::memcpy(&handle, &contents, sizeof(contents));
  return handle;
}

bool read_handle(const musaIpcMemHandle_t& handle, HandleContents* contents) {
  std::memcpy(contents, &handle, sizeof(*contents));
  return std::memcmp(contents->magic, kMagic, sizeof(kMagic)) == 0 &&
         contents->check == checksum(*contents) && contents->size > 0 &&
         round_to_pages(contents->size) == contents->mapped_size;
}

// One process opens an object once per device; further calls count.
std::mutex& export_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

void* reopen(Runtime& runtime, const std::string& name, int device) {
  const auto opened = runtime.allocations.list([&](const Allocation& allocation) {
    return allocation.kind == MemoryKind::kImported && allocation.device == device &&
           allocation.shared_name == name;
  });
  if (opened.empty()) return nullptr;
  runtime.allocations.update(opened.front(),
                             [](Allocation& allocation) { ++allocation.open_count; });
  return opened.front();
}

musaError_t open_object(Runtime& runtime, const HandleContents& contents, void** pointer) {
  const std::string name = object_name(contents);
  *pointer = reopen(runtime, name, runtime.current_ordinal());
  if (*pointer != nullptr) return musaSuccess;
  const FileDescriptor object(shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0));
  struct stat status {};
  if (object.get() < 0 || fstat(object.get(), &status) != 0 ||
      static_cast<std::uint64_t>(status.st_size) != contents.mapped_size) {
    return musaErrorInvalidResourceHandle;
  }
  void* pages =
      mmap(nullptr, contents.mapped_size, PROT_READ | PROT_WRITE, MAP_SHARED, object.get(), 0);
  if (pages == MAP_FAILED) return musaErrorMapBufferObjectFailed;
  Allocation allocation;
  allocation.base = reinterpret_cast<std::uintptr_t>(pages);
  allocation.size = contents.size;
  allocation.mapped_size = contents.mapped_size;
  allocation.kind = MemoryKind::kImported;
  allocation.device = runtime.current_ordinal();
  allocation.shared_name = name;
  allocation.open_count = 1;
  runtime.allocations.insert(allocation);
  *pointer = pages;
  return musaSuccess;
}

}  // namespace

void forget_shared_name(const std::string& name) { SharedNames::get().remove(name); }

}  // namespace musart

using musart::Allocation;
using musart::api;
using musart::MemoryKind;
using musart::Runtime;

musaError_t musaIpcGetMemHandle(musaIpcMemHandle_t* handle, void* devPtr) {
  return api([&](Runtime& runtime) {
    if (handle == nullptr) return musaErrorInvalidValue;
    const std::lock_guard lock(musart::export_mutex());
    auto found = runtime.allocations.find(devPtr);
    if (!found || found->kind != MemoryKind::kDevice) return musaErrorInvalidValue;
    if (found->shared_name.empty()) {
      MUSART_RETURN_IF_ERROR(musart::export_allocation(runtime, *found, &found->shared_name));
      const auto set_name = [&](Allocation& allocation) {
        allocation.shared_name = found->shared_name;
      };
      if (!runtime.allocations.update(devPtr, set_name)) {
        musart::forget_shared_name(found->shared_name);
        return musaErrorInvalidValue;
      }
    }
    *handle = musart::handle_of(*found);
    return musaSuccess;
  });
}

musaError_t musaIpcOpenMemHandle(void** devPtr, musaIpcMemHandle_t handle, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (devPtr == nullptr ||
        (flags & ~static_cast<unsigned>(musaIpcMemLazyEnablePeerAccess)) != 0) {
      return musaErrorInvalidValue;
    }
    musart::HandleContents contents{};
    if (!musart::read_handle(handle, &contents)) return musaErrorInvalidResourceHandle;
    // The exporting process has the memory already; opening it there is refused, as on a device.
    if (contents.pid == static_cast<std::uint64_t>(getpid())) return musaErrorDeviceUninitialized;
    const std::lock_guard lock(musart::export_mutex());
    void* pointer = nullptr;
    MUSART_RETURN_IF_ERROR(musart::open_object(runtime, contents, &pointer));
    *devPtr = pointer;
    return musaSuccess;
  });
}

musaError_t musaIpcCloseMemHandle(void* devPtr) {
  return api([&](Runtime& runtime) {
    const std::lock_guard lock(musart::export_mutex());
    const auto found = runtime.allocations.find(devPtr);
    if (!found || found->kind != MemoryKind::kImported ||
        found->base != reinterpret_cast<std::uintptr_t>(devPtr)) {
      return musaErrorInvalidValue;
    }
    if (found->open_count > 1) {
      runtime.allocations.update(devPtr, [](Allocation& allocation) { --allocation.open_count; });
      return musaSuccess;
    }
    musart::Device& device = *runtime.device(found->device);
    const musaError_t status = musart::wait_all(device, device.pending_everywhere());
    if (status == musaErrorNotPermitted) return status;
    const auto taken = runtime.allocations.take(devPtr, [](const Allocation&) { return true; });
    if (!taken) return musaErrorInvalidValue;
    musart::discard(runtime, *taken);
    return status;
  });
}

// Events stay within their process: there is no object in shared memory that both sides could wait
// on yet.
musaError_t musaIpcGetEventHandle(musaIpcEventHandle_t* handle, musaEvent_t event) {
  return api([&](Runtime&) {
    return handle == nullptr || event == nullptr ? musaErrorInvalidValue : musaErrorNotSupported;
  });
}

musaError_t musaIpcOpenEventHandle(musaEvent_t* event, musaIpcEventHandle_t) {
  return api(
      [&](Runtime&) { return event == nullptr ? musaErrorInvalidValue : musaErrorNotSupported; });
}
