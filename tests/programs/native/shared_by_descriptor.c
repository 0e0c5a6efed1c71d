// Two processes share device memory: one makes it and sends its descriptor through a socket, the
// other takes it and answers in the memory.
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cuda_prototypes.h"
#include "virtual_memory.h"

enum { kBytes = 3 << 20, kWords = kBytes / 4 };

static void* memory_at(CUdeviceptr address) { return (void*)(uintptr_t)address; }

static int send_descriptor(int socket, int descriptor) {
  char byte = 'd';
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.room;
  message.msg_controllen = sizeof control.room;
  struct cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
}

static int receive_descriptor(int socket) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.room;
  message.msg_controllen = sizeof control.room;
  int descriptor = -1;
  if (recvmsg(socket, &message, 0) != 1) return -1;
  const struct cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header) memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

// The words of a process, and whether those of the other one have arrived.
static uint32_t words[kWords];

static void write_words(CUdeviceptr address, uint32_t first) {
  for (uint32_t i = 0; i < kWords; ++i) words[i] = first + i;
  check_equal("cudaMemcpy", 0, cudaMemcpy(memory_at(address), words, kBytes, kHostToDevice));
}

static void check_words(const char* what, CUdeviceptr address, uint32_t first) {
  memset(words, 0, sizeof words);
  check_equal("cudaMemcpy", 0, cudaMemcpy(words, memory_at(address), kBytes, kDeviceToHost));
  long long wrong = 0;
  for (uint32_t i = 0; i < kWords; ++i) wrong += words[i] != first + i;
  check_equal(what, 0, wrong);
}

static int run_taker(int socket) {
  Piece piece = {0};
  check_equal("start", 0, start());
  const int descriptor = receive_descriptor(socket);
  check_equal("a descriptor arrived", 1, descriptor >= 0);
  check_equal(
      "cuMemImportFromShareableHandle", 0,
      cuMemImportFromShareableHandle(&piece.handle, (void*)(intptr_t)descriptor, kDescriptor));
  close(descriptor);  // The memory stays.
  check_equal("reserve", 0, reserve(&piece, kBytes));
  check_equal("map", 0, map(&piece));
  check_words("words of the maker that differ", piece.address, 1000);
  write_words(piece.address, 2000);
  check_equal("give back", 0, give_back(&piece));
  check_equal("cuMemAddressFree", 0, cuMemAddressFree(piece.address, piece.size));
  return failures != 0;
}

int main(void) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 2;
  const pid_t taker = fork();  // Before either uses the driver.
  if (taker == 0) return run_taker(sockets[1]);
  Piece piece = {0};
  int descriptor = -1, ended = -1;
  check_equal("start", 0, start());
  check_equal("reserve", 0, reserve(&piece, kBytes));
  check_equal("take", 0, take(&piece, kDescriptor));
  write_words(piece.address, 1000);
  check_equal("cuMemExportToShareableHandle", 0,
              cuMemExportToShareableHandle(&descriptor, piece.handle, kDescriptor, 0));
  check_equal("send", 0, send_descriptor(sockets[0], descriptor));
  close(descriptor);
  check_equal("waitpid", taker, waitpid(taker, &ended, 0));
  check_equal("the other process ended with", 0, ended);
  check_words("words of the taker that differ", piece.address, 2000);
  check_equal("give back", 0, give_back(&piece));
  check_equal("cuMemAddressFree", 0, cuMemAddressFree(piece.address, piece.size));
  puts("shared");
  return failures != 0;
}
