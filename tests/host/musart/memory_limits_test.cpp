// What the machine limits: mappings, addresses, and memory that several processes share.
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "tests/host/musart/support.h"

namespace {

constexpr size_t kMega = size_t{1} << 20;

TEST(MemoryLimits, SmallAllocationsShareMappings) {
  for (const char* kind : {"device", "host", "managed", "pool", "exportable"}) {
    const Outcome run =
        run_helper(std::string("many-allocations ") + kind, "TORCHADA_HOST_MEMORY=2G");
    EXPECT_EQ(0, run.status) << kind << ": " << run.output;
  }
}

TEST(MemoryLimits, FreedAddressesDoNotRunOut) {
  for (const char* kind : {"device", "host", "managed", "pool", "graph", "virtual"}) {
    const Outcome run = run_helper(std::string("address-limit ") + kind, "TORCHADA_HOST_MEMORY=2G");
    EXPECT_EQ(0, run.status) << kind << ": " << run.output;
  }
}

// Another process may still have it mapped.
TEST(MemoryLimits, ExportedMemoryIsNotUsedAgain) {
  void* kept = nullptr;
  void* exported = nullptr;
  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaMalloc(&exported, 100));
  ASSERT_OK(musaMalloc(&kept, 100));
  ASSERT_OK(musaIpcGetMemHandle(&handle, exported));
  ASSERT_OK(musaFree(exported));
  for (int i = 0; i < 1000; ++i) {
    void* other = nullptr;
    ASSERT_OK(musaMalloc(&other, 100));
    ASSERT_NE(exported, other);
    ASSERT_OK(musaFree(other));
  }
  EXPECT_OK(musaFree(kept));
}

// Without this the addresses would not be recognised as freed for long enough.
TEST(MemoryLimits, FreedMemoryIsNotUsedAgainAtOnce) {
  void* freed = nullptr;
  ASSERT_OK(musaMalloc(&freed, 100));
  ASSERT_OK(musaFree(freed));
  for (int i = 0; i < 100; ++i) {
    void* other = nullptr;
    ASSERT_OK(musaMalloc(&other, 100));
    ASSERT_NE(freed, other);
    ASSERT_OK(musaFree(other));
  }
  EXPECT_FALSE(is_readable(freed));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(freed, 0, 1));
}

// What lies between small allocations belongs to none.
TEST(MemoryLimits, SmallAllocationsEndWhereTheyEnd) {
  void* memory = nullptr;
  ASSERT_OK(musaMalloc(&memory, 100));
  char* const end = static_cast<char*>(memory) + 100;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(end, 0, 1));
  musaPointerAttributes attributes{};
  EXPECT_OK(musaPointerGetAttributes(&attributes, end));
  EXPECT_EQ(musaMemoryTypeUnregistered, attributes.type);
  EXPECT_OK(musaFree(memory));
}

// Processes with an account of their own, and 100 MiB.
class SharedAccount : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TORCHADA_HOST_ACCOUNT", name_.c_str(), 1);
    setenv("TORCHADA_HOST_MEMORY", "100M", 1);
  }
  void TearDown() override {
    unlink(object().c_str());
    setenv("TORCHADA_HOST_ACCOUNT", "none", 1);
    setenv("TORCHADA_HOST_MEMORY", HOST_MEMORY, 1);
  }

  // The account's file; empty while there is none.
  std::string object() const {
    glob_t found{};
    const std::string pattern = "/dev/shm/torchada-musa-*-" + name_;
    std::string path;
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0) path = found.gl_pathv[0];
    globfree(&found);
    return path;
  }
  // Where it is, whether it exists or not.
  std::string path() const {
    EXPECT_EQ(0, run_helper("memory-left").status);
    return object();
  }
  static size_t left() {
    return std::strtoull(run_helper("memory-left").output.c_str(), nullptr, 10);
  }

  const std::string name_ = "test" + std::to_string(getpid());
};

