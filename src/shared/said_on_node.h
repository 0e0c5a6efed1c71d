// Warnings of a job with several ranks: once per node, not once per rank. Header only: the
// libraries have no libstdc++.
#pragma once

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "src/shared/own_descriptor.h"
#include "src/shared/text.h"

namespace torchada {

// All ranks of a job have the same values, and other jobs of the node have others: torchrun and
// packaging/clusters/rank.sh, Slurm, PMIx (Open MPI, PRRTE).
inline constexpr const char* kJobVariables[] = {
    "MASTER_ADDR",  "MASTER_PORT",   "TORCHELASTIC_RUN_ID",
    "SLURM_JOB_ID", "SLURM_STEP_ID", "PMIX_NAMESPACE",
};

// FNV-1a, of `size` bytes more.
inline uint64_t more_hash(uint64_t hash, const void* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3;
  }
  return hash;
}

// The hash of what all ranks of this job and none of another have. 0 if no variable names a job.
inline uint64_t hash_of_job() {
  uint64_t hash = 0xcbf29ce484222325;
  bool is_job = false;
  for (const char* name : kJobVariables) {
    const char* value = secure_getenv(name);
    hash = more_hash(hash, name, 1);  // So that a value does not move to the next variable.
    if (!value || !*value) continue;
    is_job = true;
    hash = more_hash(hash, value, strlen(value) + 1);
  }
  if (!is_job) return 0;
  // Ranks that write into files of their own each have every line there.
  if (lseek(STDERR_FILENO, 0, SEEK_CUR) >= 0) {  // a file
    char path[1024];
    const ssize_t size = readlink("/proc/self/fd/2", path, sizeof path);
    if (size > 0) hash = more_hash(hash, path, static_cast<size_t>(size));
  }
  return hash;
}

// Whether a process of this job and this user on this node (in this network namespace) has printed
// `line` of `who` and still runs. If not, this process takes the line for itself: it keeps a socket
// with an abstract name, on which nothing is ever sent. The name goes with the process, however it
// ends, and there is no file that stays behind. In case of doubt the answer is no, and the line is
// printed once more. Leaves errno as it was.
inline bool is_said_on_node(const char* who, const char* line) {
  uint64_t hash = hash_of_job();
  if (hash == 0) return false;
  hash = more_hash(more_hash(hash, who, strlen(who) + 1), line, strlen(line));
  const int saved_errno = errno;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  Text<64> name;
  name << "torchada-said-" << static_cast<int64_t>(geteuid()) << "-"
       << static_cast<int64_t>(hash >> 1);
  memcpy(address.sun_path + 1, name.c_str(), name.size());  // A first byte of 0: no file.
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int keeper = above_standard(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  bool is_said = false;
  if (keeper >= 0 && bind(keeper, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    is_said = errno == EADDRINUSE;
    close(keeper);
  }
  errno = saved_errno;
  return is_said;
}

}  // namespace torchada
