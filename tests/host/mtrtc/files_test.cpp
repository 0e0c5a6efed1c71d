// OwnFolder while another user exchanges what it reads: what is taken must be what was examined.
#include "src/host/shared/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "tests/host/mtrtc/compiled.h"

namespace {

using host::OwnFolder;
using host::write_file;
using mtrtc_tests::Folder;

constexpr char kName[] = "entry";
constexpr char kOwn[] = "image of this user";
constexpr char kOther[] = "image of another user";

// Of another user, which only root can make; otherwise what others may write to counts the same.
void give_away(const std::string& path) {
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  if (geteuid() == 0) {
    constexpr uid_t kUser = 12345;
    ASSERT_EQ(chown(path.c_str(), kUser, kUser), 0);
  } else {
    ASSERT_EQ(chmod(path.c_str(), status.st_mode | S_IWGRP | S_IWOTH), 0);
  }
}

// Exchanges two names without pause.
class Exchanging {
 public:
  Exchanging(std::string first, std::string second)
      : thread_([this, one = std::move(first), other = std::move(second)] {
          constexpr unsigned int kExchange = 2;  // RENAME_EXCHANGE, which glibc 2.17 lacks.
          while (!end_) {
            syscall(SYS_renameat2, AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), kExchange);
          }
        }) {}
  ~Exchanging() {
    end_ = true;
    thread_.join();
  }
  Exchanging(const Exchanging&) = delete;
  Exchanging& operator=(const Exchanging&) = delete;

 private:
  std::atomic<bool> end_{false};
  std::thread thread_;
};

// Reads until the exchange was seen often from both sides.
void read_often(const std::string& folder) {
  constexpr int kOften = 2000;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  int taken = 0, refused = 0;
  while (taken < kOften || refused < kOften) {
    const OwnFolder own(folder);
    std::string text, why = own.why();
    if (why.empty() && own.read(kName, 0, "image", 1000, &text, &why)) {
      ASSERT_EQ(text, kOwn);
      ++taken;
    } else {
      ASSERT_FALSE(why.empty());
      ++refused;
    }
    ASSERT_LT(std::chrono::steady_clock::now(), end) << taken << " taken, " << refused;
  }
}

TEST(OwnFolderRace, a_file_that_is_exchanged) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder.path() + "/" + kName, kOwn));
  ASSERT_TRUE(write_file(folder.path() + "/other", kOther));
  give_away(folder.path() + "/other");
  const Exchanging exchanging(folder.path() + "/" + kName, folder.path() + "/other");
  read_often(folder.path());
}

TEST(OwnFolderRace, a_file_that_becomes_a_link) {
  const Folder folder, outer;
  ASSERT_TRUE(write_file(folder.path() + "/" + kName, kOwn));
  ASSERT_TRUE(write_file(outer.path() + "/other", kOther));
  ASSERT_EQ(symlink((outer.path() + "/other").c_str(), (folder.path() + "/link").c_str()), 0);
  const Exchanging exchanging(folder.path() + "/" + kName, folder.path() + "/link");
  read_often(folder.path());
}

// The file in it is this user's: what others may write to is the folder.
TEST(OwnFolderRace, a_folder_that_is_exchanged) {
  const Folder outer;
  for (const char* const name : {"/own", "/other"}) {
    ASSERT_EQ(mkdir((outer.path() + name).c_str(), 0700), 0);
    const std::string text = name == std::string("/own") ? kOwn : kOther;
    ASSERT_TRUE(write_file(outer.path() + name + "/" + kName, text));
  }
  give_away(outer.path() + "/other");
  const Exchanging exchanging(outer.path() + "/own", outer.path() + "/other");
  read_often(outer.path() + "/own");
}

}  // namespace
