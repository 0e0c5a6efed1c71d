// A process whose threads make their first calls, traced, while others fork: the children fork in
// turn and call too. Each call is served or refused, none crashes or waits for ever. Exit status 0,
// or 1 with a line.
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

extern "C" {
int cudaGetDeviceCount(int* count);
int cudaRuntimeGetVersion(int* version);
int cudaDriverGetVersion(int* version);
const char* cudaGetErrorString(int error);
int cudaDeviceSynchronize();
}

namespace {

constexpr int kTrials = 60;
constexpr int kRefused = 3;  // cudaErrorInitializationError
int patience = 60;           // Seconds; less in each child, so that the innermost hang is found.

// How many calls neither worked nor were refused.
int first_calls() {
  int number = 0;
  const int results[] = {cudaGetDeviceCount(&number), cudaRuntimeGetVersion(&number),
                         cudaDriverGetVersion(&number), cudaDeviceSynchronize()};
  int wrong = 0;
  for (const int result : results) wrong += result != 0 && result != kRefused ? 1 : 0;
  return wrong + (std::strcmp(cudaGetErrorString(0), "no error") == 0 ? 0 : 1);
}

// Exit status of a child that runs `body`, or 100 and the number of the signal that ended it.
template <typename Body>
int status_of(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    patience -= 20;
    _exit(body());
  }
  int status = 0;
  const time_t begun = time(nullptr);
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (time(nullptr) - begun > patience) kill(child, SIGKILL);
    usleep(200);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

int child() {
  std::thread again([] { first_calls(); });
  const int of_grandchild = status_of(first_calls);
  again.join();
  return of_grandchild;
}

int trial() {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread opener([&] {
    wrong = first_calls();
    stop = true;
  });
  int of_child = 0;
  do of_child = status_of(child);
  while (!stop && of_child == 0);
  opener.join();
  return of_child != 0 ? of_child : wrong.load();
}

}  // namespace

int main() {
  for (int i = 0; i < kTrials; ++i) {
    const int status = status_of(trial);
    if (status == 0) continue;
    std::printf("trial %d: status %d\n", i, status);
    return 1;
  }
  return 0;
}
