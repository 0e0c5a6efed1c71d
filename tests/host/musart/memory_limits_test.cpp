// What the machine limits: mappings, addresses, and memory that several processes share.
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdlib>
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
  const std::string file = path();
  ASSERT_FALSE(file.empty());
  const off_t size = [&] {
    struct stat status {};
    EXPECT_EQ(0, stat(file.c_str(), &status));
    return status.st_size;
  }();
  for (const int filler : {0xff, 0x01, 0x7f}) {
    std::ofstream(file, std::ios::binary)
        << std::string(static_cast<size_t>(size), static_cast<char>(filler));
    EXPECT_EQ(100 * kMega, left());
    Holder first(60 * kMega);
    EXPECT_TRUE(first.holds());
    EXPECT_EQ(40 * kMega, left());
  }
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
