#include "src/command/recipes/unpack.h"

#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "src/command/command.h"
#include "src/inspect/archive_reader.h"
#include "src/inspect/mapped_file.h"

namespace torchada::recipes {
namespace {

namespace fs = std::filesystem;

// The name below the folder; empty if the member is not wanted, or would be elsewhere.
std::string wanted_name(const Fetched& item, const std::string& name) {
  fs::path path;
  int skipped = 0;
  for (const fs::path& part : fs::path(name).lexically_normal()) {
    if (part == ".." || part == "/") return "";
    if (skipped++ >= item.strip) path /= part;
  }
  const std::string out = path;
  if (out.empty() || out.ends_with('/')) return "";
  const bool is_wanted =
      item.only.empty() ||
      std::any_of(item.only.begin(), item.only.end(), [&](const std::string& each) {
        return fnmatch(each.c_str(), out.c_str(), 0) == 0;
      });
  return is_wanted ? out : "";
}

class NewFile {
 public:
  explicit NewFile(const fs::path& path) : path_(path) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    out_.open(path, std::ios::binary | std::ios::trunc);
    check();
  }
  void write(const char* bytes, std::size_t size) {
    out_.write(bytes, static_cast<std::streamsize>(size));
    check();
  }
  void end() {
    out_.close();
    check();
  }

 private:
  void check() const {
    if (!out_) throw Failure(path_.string() + " cannot be written: " + std::strerror(errno));
  }

  fs::path path_;
  std::ofstream out_;
};

}  // namespace

int unpack(const std::string& archive, const Fetched& item, const std::string& folder) {
  int count = 0;
  ArchiveVisitor visitor;
  visitor.wants = [&](const std::string& name, std::string_view) {
    return !wanted_name(item, name).empty();
  };
  visitor.visit = [&](const std::string& name, std::string_view bytes) {
    NewFile out(fs::path(folder) / wanted_name(item, name));
    out.write(bytes.data(), bytes.size());
    out.end();
    ++count;
  };
  visitor.visit_large = [&](const std::string& name, MemberStream& stream) {
    NewFile out(fs::path(folder) / wanted_name(item, name));
    for (std::vector<char> piece; stream.read(piece);) out.write(piece.data(), piece.size());
    out.end();
    ++count;
  };
  const MappedFile file(archive);
  const std::string failure = read_archive(file.bytes(), ArchiveLimits(), visitor);
  if (!failure.empty()) throw Failure(archive + " cannot be unpacked: " + failure);
  if (count == 0) throw Failure(archive + " has none of the files that the recipe wants");
  return count;
}

}  // namespace torchada::recipes
