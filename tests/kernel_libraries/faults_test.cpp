// Kernels that fail, or never end.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <sstream>

#include "tests/kernel_libraries/program.h"

namespace {

class Faults : public Program {
 protected:
  // Every later call tells what the kernel did, until the device is reset. Then all is as at first.
  static void expect_stuck(cudaError_t error) {
    EXPECT_EQ(error, cudaDeviceSynchronize());
    void* memory = nullptr;
    EXPECT_EQ(error, cudaMalloc(&memory, 64));
    EXPECT_EQ(error, start(&hidden, memory));
    int values[4] = {};
    EXPECT_EQ(error, cudaMemcpyToSymbol(table, values, sizeof values, 0, cudaMemcpyHostToDevice));
    EXPECT_EQ(error, cudaGetLastError());
    EXPECT_EQ(error, cudaDeviceSynchronize());
    ASSERT_OK(cudaDeviceReset());
    static_cast<void>(cudaGetLastError());
    EXPECT_EQ(510, result_of(&sum));
    EXPECT_OK(cudaGetLastError());
  }
};

TEST_F(Faults, Trap) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(2, result_of(&second));
  EXPECT_OK(start(&trap, nullptr));
  expect_stuck(cudaErrorLaunchFailure);
  EXPECT_EQ("torchada host: kernel _Z4trapPi: block (0, 0, 0), thread (0, 0, 0): trap\n",
            testing::internal::GetCapturedStderr());
}

TEST_F(Faults, OutOfBounds) {
  use(FIRST_IMAGE);
  void* memory = nullptr;
  ASSERT_OK(cudaMalloc(&memory, 64));
  for (const uintptr_t address :
       {uintptr_t{0}, reinterpret_cast<uintptr_t>(memory) - (uintptr_t{1} << 40)}) {
    testing::internal::CaptureStderr();
    EXPECT_OK(start(&add, address, 1));
    EXPECT_EQ(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    std::ostringstream line;
    line << "torchada host: kernel _Z3addPii: block (0, 0, 0), thread (0, 0, 0): illegal address 0x"
         << std::hex << address << "\n";
    EXPECT_EQ(line.str(), testing::internal::GetCapturedStderr());
    expect_stuck(cudaErrorIllegalAddress);
  }
}

TEST_F(Faults, InAGraph) {
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaStreamCreate(&stream));
  ASSERT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_OK(start(&trap, {1, 1, 1}, {1, 1, 1}, 0, stream, nullptr));
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  ASSERT_OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  testing::internal::CaptureStderr();
  EXPECT_OK(cudaGraphLaunch(exec, stream));
  EXPECT_EQ(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find("_Z4trapPi"));
  expect_stuck(cudaErrorLaunchFailure);
}

// The user ends a program whose kernel never ends, or the program exits.
TEST_F(Faults, EndlessKernelsEndWithTheProcess) {
  for (const bool killed : {true, false}) {
    int ends[2];
    ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
    const pid_t child = fork();
    ASSERT_LE(0, child);
    if (child == 0) {
      dup2(ends[1], STDOUT_FILENO);
      execl(ENDLESS, "endless", killed ? "wait" : "exit", nullptr);
      _exit(99);
    }
    close(ends[1]);
    char said[16] = {};
    EXPECT_EQ(8, ::read(ends[0], said, sizeof said));
    EXPECT_STREQ("running\n", said);
    close(ends[0]);
    if (killed) {
      EXPECT_EQ(0, kill(child, SIGINT));
    }
    int status = 0;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    if (killed) {
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
    } else {
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 5) << status;
    }
  }
}

}  // namespace
