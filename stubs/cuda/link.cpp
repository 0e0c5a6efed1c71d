// Linking images of device code. No public source shows functions of MUSA's that do so. One image
// is what its link gives; several are put one after the other (stubs/kernels/bundle.h) and loaded
// as such. Each must be whole by itself, which MUSA is asked when it is added.
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "facts.h"
#include "src/shared/text.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/jit_log.h"
#include "stubs/cuda/refuse_image.h"
#include "stubs/kernels/bundle.h"
#include "stubs/kernels/handles.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/kernels/whole_image.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"
#include "stubs/system/mapped_memory.h"

namespace {

using namespace torchada;
using driver::JitLogs;
using kernels::BundleHeader;
using kernels::BundlePart;

constexpr int kOutOfMemory = static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY);
constexpr int kInvalidHandle = static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE);
constexpr int kNotFound = static_cast<int>(cuda::CUDA_ERROR_FILE_NOT_FOUND);

struct Link {
  MappedArray<char> bundle;
  uint64_t count;
  bool is_complete;
  JitLogs logs;
};

kernels::HandleTable links;

Link* link_of(const void* state) { return static_cast<Link*>(links.value_of(state)); }

Link* make_link() {
  void* const memory =
      mmap(nullptr, sizeof(Link), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Link();
}

void end(Link* link) {
  link->bundle.release();
  munmap(link, sizeof *link);
}

bool append(Link* link, const void* data, size_t size) {
  auto& bundle = link->bundle;
  const size_t start = bundle.size() == 0 ? sizeof(BundleHeader) : bundle.size();
  if (!bundle.resize(start + sizeof(BundlePart) + kernels::padded(size))) return false;
  const BundlePart part = {size, 0};
  memcpy(bundle.begin() + start, &part, sizeof part);
  memcpy(bundle.begin() + start + sizeof part, data, size);
  ++link->count;
  return true;
}

// Says in the program's log why an image is not taken.
void say(Link* link, const char* name, const char* what) {
  Line line;
  line << "error : " << (name && *name ? name : "an input") << ": " << what;
  link->logs.say_error(line.c_str());
  link->logs.settle();
}

// An archive of objects, such as libcudadevrt.a, which a program may add for launches from kernels.
bool is_archive(const void* data, size_t size) {
  static constexpr char kStart[] = "!<arch>\n";
  return size >= sizeof kStart - 1 && memcmp(data, kStart, sizeof kStart - 1) == 0;
}

constexpr const char* kNotByItself =
    "MUSA cannot load this image by itself; references from one image to another are not resolved";

// Whether MUSA loads the image as it is. It stays in use until the end of the trial only.
int try_image(const char* function, const void* data) {
  void* module = nullptr;
  const int status = outcome({function, "muModuleLoadData"}, muModuleLoadData(&module, data));
  if (status == 0) muModuleUnload(module);
  return status;
}

// The same for a file. MUSA may also have rules about whose file it is.
int try_file(const char* function, const char* path) {
  void* module = nullptr;
  const int status = outcome({function, "muModuleLoad"}, muModuleLoad(&module, path));
  if (status == 0) muModuleUnload(module);
  return status;
}

// Returns how many bytes there are. Somebody may cut the file off meanwhile.
size_t read_file(int file, char* to, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = pread(file, to + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

int add(const char* function, const char* parameter, const char* size_parameter, Link* link,
        const void* data, size_t size, const char* name) {
  kernels::ImageFinding found = kernels::examine_image(data);
  if (is_archive(data, size)) found = {kernels::ImageFinding::kNvidia, "an archive"};
  if (found) {
    Line line;
    line << found.text
         << (found.kind == kernels::ImageFinding::kNvidia ? " does not run on MUSA"
                                                          : ": the image is damaged");
    say(link, name, line.c_str());
    return driver::refuse_image(function, parameter, found);
  }
  if (size >= sizeof(BundleHeader) && kernels::is_bundle(data))
    return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_IMAGE));
  if (kernels::is_cut_off(data, size)) {
    say(link, name, "the image is cut off: nvrtcGetPTX gives machine code, not text");
    ValueText value;
    value << static_cast<int64_t>(size);
    return refuse_argument(function, size_parameter, value.c_str(),
                           "the image is longer; its size is what nvrtcGetPTXSize tells, not where "
                           "a zero is",
                           static_cast<int>(cuda::CUDA_ERROR_INVALID_IMAGE));
  }
  if (const int status = try_image(function, data)) {
    say(link, name, kNotByItself);
    return status;
  }
  return append(link, data, size) ? 0 : fail(kOutOfMemory);
}

// 0, or the status to return because nothing can be added in this way.
int check(const Link* link, int type, unsigned count, const int* options, void** values) {
  if (!link) return fail(kInvalidHandle);
  if (link->is_complete || type < 0 || type > cuda::CU_JIT_INPUT_NVVM) return fail(kInvalid);
  // Those of one input cannot be logs, and machine code has no use for the others.
  JitLogs none;
  return none.read(count, options, values) ? 0 : fail(kInvalid);
}

}  // namespace

