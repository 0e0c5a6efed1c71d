// A program to trace; the first word selects what it does.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  float x, y;
} cuComplex;

int cudaMalloc(void** pointer, size_t size);
int cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
int cudaHostAlloc(void** pointer, size_t size, unsigned flags);
int cudaFree(void* pointer);
int cudaFreeHost(void* pointer);
int cudaGetDeviceCount(int* count);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
int cudaStreamQuery(void* stream);
int cudaStreamSynchronize(void* stream);
int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data);
int cudaStreamAddCallback(void* stream, void (*function)(void*, int, void*), void* data,
                          unsigned flags);
const char* cudaGetErrorString(int error);
int cudaMemcpy(void* to, const void* from, size_t size, int kind);
int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                     unsigned long long flags, int* result);

static void expect(int is_good, const char* what) {
  if (is_good) return;
  fprintf(stderr, "client: %s\n", what);
  exit(9);
}

static int threads, calls;

// Each call has a different argument.
static void* many_calls(void* index) {
  for (int i = 0; i < calls; ++i) {
    expect(cudaGetErrorString(1000000 + (int)(long)index * calls + i) != NULL, "no text");
  }
  return NULL;
}

static int run_threads(char** words) {
  threads = atoi(words[0]);
  calls = atoi(words[1]);
  pthread_t each[64];
  for (long i = 0; i < threads; ++i) pthread_create(&each[i], NULL, many_calls, (void*)i);
  for (int i = 0; i < threads; ++i) pthread_join(each[i], NULL);
  return 0;
}

// Exported, so that the report can name it; not inlined, so that it exists.
__attribute__((noinline)) void forgets_what_it_allocates(size_t size) {
  void* pointer = NULL;
  expect(cudaMalloc(&pointer, size) == 0, "cudaMalloc");
  __asm__ volatile("" ::: "memory");  // Not a tail call.
}

static int run_leak(void) {
  void *pointer = NULL, *host = NULL;
  expect(cudaMalloc(&pointer, 5000) == 0, "cudaMalloc");
  forgets_what_it_allocates(3000);
  forgets_what_it_allocates(40);
  expect(cudaFree(pointer) == 0, "cudaFree");
  expect(cudaHostAlloc(&host, 600, 0) == 0, "cudaHostAlloc");
  expect(cudaFreeHost(host) == 0, "cudaFreeHost");
  expect(cudaFree((void*)0x1234) != 0, "cudaFree of nothing");
  size_t pitch = 0;
  expect(cudaMallocPitch(&pointer, &pitch, 100, 7) == 0, "cudaMallocPitch");
  printf("pitch %zu\n", pitch);
  return 0;
}

static char token[] = "token";
static int from_host_function;

void on_host_function(void* data) {
  errno = EDOM;  // The program must not see this.
  from_host_function = data == token;
}

void on_stream(void* stream, int status, void* data) {
  (void)stream;
  from_host_function += status == 0 && data == token ? 10 : 0;
}

static int run_callbacks(void) {
  expect(cudaLaunchHostFunc(NULL, on_host_function, token) == 0, "cudaLaunchHostFunc");
  expect(cudaStreamAddCallback(NULL, on_stream, token, 0) == 0, "cudaStreamAddCallback");
  expect(cudaStreamSynchronize(NULL) == 0, "cudaStreamSynchronize");
  expect(from_host_function == 11, "callbacks got other arguments");
  return 0;
}

// Finds functions of the driver through the runtime, and calls them.
static int run_driver(void) {
  int (*init)(unsigned) = NULL;
  int (*count)(int*) = NULL;
  int answer = -1, found = 0;
  expect(cudaGetDriverEntryPointByVersion("cuInit", (void**)&init, 12000, 0, &answer) == 0 && init,
         "no cuInit");
  expect(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", (void**)&count, 12000, 0, &answer) ==
                 0 &&
             count,
         "no cuDeviceGetCount");
  expect(count(&found) == 3, "cuDeviceGetCount works before cuInit");
  expect(init(0) == 0 && count(&found) == 0 && found > 0, "cuDeviceGetCount");
  return 0;
}

