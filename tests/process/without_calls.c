// without_calls NUMBER... -- PROGRAM [ARGUMENTS]: runs the program in a sandbox (seccomp) that
// answers these system calls with EPERM. 98: the program cannot be started. 99: there is no seccomp
// here.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { kMost = 64 };

int main(int count, char** words) {
  struct sock_filter filter[2 * kMost + 2];
  unsigned short used = 0;
  int at = 1;
  filter[used++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (; at < count && at <= kMost && strcmp(words[at], "--") != 0; ++at) {
    const unsigned int number = (unsigned int)strtoul(words[at], NULL, 10);
    filter[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    filter[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  if (at + 1 >= count) {
    fprintf(stderr, "usage: without_calls NUMBER... -- PROGRAM [ARGUMENTS]\n");
    return 2;
  }
  filter[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {used, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("seccomp");
    return 99;
  }
  execvp(words[at + 1], words + at + 1);
  perror(words[at + 1]);
  return 98;
}
