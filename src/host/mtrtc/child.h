// A process that compiles.
#pragma once

#include <string>
#include <vector>

namespace host_mtrtc {

struct Child {
  std::vector<std::string> words;
  std::string temporary_folder;  // its TMPDIR
};

// Runs it to its end and appends what it says to `log`, up to 1 MiB. Returns why it did not come to
// its end, or nothing: whether it did its work, its files tell. It is ended after as many seconds
// as TORCHADA_HOST_COMPILE_SECONDS says (600 if nothing, 0: no limit); and it ends itself when this
// process ends, or when a terminal's interrupt reaches both.
std::string run(const Child& child, std::string* log);

}  // namespace host_mtrtc
