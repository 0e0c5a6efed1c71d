// Gives damaged images, fat binaries and PTX to every function of the driver that loads code:
//   fuzz_modules SEED IMAGE
// for CHECK_FUZZ_SECONDS (default: 3). Whatever is in memory ends where a page begins that nobody
// may read. The work is done in children: one that a signal ends is a finding, and its case is
// printed.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/conformance/cuda_driver.h"
#include "tests/host/shared/guarded_pages.h"

namespace {

using Random = std::mt19937_64;

// What children tell: they may end at any time.
struct Told {
  std::atomic<std::uint64_t> done;
  std::atomic<std::uint64_t> refused;
  std::atomic<std::uint64_t> loaded;
};

template <typename Number>
void add(std::string* to, Number number) {
  to->append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string fat_binary(const std::vector<std::pair<std::uint16_t, std::string>>& entries) {
  std::string inside;
  for (const auto& [kind, code] : entries) {
    add<std::uint16_t>(&inside, kind);
    add<std::uint16_t>(&inside, 0x101);
    add<std::uint32_t>(&inside, 64);
    add<std::uint64_t>(&inside, code.size());
    inside.append(48, '\0');
    inside += code;
  }
  std::string out;
  add<std::uint32_t>(&out, 0xba55ed50);
  add<std::uint16_t>(&out, 1);
  add<std::uint16_t>(&out, 16);
  add<std::uint64_t>(&out, inside.size());
  return out + inside;
}

std::vector<std::string> seeds(const std::string& image) {
  std::string cubin =
      "\x7f"
      "ELF\x02\x01\x01";
  cubin.resize(64, '\0');
  cubin[18] = '\xbe';  // EM_CUDA
  const std::string ptx = "// a comment\n/* another */ .version 7.0\n.target sm_70\n";
  std::string impossible = fat_binary({});
  std::memset(&impossible[6], 0xff, impossible.size() - 6);
  return {image,
          image,
          fat_binary({{2, cubin}, {1, ptx}}),
          fat_binary({{7, "other"}, {2, image}}),
          fat_binary({{7, std::string(100, 'x')}}),
          impossible,
          ptx,
          cubin};
}

void damage(std::string* bytes, Random& random) {
  constexpr std::uint64_t kNumbers[] = {0, 1, ~0ULL, 1ULL << 63, 0x7fffffff, 0xffffffff};
  if (random() % 4 == 0) bytes->resize(random() % (bytes->size() + 1));
  if (random() % 16 == 0) {
    for (char& byte : *bytes) byte = static_cast<char>(random());
  }
  for (auto left = random() % 8; left > 0 && !bytes->empty(); --left) {
    // Headers are at the beginning, tables at the end.
    const auto near_end = std::min<std::uint64_t>(bytes->size(), 2048);
    const auto where = random() % 3;
    const auto at = where == 0   ? random() % std::min<std::uint64_t>(bytes->size(), 512)
                    : where == 1 ? bytes->size() - 1 - random() % near_end
                                 : random() % bytes->size();
    if (random() % 2 == 0) {
      (*bytes)[at] = static_cast<char>((*bytes)[at] ^ (1 << random() % 8));
    } else {
      const auto number =
          random() % 4 == 0 ? bytes->size() + random() % 3 - 1 : kNumbers[random() % 6];
      std::memcpy(&(*bytes)[at], &number,
                  std::min<std::uint64_t>(bytes->size() - at, random() % 2 == 0 ? 4 : 8));
    }
  }
}

class Case {
 public:
  Case(const std::string& bytes, const std::string& path)
      : size_(bytes.size()), copy_(bytes), image_(copy_.begin()), path_(path) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  void load(Told* told) const {
    const auto module = [&](auto&& function) {
      CUmodule loaded = nullptr;
      const bool good = function(&loaded) == CUDA_SUCCESS;
      if (good) use(loaded);
      ++(good ? told->loaded : told->refused);
    };
    const auto library = [&](auto&& function) {
      CUlibrary loaded = nullptr;
      const bool good = function(&loaded) == CUDA_SUCCESS;
      if (good) cuLibraryUnload(loaded);
      ++(good ? told->loaded : told->refused);
    };
    const struct {
      int magic, version;
      const void *data, *none;
    } wrapper{0x466243b1, 1, image_, nullptr};
    module([&](CUmodule* out) { return cuModuleLoadData(out, image_); });
    module([&](CUmodule* out) { return cuModuleLoadDataEx(out, image_, 0, nullptr, nullptr); });
    module([&](CUmodule* out) { return cuModuleLoadFatBinary(out, image_); });
    module([&](CUmodule* out) { return cuModuleLoadData(out, &wrapper); });
    module([&](CUmodule* out) { return cuModuleLoad(out, path_.c_str()); });
    library([&](CUlibrary* out) {
      return cuLibraryLoadData(out, image_, nullptr, nullptr, 0, nullptr, nullptr, 0);
    });
    library([&](CUlibrary* out) {
      return cuLibraryLoadFromFile(out, path_.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    });
    link();
  }

 private:
  static void use(CUmodule module) {
    CUfunction function = nullptr;
    CUdeviceptr address = 0;
    std::size_t size = 0;
    cuModuleGetFunction(&function, module, "_Z3addPii");
    cuModuleGetGlobal_v2(&address, &size, module, "table");
    cuModuleUnload(module);
  }

  void link() const {
    CUlinkState state = nullptr;
    if (cuLinkCreate(0, nullptr, nullptr, &state) != CUDA_SUCCESS) return;
    void* made = nullptr;
    std::size_t made_size = 0;
    if (cuLinkAddData(state, CU_JIT_INPUT_CUBIN, image_, size_, "x", 0, nullptr, nullptr) ==
        CUDA_SUCCESS) {
      cuLinkComplete(state, &made, &made_size);
    }
    cuLinkDestroy(state);
  }

  std::size_t size_;
  GuardedCopy copy_;
  void* image_;
  std::string path_;
};

// Runs cases from number `first` on, until the time is over.
[[noreturn]] void work(const std::string& image, std::uint64_t seed, std::uint64_t first,
                       std::chrono::steady_clock::time_point end, Told* told) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
      cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS ||
      cuCtxSetCurrent(context) != CUDA_SUCCESS) {
    std::puts("no device");
    _exit(2);
  }
  const std::string path = "/tmp/fuzz_modules." + std::to_string(getpid());
  const std::vector<std::string> all = seeds(image);
  for (std::uint64_t number = first; std::chrono::steady_clock::now() < end; ++number) {
    Random random(seed * 1000003 + number);
    std::string bytes = all[random() % all.size()];
    damage(&bytes, random);
    alarm(20);  // One that waits for ever is a finding, too.
    told->done = number;
    Case(bytes, path).load(told);
  }
  unlink(path.c_str());
  _exit(0);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const std::uint64_t seed = std::strtoull(words[1], nullptr, 10);
  std::ifstream file(words[2], std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  const char* const seconds = std::getenv("CHECK_FUZZ_SECONDS");
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::seconds(seconds == nullptr ? 3 : std::atoi(seconds));
  setenv("TORCHADA_LOG", "off", 1);
  auto* const told = static_cast<Told*>(
      mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const pid_t child = fork();
  if (child == 0) work(image, seed, 0, end, told);
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("%s: seed %llu, %llu cases, %llu calls refused, %llu loaded\n", words[2],
              static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(told->done.load()),
              static_cast<unsigned long long>(told->refused.load()),
              static_cast<unsigned long long>(told->loaded.load()));
  if (WIFSIGNALED(status)) {
    std::printf("case %llu ended with signal %d\n",
                static_cast<unsigned long long>(told->done.load()), WTERMSIG(status));
  }
  // A run without whole and without damaged images has shown nothing.
  const bool meant = told->done > 50 && told->refused > 50 && told->loaded > 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && meant ? 0 : 1;
}
