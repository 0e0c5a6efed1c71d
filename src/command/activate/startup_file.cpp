#include "src/command/activate/startup_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "src/command/command.h"
#include "src/command/variables.h"

namespace torchada::activate {
namespace {

namespace fs = std::filesystem;

fs::path home() {
  const fs::path out = environment_variable("HOME");
  if (!out.is_absolute())
    throw Failure("HOME is not set to an absolute path; name the file with --file");
  return out;
}

fs::path zsh_folder() {
  const fs::path out = environment_variable("ZDOTDIR");
  return out.is_absolute() ? out : home();
}

// In the order in which bash looks for them. It reads only the first that exists.
constexpr const char* kBashFiles[] = {".bash_profile", ".bash_login", ".profile"};

[[noreturn]] void fail(const fs::path& file, const char* what, int error) {
  throw Failure(file.string() + ": " + what + ": " + std::strerror(error));
}

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

void write_all(int descriptor, const std::string& text, const fs::path& file) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = write(descriptor, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) fail(file, "cannot be written", errno);
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  if (fsync(descriptor) != 0) fail(file, "cannot be written", errno);
}

// Gives the descriptor the mode and owner of `file`, or those of a new file.
void like(const fs::path& file, int descriptor) {
  struct stat present = {};
  if (stat(file.c_str(), &present) == 0) {
    if (fchown(descriptor, present.st_uid, present.st_gid) != 0 && geteuid() == 0) {
      fail(file, "cannot be written", errno);
    }
    if (fchmod(descriptor, present.st_mode & 07777) != 0) fail(file, "cannot be written", errno);
    return;
  }
  const mode_t mask = umask(0);
  umask(mask);
  if (fchmod(descriptor, 0666 & ~mask) != 0) fail(file, "cannot be written", errno);
}

}  // namespace

fs::path startup_file() {
  const std::string shell = fs::path(environment_variable("SHELL")).filename();
  if (shell == "zsh") return zsh_folder() / ".zprofile";
  if (shell == "fish" || shell == "csh" || shell == "tcsh") {
    throw UsageError(
        shell + " does not read sh start-up files; name a file with --file, or use 'torchada run'");
  }
  const fs::path folder = home();
  if (shell == "bash") {
    for (const char* name : kBashFiles) {
      if (is_there(folder / name)) return folder / name;
    }
  }
  return folder / ".profile";
}

std::vector<fs::path> startup_files() {
  std::vector<fs::path> out;
  const fs::path folder = home();
  for (const char* name : kBashFiles) {
    if (is_there(folder / name)) out.push_back(folder / name);
  }
  if (is_there(folder / ".zprofile")) out.push_back(folder / ".zprofile");
  const fs::path zsh = zsh_folder() / ".zprofile";
  if (zsh != folder / ".zprofile" && is_there(zsh)) out.push_back(zsh);
  return out;
}

std::string read_startup_file(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return "";
  if (error) throw Failure(file.string() + ": " + error.message());
  if (!fs::is_regular_file(status)) throw Failure(file.string() + ": is not a regular file");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  // Reading an empty file sets only failbit of `text`.
  if (!in.is_open() || in.bad()) fail(file, "cannot be read", errno);
  return text.str();
}

void remove_startup_file(const fs::path& file) {
  std::error_code error;
  if (fs::is_symlink(file, error)) return write_startup_file(file, "");
  if (!fs::remove(file, error) && error)
    throw Failure(file.string() + ": cannot be removed: " + error.message());
}

void write_startup_file(const fs::path& file, const std::string& text) {
  std::error_code error;
  // Some users keep these files elsewhere and link to them.
  fs::path target = fs::weakly_canonical(file, error);
  if (error) target = file;
  std::string temporary = target.string() + ".torchada-XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) fail(file, "cannot be written", errno);
  try {
    like(target, descriptor);
    write_all(descriptor, text, file);
    if (rename(temporary.c_str(), target.c_str()) != 0) fail(file, "cannot be replaced", errno);
  } catch (...) {
    close(descriptor);
    unlink(temporary.c_str());
    throw;
  }
  close(descriptor);
}

}  // namespace torchada::activate