extern "C" {

int torchada_adapter_cuLinkCreate_v2(unsigned count, int* options, void** values, void** state) {
  int device = 0;
  const int current = outcome({"cuLinkCreate_v2", "muCtxGetDevice"}, muCtxGetDevice(&device));
  if (current != 0) return current;
  JitLogs logs;
  if (!state || !logs.read(count, options, values)) return fail(kInvalid);
  Link* const link = make_link();
  if (!link) return fail(kOutOfMemory);
  link->logs = logs;
  void* const handle = links.make(link);
  if (!handle) {
    end(link);
    return fail(kOutOfMemory);
  }
  *state = handle;
  return 0;
}

int torchada_adapter_cuLinkAddData_v2(void* state, int type, void* data, size_t size,
                                      const char* name, unsigned count, int* options,
                                      void** values) {
  Link* const link = link_of(state);
  if (const int status = check(link, type, count, options, values)) return status;
  if (!data || size == 0) return fail(kInvalid);
  return add("cuLinkAddData_v2", "data", "size", link, data, size, name);
}

int torchada_adapter_cuLinkAddFile_v2(void* state, int type, const char* path, unsigned count,
                                      int* options, void** values) {
  Link* const link = link_of(state);
  if (const int status = check(link, type, count, options, values)) return status;
  if (!path) return fail(kInvalid);
  constexpr const char* kName = "cuLinkAddFile_v2";
  if (const auto found = kernels::examine_file(path); !found) {
    if (const int status = try_file(kName, path)) {
      say(link, path, kNotByItself);
      return status;
    }
  }
  uint64_t size = 0;
  bool is_other = false;
  const int file = kernels::open_regular(path, &size, &is_other);
  if (file < 0) return fail(kNotFound);
  const MappedMemory image(size);
  const size_t read = image.data() ? read_file(file, image.data(), size) : 0;
  close(file);
  if (size == 0) return fail(kNotFound);
  if (!image.data()) return fail(kOutOfMemory);
  return add(kName, "path", "the size of path", link, image.data(), read, path);
}

int torchada_adapter_cuLinkComplete(void* state, void** image, size_t* size) {
  Link* const link = link_of(state);
  if (!link) return fail(kInvalidHandle);
  if (!image || link->count == 0) return fail(kInvalid);
  link->is_complete = true;
  char* const start = link->bundle.begin();
  if (link->count == 1) {
    BundlePart part;
    memcpy(&part, start + sizeof(BundleHeader), sizeof part);
    *image = start + sizeof(BundleHeader) + sizeof part;
    if (size) *size = part.size;
  } else {
    BundleHeader header = {{}, link->bundle.size(), link->count};
    memcpy(header.magic, kernels::kBundleMagic, sizeof header.magic);
    memcpy(start, &header, sizeof header);
    *image = start;
    if (size) *size = link->bundle.size();
  }
  link->logs.settle();
  return 0;
}

int torchada_adapter_cuLinkDestroy(void* state) {
  auto* const link = static_cast<Link*>(links.drop(state));
  if (!link) return fail(kInvalidHandle);
  end(link);
  return 0;
}

}  // extern "C"
