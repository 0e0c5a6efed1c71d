#include <mutex>
#include <stdexcept>

#include "src/command/check/check.h"
#include "src/inspect/archive_reader.h"
#include "src/inspect/large_elf.h"
#include "src/inspect/mapped_file.h"
#include "src/inspect/source_names.h"

namespace torchada::check {
namespace {

// A Debian package is an archive of archives. Nothing useful is nested deeper.
constexpr int kDeepest = 3;

// Of an archive in an archive, whose directory of members may be at its end.
constexpr std::uint64_t kLargestNested = std::uint64_t{256} << 20;

bool is_elf(std::string_view bytes) { return bytes.starts_with("\177ELF"); }

bool worth_a_look(const std::string& path, std::string_view bytes) {
  return is_elf(bytes) || source_language(path, bytes) != SourceLanguage::kNone ||
         is_archive(path, bytes);
}

Report unreadable(const std::string& path, const char* kind, const std::string& reason) {
  Report out;
  out.path = path;
  out.kind = kind;
  out.verdict = Verdict::kUnreadable;
  out.reasons = {reason};
  return out;
}

Report not_examined(const std::string& path, const char* kind, const std::string& reason) {
  Report out;
  out.path = path;
  out.kind = kind;
  out.unexamined = {reason};
  return out;
}

const char* why_unknown(std::string_view bytes) {
  if (bytes.empty()) return "empty file";
  if (bytes.starts_with("#!")) {
    return "a script that is not Python: name the program that it starts, or ask torchada doctor "
           "-- SCRIPT";
  }
  return "not an ELF file, a known archive or a known source file";
}

// A member above ArchiveLimits::whole.
void examine_large(const std::string& path, MemberStream& member, const Standings& standings,
                   const Options& options, int depth, std::vector<Report>& out) {
  // One at a time: the memory must not grow with --jobs. An archive may be in another one.
  static std::recursive_mutex large;
  const std::lock_guard<std::recursive_mutex> lock(large);
  std::vector<char> begin;
  if (!member.read(begin)) return;  // The archive's own report says why.
  const std::string_view first(begin.data(), begin.size());
  if (is_elf(first)) {
    bool begins = true;
    const auto read = [&](std::vector<char>& piece) {
      if (!begins) return member.read(piece);
      begins = false;
      piece.swap(begin);
      std::vector<char>().swap(begin);
      return true;
    };
    LargeElfLimits limits;
    limits.kernel_names = options.kernels;
    try {
      read_large_elf(
          read, [&member] { return member.restart(); }, limits,
          [&](std::string_view bytes) {
            out.push_back(examine_elf(path, bytes, standings, options));
          });
    } catch (const LargeElfError& error) {
      out.push_back(not_examined(path, "ELF", error.what()));
    }
    return;
  }
  if (!is_archive(path, first)) {
    out.push_back(not_examined(path, "source", "a source of more than 32 MiB"));
    return;
  }
  std::vector<char> piece;
  while (begin.size() <= kLargestNested && member.read(piece)) {
    begin.insert(begin.end(), piece.begin(), piece.end());
  }
  if (begin.size() > kLargestNested) {
    out.push_back(not_examined(path, "archive",
                               "an archive of more than 256 MiB in an archive: unpack the outer "
                               "one, and check the files"));
    return;
  }
  examine_bytes(path, {begin.data(), begin.size()}, standings, options, depth, out);
}

}  // namespace

void examine_bytes(const std::string& path, std::string_view bytes, const Standings& standings,
                   const Options& options, int depth, std::vector<Report>& out) {
  if (is_elf(bytes)) {
    out.push_back(examine_elf(path, bytes, standings, options));
  } else if (source_language(path, bytes) != SourceLanguage::kNone) {
    out.push_back(examine_source(path, bytes, standings, options));
  } else if (is_archive(path, bytes)) {
    if (depth >= kDeepest) {
      out.push_back(unreadable(path, "archive", "archives are nested too deeply"));
      return;
    }
    ArchiveVisitor visitor;
    visitor.wants = worth_a_look;
    visitor.visit = [&](const std::string& name, std::string_view member) {
      examine_bytes(path + "!" + name, member, standings, options, depth + 1, out);
    };
    visitor.visit_large = [&](const std::string& name, MemberStream& member) {
      examine_large(path + "!" + name, member, standings, options, depth + 1, out);
    };
    const std::string damage = read_archive(bytes, ArchiveLimits(), visitor);
    if (!damage.empty()) out.push_back(unreadable(path, "archive", damage));
  }
}

std::vector<Report> examine_file(const std::string& path, bool named, const Standings& standings,
                                 const Options& options) {
  std::vector<Report> out;
  try {
    bool known = false;
    const MappedFile file(path, [&](std::string_view begin) {
      known = worth_a_look(path, begin);
      return known;
    });
    if (named && !known) {
      // A wheel that is not a zip file is only a bad wheel.
      out.push_back(unreadable(path, "file", why_unknown(file.bytes())));
    } else if (!named && path.ends_with(".whl") && !known) {
      out.push_back(unreadable(path, "archive", "not a zip archive"));
    } else if (!named && is_elf(file.bytes())) {
      out.push_back(examine_elf(path, file.bytes(), standings, options, OwnDeviceCode::kSkip));
    } else if (known) {
      examine_bytes(path, file.bytes(), standings, options, 0, out);
    }
  } catch (const std::runtime_error& error) {
    out.push_back(unreadable(path, "file", error.what()));
  }
  for (Report& report : out) {
    report.in_archive = report.path != path;
    report.named = named && !report.in_archive;
    report.in_named = named;
  }
  return out;
}

}  // namespace torchada::check
