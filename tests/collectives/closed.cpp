// closed ID_FILE RANKS RANK FOLDER: a rank that closes its descriptors 0, 1 and 2, works, opens
// files as its output, and works again. Its own output must arrive in these files and nowhere else,
// and nothing else in them.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/collectives/rank.h"

namespace {

// Ends the process with a status, because nobody can read a message.
[[noreturn]] void give_up(int status) { std::_Exit(status); }

// All descriptors that the process has, except `mine`.
void expect_only_high_ones(const std::vector<int>& mine) {
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) give_up(10);
  while (const dirent* const entry = readdir(folder)) {
    char* end = nullptr;
    const auto number = static_cast<int>(std::strtol(entry->d_name, &end, 10));
    if (end == entry->d_name || number == dirfd(folder)) continue;
    if (std::find(mine.begin(), mine.end(), number) != mine.end()) continue;
    if (number < 3) give_up(20 + number);
    if ((fcntl(number, F_GETFD) & FD_CLOEXEC) == 0) give_up(30);
  }
  closedir(folder);
}

void all_reduce(const Rank& rank) {
  const DeviceBytes value(encode(kInt32, rank.rank() + 1));
  if (ncclAllReduce(value.get(), value.get(), 1, kInt32, kSum, rank.comm(), rank.stream()) != 0) {
    give_up(11);
  }
  rank.wait();
  if (value.read() != encode(kInt32, rank.ranks() * (rank.ranks() + 1) / 2)) give_up(12);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  for (int number = 0; number < 3; ++number) close(number);
  Rank rank(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  all_reduce(rank);
  expect_only_high_ones({});
  const std::string base = std::string(argv[4]) + "/output." + argv[3] + ".";
  std::vector<int> files;
  for (const char* const name : {"in", "out", "error"}) {
    files.push_back(open((base + name).c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600));
    if (files.back() < 0) give_up(13);
  }
  for (int turn = 0; turn < 3; ++turn) {
    for (const int file : files) {
      if (write(file, "mine\n", 5) != 5) give_up(14);
    }
    all_reduce(rank);
  }
  expect_only_high_ones(files);
  rank.destroy();
  return 0;
}
