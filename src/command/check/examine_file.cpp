#include <stdexcept>

#include "src/command/check/check.h"
#include "src/inspect/archive_reader.h"
#include "src/inspect/mapped_file.h"
#include "src/inspect/source_names.h"

namespace torchada::check {
namespace {

// A Debian package is an archive of archives. Nothing useful is nested deeper.
constexpr int kDeepest = 3;

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
    const std::string damage =
        read_archive(bytes, ArchiveLimits(), worth_a_look,
                     [&](const std::string& name, std::string_view member) {
                       examine_bytes(path + "!" + name, member, standings, options, depth + 1, out);
                     });
    if (!damage.empty()) out.push_back(unreadable(path, "archive", damage));
  }
}

std::vector<Report> examine_file(const std::string& path, bool named, const Standings& standings,
                                 const Options& options) {
  std::vector<Report> out;
  try {
    const MappedFile file(path);
    const bool known = worth_a_look(path, file.bytes());
    if (named && !known) {
      // A wheel that is not a zip file is only a bad wheel.
      const char* reason = file.bytes().empty()
                               ? "empty file"
                               : "not an ELF file, a known archive or a known source file";
      out.push_back(unreadable(path, "file", reason));
    } else if (!named && path.ends_with(".whl") && !known) {
      out.push_back(unreadable(path, "archive", "not a zip archive"));
    } else {
      examine_bytes(path, file.bytes(), standings, options, 0, out);
    }
  } catch (const std::runtime_error& error) {
    out.push_back(unreadable(path, "file", error.what()));
  }
  for (Report& report : out) {
    report.in_archive = report.path != path;
    report.named = named && !report.in_archive;
  }
  return out;
}

}  // namespace torchada::check
