#include "src/command/recipes/download.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "src/command/command.h"
#include "src/command/recipes/child.h"
#include "src/command/recipes/say.h"

namespace torchada::recipes {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKeyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

bool has_hash(const std::string& file, const Fetched& item) {
  return fs::exists(file) && sha256_of(file) == item.sha256;
}

bool has_succeeded(int status) {
  return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path);
  out << text << std::flush;
  if (!out) throw Failure(path.string() + " cannot be written");
}

// apt-get with lists and state of our own: it needs no root, and the system's own sources stay as
// they are. It checks the signatures of the archive.
std::vector<std::string> apt_get(const std::string& state) {
  std::vector<std::string> out = {"apt-get", "-o", "Dir::Etc::SourceList=/dev/null"};
  for (const char* const option :
       {"Dir::Etc::SourceParts=%/parts", "Dir::State=%/state", "Dir::State::Lists=%/lists",
        "Dir::Cache=%/cache", "Debug::NoLocking=1", "APT::Get::List-Cleanup=0"}) {
    std::string text = option;
    if (const std::size_t at = text.find('%'); at != std::string::npos) text.replace(at, 1, state);
    out.insert(out.end(), {"-o", text});
  }
  // Its account for downloads could not write to the user's folder.
  if (geteuid() == 0) out.insert(out.end(), {"-o", "APT::Sandbox::User=root"});
  return out;
}

bool bring_from_debian(const Fetched& item, const std::string& folder, const std::string& tools) {
  if (item.debian_source.empty() || !is_program("apt-get") || !fs::exists(kKeyring)) return false;
  const std::string state = tools + "/" + item.debian_suite;
  for (const char* const name : {"/lists/partial", "/cache/archives/partial", "/state"}) {
    fs::create_directories(state + name);
  }
  write(state + "/state/status", "");
  write(state + "/parts/torchada.sources",
        "Types: deb-src\nURIs: http://deb.debian.org/debian\nSuites: " + item.debian_suite +
            "\nComponents: main\nSigned-By: " + kKeyring + "\n");
  std::vector<std::string> update = apt_get(state);
  update.emplace_back("update");
  if (!has_succeeded(run_shown(update, folder))) return false;
  std::vector<std::string> source = apt_get(state);
  source.insert(source.end(), {"--download-only", "--only-source", "source",
                               item.debian_source + "=" + item.debian_version});
  return has_succeeded(run_shown(source, folder)) && has_hash(folder + "/" + item.file, item);
}

bool bring_from(const std::string& url, const std::string& file, const std::string& folder) {
  if (is_program("curl")) {
    return has_succeeded(run_shown({"curl", "--fail", "--location", "--retry", "3", "--continue-at",
                                    "-", "--output", file, "--", url},
                                   folder));
  }
  if (is_program("wget")) {
    return has_succeeded(
        run_shown({"wget", "--continue", "--output-document=" + file, "--", url}, folder));
  }
  throw Failure("neither curl nor wget is installed; install one, or download " + url +
                " and give it with --from");
}

void bring_archive(const Fetched& item, const std::string& folder, const std::string& tools) {
  if (bring_from_debian(item, folder, tools)) return;
  const std::string part = folder + "/" + item.file + ".part";
  for (const std::string& url : item.urls) {
    if (!has_hash(part, item) && !bring_from(url, part, folder)) {
      say(url + " could not be downloaded");
      continue;
    }
    const std::string found = sha256_of(part);
    if (found == item.sha256) {
      fs::rename(part, folder + "/" + item.file);
      return;
    }
    fs::remove(part);
    say(url + ": its SHA-256 is " + found + ", expected " + item.sha256);
  }
  throw Failure(item.file +
                " was not found where the recipe says; get it elsewhere (its SHA-256 is " +
                item.sha256 + ") and give it with --from");
}

// pip checks the hash.
void bring_wheel(const Fetched& item, const std::string& folder) {
  const std::string list = folder + "/requirements.txt";
  write(list, item.wheel + " --hash=sha256:" + item.sha256 + "\n");
  std::vector<std::string> words = {"python3",
                                    "-m",
                                    "pip",
                                    "download",
                                    "--disable-pip-version-check",
                                    "--no-deps",
                                    "--require-hashes",
                                    "--only-binary=:all:"};
  words.insert(words.end(), item.tags.begin(), item.tags.end());
  words.insert(words.end(), {"--dest", folder, "--requirement", list});
  if (!is_program("python3")) throw Failure("python3 is not installed; it brings " + item.wheel);
  if (!has_succeeded(run_shown(words, folder))) {
    throw Failure("pip could not bring " + item.wheel + "; its messages are above");
  }
}

// The one of the folder's files that has the hash. Empty if none has.
std::string file_with_hash(const Fetched& item, const std::string& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const bool is_partial = entry.path().extension() == ".part";
    if (entry.is_regular_file() && !is_partial && has_hash(entry.path(), item)) return entry.path();
  }
  return "";
}

}  // namespace

std::string sha256_of(const std::string& file) {
  std::atomic<int> child{0};
  const ChildEnd end = run_child({"sha256sum", "--", file}, &child);
  if (!has_succeeded(end.status)) return "";
  // A name with a backslash or a newline is written in another form, which begins so.
  const std::size_t begin = end.messages.starts_with('\\') ? 1 : 0;
  return end.messages.substr(begin, end.messages.find(' ') - begin);
}

std::string download(const Fetched& item, const std::string& folder, const std::string& tools) {
  std::string file = file_with_hash(item, folder);
  if (!file.empty()) return file;
  if (item.wheel.empty()) {
    bring_archive(item, folder, tools);
  } else {
    bring_wheel(item, folder);
  }
  file = file_with_hash(item, folder);
  if (file.empty())
    throw Failure((item.wheel + item.file) + " was not brought with the SHA-256 " + item.sha256);
  return file;
}

}  // namespace torchada::recipes