// A process that holds device memory until it is killed.
class Holder {
 public:
  explicit Holder(size_t bytes) {
    int output[2] = {-1, -1};
    EXPECT_EQ(0, pipe(output));
    process_ = fork();
    if (process_ == 0) {
      dup2(output[1], STDOUT_FILENO);
      execl(HOST_MUSART_HELPER, HOST_MUSART_HELPER, "hold", std::to_string(bytes).c_str(), nullptr);
      _exit(3);
    }
    close(output[1]);
    char answer = '?';
    EXPECT_EQ(1, read(output[0], &answer, 1));
    close(output[0]);
    holds_ = answer == 'y';
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { end(); }
  bool holds() const { return holds_; }
  void end() {
    kill_only();
    if (process_ > 0) waitpid(std::exchange(process_, -1), nullptr, 0);
  }
  // Ended, but its parent has not noticed.
  void kill_only() const {
    if (process_ > 0) kill(process_, SIGKILL);
  }
  pid_t process() const { return process_; }

 private:
  pid_t process_ = -1;
  bool holds_ = false;
};

TEST_F(SharedAccount, ProcessesShareADevice) {
  EXPECT_EQ(100 * kMega, left());
  Holder first(60 * kMega);
  EXPECT_TRUE(first.holds());
  EXPECT_EQ(40 * kMega, left());
  EXPECT_FALSE(Holder(60 * kMega).holds());
  {
    Holder second(40 * kMega);
    EXPECT_TRUE(second.holds());
    EXPECT_EQ(0u, left());
  }
  EXPECT_EQ(40 * kMega, left());
}

TEST_F(SharedAccount, SurvivesProcessesThatAreKilled) {
  for (int round = 0; round < 3; ++round) {
    Holder first(90 * kMega);
    ASSERT_TRUE(first.holds());
    first.kill_only();
    siginfo_t info{};
    ASSERT_EQ(0, waitid(P_PID, static_cast<id_t>(first.process()), &info, WEXITED | WNOWAIT));
    EXPECT_TRUE(Holder(90 * kMega).holds()) << "a process that nobody has waited for";
    first.end();
    EXPECT_EQ(100 * kMega, left());
  }
}

TEST_F(SharedAccount, OtherNamesAreOtherAccounts) {
  Holder first(60 * kMega);
  setenv("TORCHADA_HOST_ACCOUNT", "none", 1);
  EXPECT_EQ(100 * kMega, left());
}

TEST_F(SharedAccount, IsClosedToOthers) {
  struct stat status {};
  ASSERT_EQ(0, stat(path().c_str(), &status));
  EXPECT_EQ(0u, status.st_mode & 077u);
  EXPECT_EQ(geteuid(), status.st_uid);
}

TEST_F(SharedAccount, NoEntryIsTrusted) {
  Holder none(0);  // The account stays as long as somebody has it.
  struct Named {
    uint64_t tag;
    int64_t segment;
  } named{};
  std::ifstream(object(), std::ios::binary).read(reinterpret_cast<char*>(&named), sizeof(named));
  shmid_ds status{};
  ASSERT_EQ(0, shmctl(static_cast<int>(named.segment), IPC_STAT, &status));
  EXPECT_EQ(0600, status.shm_perm.mode & 0777);
  auto* const pages = static_cast<char*>(shmat(static_cast<int>(named.segment), nullptr, 0));
  ASSERT_NE(reinterpret_cast<void*>(-1), pages);
  for (const int filler : {0xff, 0x01, 0x7f}) {
    std::memset(pages, filler, status.shm_segsz);
    std::memcpy(pages + sizeof(uint64_t), &named.tag, sizeof(named.tag));
    EXPECT_EQ(100 * kMega, left());
    Holder first(60 * kMega);
    EXPECT_TRUE(first.holds());
    EXPECT_EQ(40 * kMega, left());
  }
  shmdt(pages);
}

// It names pages of nobody, or of somebody else.
TEST_F(SharedAccount, NoNameIsTrusted) {
  const std::string file = path();
  ASSERT_FALSE(file.empty());
  const int other = shmget(IPC_PRIVATE, 32768, IPC_CREAT | 0600);
  ASSERT_GE(other, 0);
  void* const pages = shmat(other, nullptr, 0);
  shmctl(other, IPC_RMID, nullptr);
  for (const int64_t segment : {int64_t{-1}, int64_t{INT64_MAX}, int64_t{other}}) {
    const uint64_t named[2] = {0x0101010101010101, static_cast<uint64_t>(segment)};
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(named), sizeof(named));
    Holder first(60 * kMega);
    EXPECT_TRUE(first.holds());
    EXPECT_EQ(40 * kMega, left());
  }
  EXPECT_EQ(std::string(32768, '\0'), std::string(static_cast<char*>(pages), 32768));
  shmdt(pages);
}

// Another process may keep its file locked.
TEST_F(SharedAccount, IsNotWaitedForLong) {
  const std::string file = path();
  const int descriptor = open(file.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(0, flock(descriptor, LOCK_EX));
  EXPECT_EQ(100 * kMega, left());
  close(descriptor);
}

// Each process counts alone.
TEST_F(SharedAccount, AnObjectThatIsNotOursIsLeftAlone) {
  const std::string file = path();
  ASSERT_FALSE(file.empty());
  const auto replaced = [&](const char* what, const std::string& command) {
    unlink(file.c_str());
    ASSERT_EQ(0, std::system(command.c_str())) << what;
    Holder first(60 * kMega);
    EXPECT_TRUE(first.holds()) << what;
    EXPECT_EQ(100 * kMega, left()) << what;
    first.end();
    ASSERT_EQ(0, std::system(("rm -rf " + file).c_str()));
  };
  replaced("too long", "head -c 100000 /dev/zero > " + file + " && chmod 600 " + file);
  replaced("too short", "head -c 10 /dev/zero > " + file + " && chmod 600 " + file);
  replaced("open to others", "touch " + file + " && chmod 622 " + file);
  replaced("link", "ln -s /dev/null " + file);
  replaced("second name",
           "touch " + file + " && chmod 600 " + file + " && ln " + file + " " + file + "-2");
  replaced("directory", "mkdir " + file);
  replaced("pipe", "mkfifo -m 600 " + file);
  EXPECT_EQ(0, std::system(("rm -f " + file + "-2").c_str()));
}

}  // namespace
