// How ranks find each other, or fail to.
#include <gtest/gtest.h>
#include <mccl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <thread>
#include <vector>

#include "tests/host/shared/device.h"

// By default ThreadSanitizer ends forked children that start threads.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

namespace {

mcclUniqueId new_id() {
  mcclUniqueId id{};
  EXPECT_EQ(mcclGetUniqueId(&id), mcclSuccess);
#ifdef __SANITIZE_ADDRESS__
  // AddressSanitizer's allocator does not survive a fork while another thread is using it, such as
  // the thread that mcclGetUniqueId starts.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
#endif
  return id;
}

// A child process that becomes a rank. This works only if MUSA was not used before the fork, so
// each test here has its own process.
class Child {
 public:
  template <typename Work>
  explicit Child(Work work) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    process_ = fork();
    if (process_ == 0) {
      int device = -1;
      if (musaGetDevice(&device) != musaSuccess) _exit(1);
      tell(ends[1], 1);
      work(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    from_child_ = ends[0];
  }
  ~Child() {
    close(from_child_);
    EXPECT_EQ(waitpid(process_, nullptr, 0), process_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  static void tell(int pipe_end, int number) {
    if (write(pipe_end, &number, sizeof number) != sizeof number) _exit(2);
  }
  int hear() const {
    int number = -1;
    return read(from_child_, &number, sizeof number) == sizeof number ? number : -1;
  }
  void die() const { EXPECT_EQ(kill(process_, SIGKILL), 0); }

 private:
  pid_t process_;
  int from_child_;
};

std::future<mcclResult_t> join(mcclComm_t& comm, int ranks, const mcclUniqueId& id, int rank) {
  return std::async(std::launch::async,
                    [&comm, ranks, id, rank] { return mcclCommInitRank(&comm, ranks, id, rank); });
}

TEST(Meeting, mcclCommInitRank_waits_for_the_last_rank) {
  const mcclUniqueId id = new_id();
  mcclComm_t comms[2] = {};
  auto first = join(comms[0], 2, id, 0);
  EXPECT_EQ(first.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  EXPECT_EQ(join(comms[1], 2, id, 1).get(), mcclSuccess);
  EXPECT_EQ(first.get(), mcclSuccess);
  for (int rank = 0; rank < 2; ++rank) {
    int value = -1;
    EXPECT_EQ(mcclCommUserRank(comms[rank], &value), mcclSuccess);
    EXPECT_EQ(value, rank);
    EXPECT_EQ(mcclCommCount(comms[rank], &value), mcclSuccess);
    EXPECT_EQ(value, 2);
    EXPECT_EQ(mcclCommDestroy(comms[rank]), mcclSuccess);
  }
}

TEST(Meeting, RefusesAnIdThatWasUsed) {
  const mcclUniqueId id = new_id();
  mcclComm_t comm = nullptr;
  EXPECT_EQ(mcclCommInitRank(&comm, 1, id, 0), mcclSuccess);
  mcclComm_t again = nullptr;
  EXPECT_EQ(mcclCommInitRank(&again, 1, id, 0), mcclInvalidUsage);
  EXPECT_EQ(again, nullptr);
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

// Otherwise the others would wait for a rank that cannot come.
TEST(Meeting, ARankThatIsThereAndAnotherNumberOfRanksEndItForAll) {
  struct Rank {
    int ranks, rank;
  };
  for (const Rank& last : {Rank{3, 1}, Rank{4, 2}}) {
    const mcclUniqueId id = new_id();
    mcclComm_t comms[3] = {};
    std::future<mcclResult_t> all[3] = {join(comms[0], 3, id, 0), join(comms[1], 3, id, 1),
                                        join(comms[2], last.ranks, id, last.rank)};
    for (std::future<mcclResult_t>& each : all) {
      ASSERT_EQ(each.wait_for(std::chrono::seconds(10)), std::future_status::ready);
      EXPECT_EQ(each.get(), mcclInvalidUsage);
    }
    for (const mcclComm_t comm : comms) EXPECT_EQ(comm, nullptr);
    EXPECT_EQ(join(comms[2], 3, id, 2).get(), mcclInvalidUsage);
  }
}

TEST(Meeting, RefusesAnIdWhoseProcessEnded) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    mcclUniqueId id{};
    const bool made = mcclGetUniqueId(&id) == mcclSuccess;
    const bool told = write(ends[1], &id, sizeof id) == sizeof id;
    _exit(made && told ? 0 : 1);
  }
  mcclUniqueId id{};
  ASSERT_EQ(read(ends[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  mcclComm_t comm = nullptr;
  EXPECT_EQ(mcclCommInitRank(&comm, 2, id, 0), mcclSystemError);
  EXPECT_EQ(comm, nullptr);
  close(ends[0]);
  close(ends[1]);
}

TEST(Meeting, BreaksUpWhenARankDies) {
  const mcclUniqueId id = new_id();
  const Child child([&](int) {
    mcclComm_t comm = nullptr;
    mcclCommInitRank(&comm, 3, id, 1);
  });
  ASSERT_EQ(child.hear(), 1);
  mcclComm_t comm = nullptr;
  auto first = join(comm, 3, id, 0);
  EXPECT_EQ(first.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout);
  child.die();
  EXPECT_EQ(first.get(), mcclRemoteError);
}

// The parent makes the id without using MUSA, so its children may be the ranks.
TEST(Meeting, ChildrenJoinWithTheIdOfTheirParent) {
  const mcclUniqueId id = new_id();
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  std::vector<pid_t> children;
  for (int rank = 0; rank < 2; ++rank) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    // Waits until both children exist.
    char none = 0;
    close(gate[1]);
    if (read(gate[0], &none, 1) != 0) _exit(6);
    mcclComm_t comm = nullptr;
    if (mcclCommInitRank(&comm, 2, id, rank) != mcclSuccess) _exit(1);
    int* value = nullptr;
    if (musaMalloc(reinterpret_cast<void**>(&value), sizeof(int)) != musaSuccess) _exit(2);
    *value = rank + 1;
    if (mcclAllReduce(value, value, 1, mcclInt, mcclSum, comm, nullptr) != mcclSuccess) _exit(3);
    if (musaDeviceSynchronize() != musaSuccess) _exit(4);
    _exit(*value == 3 ? 0 : 5);
  }
  close(gate[0]);
  close(gate[1]);
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST(Meeting, CommunicatorsStayWithTheirProcess) {
  mcclComm_t comm = nullptr;
  ASSERT_EQ(mcclCommInitRank(&comm, 1, new_id(), 0), mcclSuccess);
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    _exit(mcclCommCount(comm, &count) == mcclInvalidArgument ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

// A child that lives on must not make its dead parent look alive to the other ranks.
TEST(Meeting, ADeathIsNoticedThoughAChildLives) {
  const mcclUniqueId id = new_id();
  const Child child([&](int parent) {
    mcclComm_t comm = nullptr;
    if (mcclCommInitRank(&comm, 2, id, 1) != mcclSuccess) return;
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      pause();
      _exit(0);
    }
    Child::tell(parent, grandchild);
  });
  ASSERT_EQ(child.hear(), 1);
  mcclComm_t comm = nullptr;
  ASSERT_EQ(mcclCommInitRank(&comm, 2, id, 0), mcclSuccess);
  const pid_t grandchild = child.hear();
  ASSERT_GT(grandchild, 1);
  mcclResult_t error = mcclSuccess;
  for (int tries = 0; tries < 10000 && error == mcclSuccess; ++tries) {
    EXPECT_EQ(mcclCommGetAsyncError(comm, &error), mcclSuccess);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(error, mcclRemoteError);
  EXPECT_EQ(kill(grandchild, SIGKILL), 0);  // it was alive until now
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

}  // namespace