// errno belongs to the program.
static int run_errno(void) {
  int count = 0;
  errno = EXDEV;
  expect(cudaGetDeviceCount(&count) == 0 && count > 0, "cudaGetDeviceCount");
  expect(errno == EXDEV, "errno came back changed by a first call");
  errno = ENOTTY;
  expect(cudaGetDeviceCount(&count) == 0, "cudaGetDeviceCount");
  expect(errno == ENOTTY, "errno came back changed");
  return 0;
}

static int run_fork(char** words) {
  int count = 0;
  if (strcmp(words[0], "after") == 0) cudaGetErrorString(1);
  const pid_t child = fork();
  if (child == 0) {
    cudaGetErrorString(77);
    if (strcmp(words[1], "exec") == 0) {
      execl("/proc/self/exe", "client", "calls", "88", (char*)NULL);
      _exit(3);
    }
    _exit(cudaGetDeviceCount(&count) == 0 || strcmp(words[0], "after") == 0 ? 0 : 4);
  }
  int status = 0;
  waitpid(child, &status, 0);
  cudaGetErrorString(2);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
}

static int run_calls(char** words) {
  for (; *words; ++words) cudaGetErrorString(atoi(*words));
  return 0;
}

static void at_the_end(void) { cudaGetErrorString(99); }

static void* exits(void* how) {
  cudaGetErrorString(55);
  if (strcmp(how, "exit") == 0) exit(0);
  if (strcmp(how, "_exit") == 0) _exit(0);
  if (strcmp(how, "abort") == 0) abort();
  kill(getpid(), SIGKILL);
  return NULL;
}

static int run_end(char** words) {
  pthread_t thread;
  cudaGetErrorString(1);
  atexit(at_the_end);
  pthread_create(&thread, NULL, exits, words[0]);
  pthread_join(thread, NULL);
  return 1;
}

// Closes everything but the standard streams, as daemons do, and opens files of its own.
static int run_closes(char** words) {
  cudaGetErrorString(1);
  for (int i = 3; i < 1024; ++i) close(i);
  FILE* own[600];
  int count = 0;
  for (; count < 600; ++count) {
    own[count] = fopen(words[0], "a");
    if (!own[count]) break;
  }
  cudaGetErrorString(2);
  return count > 500 ? 0 : 6;
}

static void* waits(void* data) {
  cudaStreamSynchronize(NULL);
  return data;
}

static void never_ends(void* data) {
  (void)data;
  usleep(300000);
  raise(SIGKILL);
}

static int run_stuck(void) {
  pthread_t thread;
  cudaLaunchHostFunc(NULL, never_ends, NULL);
  pthread_create(&thread, NULL, waits, NULL);
  pthread_join(thread, NULL);
  return 1;
}

static int run_values(void) {
  void* pointer = NULL;
  expect(cudaMalloc(&pointer, 1024) == 0, "cudaMalloc");
  printf("%p %p\n", (void*)&pointer, pointer);
  cudaMemcpy(pointer, "text", 4, 1);
  cudaGetErrorString(2);
  cudaMemcpy(NULL, NULL, 5, 7);
  return 0;
}

// Like a container whose rules refuse process_vm_readv.
static int run_denied(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  expect(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  expect(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0, "seccomp");
  char byte;
  struct iovec local = {&byte, 1}, remote = {token, 1};
  expect(process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == -1, "not refused");
  return run_values();
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  char** words = argv + 2;
  if (strcmp(what, "threads") == 0) return run_threads(words);
  if (strcmp(what, "leak") == 0) return run_leak();
  if (strcmp(what, "callbacks") == 0) return run_callbacks();
  if (strcmp(what, "driver") == 0) return run_driver();
  if (strcmp(what, "errno") == 0) return run_errno();
  if (strcmp(what, "fork") == 0) return run_fork(words);
  if (strcmp(what, "calls") == 0) return run_calls(words);
  if (strcmp(what, "end") == 0) return run_end(words);
  if (strcmp(what, "closes") == 0) return run_closes(words);
  if (strcmp(what, "stuck") == 0) return run_stuck();
  if (strcmp(what, "values") == 0) return run_values();
  if (strcmp(what, "denied") == 0) return run_denied();
  fprintf(stderr, "client: unknown word '%s'\n", what);
  return 2;
}
