#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "src/command/command.h"
#include "src/command/doctor/prepare.h"

namespace torchada::doctor {
namespace {

namespace fs = std::filesystem;

constexpr char kDeleted[] = " (deleted)";

// Reads a whole file of /proc.
std::string read_proc(const std::string& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.is_open() && !in.bad() && !(text.empty() && errno != 0)) return text;
  const int error = errno;
  throw Failure(path + ": " + std::strerror(error == 0 ? EIO : error) +
                (error == EACCES || error == EPERM
                     ? "; run torchada doctor as the user of the process, or as root"
                     : ""));
}

// Each line is "ADDRESSES RIGHTS OFFSET DEVICE INODE   PATH".
std::string path_of(const std::string& line) {
  const std::size_t slash = line.find('/');
  return slash == std::string::npos ? "" : line.substr(slash);
}

// Whether it is code. The audit module maps one page of libcudart for programs that read this list;
// the process has not loaded that file.
bool is_code(const std::string& line) {
  const std::size_t rights = line.find(' ');
  return rights != std::string::npos && line.substr(rights + 1, 4).find('x') != std::string::npos;
}

}  // namespace

void prepare_process(int pid, Subject* subject) {
  const std::string folder = "/proc/" + std::to_string(pid);
  if (!fs::exists("/proc/self")) {
    throw Failure("--pid reads /proc, which is not mounted; mount it: mount -t proc proc /proc");
  }
  if (!fs::exists(folder)) throw Failure("--pid=" + std::to_string(pid) + ": no such process");
  subject->mode = Mode::kProcess;
  subject->files = Files(folder + "/root");
  const std::string maps = read_proc(folder + "/maps");
  const std::string variables = read_proc(folder + "/environ");
  if (maps.empty()) {
    throw Failure("process " + std::to_string(pid) +
                  " has no mapped files: it is a kernel thread, or it has ended");
  }
  for (std::size_t at = 0; at < variables.size();) {
    const std::size_t end = std::min(variables.find('\0', at), variables.size());
    const std::string entry = variables.substr(at, end - at);
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos) {
      subject->environment.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    at = end + 1;
  }
  std::error_code error;
  subject->word = "process " + std::to_string(pid);
  subject->program = fs::read_symlink(folder + "/exe", error);
  if (error) throw Failure(folder + "/exe: " + error.message());
  subject->started = subject->program;
  subject->has_program = subject->files.has(subject->program);  // False if the file was deleted.
  std::set<std::string> seen;
  std::istringstream in(maps);
  for (std::string line; std::getline(in, line);) {
    const std::string path = path_of(line);
    if (path.find(".so") == std::string::npos || path == subject->program) continue;
    if (!is_code(line) || !seen.insert(path).second) continue;
    const std::size_t deleted = path.rfind(kDeleted);
    if (deleted != std::string::npos && deleted + sizeof kDeleted - 1 == path.size()) {
      subject->replaced.push_back(path.substr(0, deleted));
    } else {
      subject->objects.push_back({base_name_of(path), path, "mapped"});
    }
  }
}

}  // namespace torchada::doctor
