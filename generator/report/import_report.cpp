// torchada-gen import-report.
#include <nettle/sha2.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "generator/tables/fact_list.h"
#include "generator/tables/read_tables.h"
#include "generator/tables/reports.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

constexpr int kReportFormat = 1;                  // The report format of torchada verify.
constexpr char kStandInName[] = "torchada host";  // Part of its device's name.

std::string sha256_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, content.size(), reinterpret_cast<const std::uint8_t*>(content.data()));
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  std::string out;
  for (const std::uint8_t byte : digest) {
    constexpr char kDigits[] = "0123456789abcdef";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

// Quotes any text.
// Control characters, which YAML allows nowhere else, become escapes.
std::string quoted(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += ' ';
    } else if (byte < ' ' || byte == 0x7F) {
      out += std::string("\\x") + kDigits[byte / 16] + kDigits[byte % 16];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string list_of(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() == 1 ? "" : ", ") + quoted(item);
  return out + "]";
}

bool is_architecture(const std::string& text) {
  return text.starts_with("mp_") && text.size() > 3 &&
         text.find_first_not_of("0123456789", 3) == std::string::npos;
}

const std::set<std::string>& results() {
  static const std::set<std::string> kResults = {"confirmed", "contradicted", "absent",
                                                 "not probed"};
  return kResults;
}

// The part of a report about its origin. Only hardware confirms anything.
Report read_head(const YamlNode& root) {
  root.only({"format", "torchada", "date", "backend", "sdk", "runtime", "driver", "devices",
             "counts", "broken", "order", "results"});
  if (root.required("format").integer() != kReportFormat) {
    root.required("format").fail("this report comes from another version of torchada verify");
  }
  const YamlNode backend = root.required("backend");
  if (backend.text() != "musa") {
    backend.fail("a report of the CPU stand-in confirms nothing about MUSA");
  }
  Report out;
  out.torchada = root.required("torchada").text();
  out.date = root.required("date").text();
  out.sdk_text = root.required("sdk").text();
  out.sdk = read_sdk_version(root.required("sdk"));
  const YamlNode devices = root.required("devices");
  for (const YamlNode& device : devices.items()) {
    device.only({"name", "architecture"});
    const std::string name = device.required("name").text();
    const std::string chip = device.required("architecture").text();
    if (name.find(kStandInName) != std::string::npos) {
      device.fail("'" + name + "' is the CPU stand-in, which confirms nothing about MUSA");
    }
    // It becomes part of a file name.
    if (!is_architecture(chip))
      device.fail("expected an architecture of MUSA, for example mp_31, found '" + chip + "'");
    if (!contains(out.devices, name)) out.devices.push_back(name);
    if (!contains(out.chips, chip)) out.chips.push_back(chip);
  }
  return out;
}

class Import {
 public:
  Import(const std::string& mappings, std::ostream& out)
      : tables_(read_facts(mappings)), facts_(list_facts(&tables_)), out_(out) {
    for (const MusaFact& fact : facts_) by_id_[fact.id] = &fact;
  }

  void take(const YamlNode& item, Report* report) {
    item.only({"id", "result", "claim", "place", "tier", "expected", "found", "probe"});
    const ReportLine line = {item.required("id").text(), item.required("claim").text(),
                             item.text_or("expected", ""), item.text_or("found", ""), item.place()};
    const YamlNode node = item.required("result");
    const std::string result = node.text();
    if (results().count(result) == 0)
      node.fail("unknown result '" + result +
                "'; expected confirmed, contradicted, absent or not probed");
    if (!taken_.insert(line.id).second) item.fail("'" + line.id + "' appears twice");
    ++counts_[result];
    if (result == "not probed") return;
    if (result == "confirmed" && line.claim == kUnknownClaim) {
      item.fail("'" + line.id + "' makes no claim, so it cannot be confirmed");
    }
    const auto found = by_id_.find(line.id);
    if (found == by_id_.end() || found->second->claim != line.claim) {
      is_clean_ = false;
      out_ << "ignored: " << line.place.file << ":" << line.place.line << ": " << line.id
           << ": the tables say "
           << (found == by_id_.end() ? "nothing about it" : "'" + found->second->claim + "' now")
           << "\n";
      return;
    }
    if (!found->second->sdk.contains(report->sdk)) {
      item.fail("'" + line.id + "' is not about SDK " + report->sdk_text);
    }
    // Only these can be read from files.
    if (report->chips.empty() && found->second->kind != "symbol" &&
        found->second->kind != "soname") {
      item.fail("'" + line.id + "' needs a device, but the report names none");
    }
    if (result == "absent") {
      report->absent.push_back(line);
    } else if (result == "contradicted") {
      is_clean_ = false;
      report->contradicted.push_back(line);
      out_ << "contradicted: " << line.id << ": expected " << line.expected << ", found "
           << line.found << " (" << found->second->place.file << ":" << found->second->place.line
           << ", unchanged)\n";
    } else {
      report->confirmed.push_back(line);
      out_ << "confirmed: " << line.id << ": " << line.claim << " ("
           << tier_name(*found->second->tier) << ")\n";
    }
  }

  // If lines of a report were lost, doubled or changed, its counts no longer match.
  void refuse_other_counts(const YamlNode& counts) const {
    counts.only(results());
    for (const std::string& result : results()) {
      const auto found = counts_.find(result);
      const std::int64_t here = found == counts_.end() ? 0 : found->second;
      const YamlNode told = counts.required(result);
      if (told.integer() != here) {
        told.fail("the report counts " + told.text() + " facts " + result + ", but lists " +
                  std::to_string(here));
      }
    }
  }

  bool is_clean() const { return is_clean_; }

 private:
  Tables tables_;
  std::vector<MusaFact> facts_;
  std::map<std::string, const MusaFact*> by_id_;
  std::set<std::string> taken_;
  std::map<std::string, std::int64_t> counts_;  // By result.
  std::ostream& out_;
  bool is_clean_ = true;
};

void write_lines(std::ostream& out, const char* key, const std::vector<ReportLine>& lines) {
  if (lines.empty()) return;
  out << key << ":\n";
  for (const ReportLine& line : lines) {
    out << "- {id: " << quoted(line.id) << ", claim: " << quoted(line.claim);
    if (!line.expected.empty()) {
      out << ", expected: " << quoted(line.expected) << ", found: " << quoted(line.found);
    }
    out << "}\n";
  }
}

void write_report(const std::string& path, const Report& report) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream out(path, std::ios::binary);
  out << "# Written by torchada-gen import-report. Remove a line if its fact has been corrected "
         "since.\n"
      << "report: " << quoted(report.name) << "\nsha256: " << report.sha256
      << "\ntorchada: " << quoted(report.torchada) << "\ndate: " << quoted(report.date)
      << "\nsdk: " << quoted(report.sdk_text) << "\nchips: " << list_of(report.chips)
      << "\ndevices: " << list_of(report.devices) << "\n";
  write_lines(out, "confirmed", report.confirmed);
  write_lines(out, "contradicted", report.contradicted);
  write_lines(out, "absent", report.absent);
  out.close();
  if (!out) throw TableError({path, 0}, "cannot write");
}

}  // namespace

bool import_report(const std::string& file, const std::string& mappings, bool dry_run,
                   std::ostream& out) {
  const YamlNode root = load_yaml(file);
  Report report = read_head(root);
  report.sha256 = sha256_of(file);
  report.name = report.sdk_text + "-" + (report.chips.empty() ? "files" : report.chips.front()) +
                "-" + report.sha256.substr(0, 12);
  Import import(mappings, out);
  for (const YamlNode& item : root.required("results").items()) import.take(item, &report);
  import.refuse_other_counts(root.required("counts"));
  const std::string path = mappings + "/musa/reports/" + report.name + ".yaml";
  out << report.confirmed.size() << " confirmed, " << report.contradicted.size()
      << " contradicted, " << report.absent.size() << " assumed but not exported\n";
  if (dry_run) {
    out << "would write " << path << "\n";
  } else {
    write_report(path, report);
    out << "wrote " << path << "; now run torchada-gen check and torchada-gen validation\n";
  }
  return import.is_clean();
}

}  // namespace torchada
