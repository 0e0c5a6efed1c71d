// A program whose kernels are made while it waits: PROGRAM ACT [NAME...]. test.py says what it
// should print, and what the process that makes them should see.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/device_code/registering.h"

namespace {

// What nvcc puts around the names of the sources a.cu and b.cu (../of_sources.c).
#define A_CU "fbaae8a4_4_a_cu_main"
#define B_CU "959edb7c_4_b_cu_01234567"

char a_same, b_same, a_unnamed, b_unnamed, alone, plain, absent, untold;
int a_value;

const std::map<std::string, const void*>& kernels() {
  static const std::map<std::string, const void*> all = {
      {"a_same", &a_same},       {"b_same", &b_same}, {"a_unnamed", &a_unnamed},
      {"b_unnamed", &b_unnamed}, {"alone", &alone},   {"plain", &plain},
      {"absent", &absent},       {"untold", &untold}};
  return all;
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %d\n", what, static_cast<int>(status));
  std::exit(1);
}

// The number that the kernel writes, or the status with a minus.
int result_of(const void* kernel) {
  void* out = nullptr;
  check(cudaMalloc(&out, sizeof(int)), "cudaMalloc");
  void* arguments[] = {&out};
  const cudaError_t status = cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr);
  int result = -static_cast<int>(status);
  if (status == cudaSuccess) {
    check(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
  static_cast<void>(cudaGetLastError());
  check(cudaFree(out), "cudaFree");
  return result;
}

void print_result(const std::string& name) {
  std::printf("%s %d\n", name.c_str(), result_of(kernels().at(name)));
  std::fflush(stdout);
}

using Words = std::vector<std::string>;

void launch(const Words& names) {
  for (const std::string& name : names) print_result(name);
}

// All at once; each of them twice.
void launch_in_threads(const Words& names) {
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  std::vector<int> results(2 * names.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      while (!go) continue;
      results[i] = result_of(kernels().at(names[i / 2]));
    });
  }
  go = true;
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::printf("%s %d\n", names[i / 2].c_str(), results[i]);
  }
}

// The first kernel is waited for in a thread. Meanwhile the second is launched, and fork() works.
void launch_meanwhile(const Words& names) {
  std::thread waits(print_result, names.at(0));
  poll(nullptr, 0, 500);
  print_result(names.at(1));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = 1;
  waitpid(child, &status, 0);
  std::printf("child %d\n", status);
  std::fflush(stdout);
  waits.join();
}

void ask_about(const Words&) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, &a_same), "cudaFuncGetAttributes");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &b_same, 32, 0), "occupancy");
  int value = 0;
  check(cudaMemcpyFromSymbol(&value, &a_value, sizeof value, 0, cudaMemcpyDeviceToHost), "symbol");
  void* address = nullptr;
  check(cudaGetSymbolAddress(&address, &a_value), "address");
  std::printf("value %d\n", value);
}

// Parent and child each launch. The child was forked before CUDA was used.
void launch_after_fork(const Words& names) {
  const pid_t child = fork();
  print_result(names.at(child == 0 ? 1 : 0));
  if (child == 0) _exit(0);
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0) std::printf("the child ended with %d\n", status);
}

// A child of fork() that lives on must not keep the process that makes kernels alive.
void leave_child(const Words& names) {
  launch(names);
  const pid_t child = fork();
  if (child == 0) {
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    pause();
  }
  std::printf("child %d\n", child);
}

volatile std::sig_atomic_t ended_children = 0;

void count_child(int) { ended_children = ended_children + 1; }

void wait_for_children(const Words& names) {
  signal(SIGCHLD, count_child);
  launch(names);
  const pid_t found = waitpid(-1, nullptr, WNOHANG);
  std::printf("waitpid %d %s, %d signals\n", found, std::strerror(errno),
              static_cast<int>(ended_children));
}

// Until it is killed.
void launch_and_stay(const Words& names) {
  launch(names);
  for (;;) pause();
}

void launch_in_capture(const Words& names) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  void* out = nullptr;
  check(cudaMalloc(&out, sizeof(int)), "cudaMalloc");
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  void* arguments[] = {&out};
  check(cudaLaunchKernel(kernels().at(names.at(0)), {1, 1, 1}, {1, 1, 1}, arguments, 0, stream),
        "cudaLaunchKernel");
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  check(cudaGraphInstantiateWithFlags(&exec, graph, 0), "cudaGraphInstantiate");
  check(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  int result = 0;
  check(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::printf("graph %d\n", result);
}

// What a program that this one starts has open.
void list_descriptors(const Words& names) {
  launch(names);
  if (fork() == 0) {
    execl("/bin/sh", "sh", "-c", "for file in /proc/$$/fd/*; do readlink $file; done", nullptr);
    _exit(1);
  }
  wait(nullptr);
}

// As daemons do. What is opened then has the numbers of what was closed.
void close_all(const Words& names) {
  print_result(names.at(0));
  for (int number = 3; number < 256; ++number) close(number);
  std::vector<int> files;
  for (int i = 0; i < 16; ++i) files.push_back(open("/dev/null", O_RDWR));
  print_result(names.at(1));
  bool are_open = true;
  for (const int file : files) are_open = are_open && write(file, "", 1) == 1;
  std::printf("%s\n", are_open ? "still open" : "closed");
}

// The second kernel meets a process that can open nothing more.
void use_all_descriptors(const Words& names) {
  print_result(names.at(0));
  std::vector<int> files;
  for (int file = 0; (file = open("/dev/null", O_RDWR)) >= 0;) files.push_back(file);
  print_result(names.at(1));
  for (const int file : files) close(file);
  print_result(names.at(2));
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(const Words&)> acts = {
      {"launch", launch},          {"threads", launch_in_threads}, {"ask", ask_about},
      {"fork", launch_after_fork}, {"child", leave_child},         {"wait", wait_for_children},
      {"stay", launch_and_stay},   {"capture", launch_in_capture}, {"list", list_descriptors},
      {"close", close_all},        {"full", use_all_descriptors},  {"meanwhile", launch_meanwhile}};
  const Module a, b, c;
  a.kernel(&a_same, "_Z4samePi");
  a.kernel(&a_unnamed, "_ZN32_GLOBAL__N__" A_CU "7unnamedEPi");
  a.variable(&a_value, "value", sizeof a_value);
  b.kernel(&b_same, "_Z4samePi");
  b.kernel(&b_unnamed, "_ZN36_GLOBAL__N__" B_CU "7unnamedEPi");
  b.kernel(&alone, "_Z5alonePi");
  b.kernel(&plain, "_Z5plainPi");
  b.kernel(&absent, "_Z6absentPi");
  c.kernel(&untold, "_Z6untoldPi");
  acts.at(argc > 1 ? argv[1] : "")(Words(argv + 2, argv + argc));
  return 0;
}
