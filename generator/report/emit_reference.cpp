#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "generator/decide/reference_rows.h"
#include "generator/decide/settling.h"
#include "generator/emit/emit.h"
#include "generator/report/check.h"
#include "generator/report/reference.h"

namespace torchada {
namespace {

constexpr std::size_t kMostUsed = 400;
constexpr int kNameMapVersion = 1;

// The text of a cell in a Markdown table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string json_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string majors_text(const std::vector<int>& majors) {
  std::string out;
  for (const int major : majors) out += (out.empty() ? "" : " ") + std::to_string(major);
  return out;
}

// One text per target, without repetition, in their order.
template <typename Text>
std::string each(const std::vector<ReferenceTarget>& targets, Text text) {
  std::vector<std::string> seen;
  std::string out;
  for (const ReferenceTarget& target : targets) {
    const std::string word = text(target);
    if (contains(seen, word)) continue;
    seen.push_back(word);
    out += (out.empty() ? "" : ", ") + word;
  }
  return out;
}

class Reference {
 public:
  explicit Reference(const Tables& tables)
      : tables_(tables),
        rows_(reference_rows(tables)),
        settling_(tables),
        ranking_(tables.clients) {
    for (const ReferenceRow& row : rows_) by_name_[row.library + "," + row.symbol].push_back(&row);
  }

  std::string readme() const {
    std::ostringstream out;
    out << "# Reference\n\n"
           "Written by `torchada-gen reference` from the tables in `mappings/`. This project has "
           "not "
           "run on MUSA\nhardware: all facts about MUSA come from public evidence, whose strength "
           "is "
           "in the column `tier`.\n\n"
           "| file | contents |\n|---|---|\n";
    for (const ReplacementLibrary& library : tables_.registry.libraries) {
      out << "| [" << library.name << ".md](" << library.name << ".md) | every export of "
          << library.stem << " |\n";
    }
    out << "| [clients.md](clients.md) | the functions that programs use, the most used first |\n"
           "| [assumptions.md](assumptions.md) | calls that rely on evidence weaker than `doc`, "
           "and the "
           "reason |\n"
           "| [names.json](names.json) | CUDA's names and MUSA's, for tools that port sources |\n\n"
           "## Columns\n\n"
           "| column | meaning |\n|---|---|\n"
           "| CUDA | the CUDA major versions of this row |\n"
           "| decision | `direct`: the call is a jump to MUSA's function. `adapted`: a generated "
           "adapter converts what differs. `delegated`: another export does the work. `emulated`: "
           "torchada's code does the work. `recorded`: returns a recorded text. "
           "`unsupported`, `no_image`: returns the library's error |\n"
           "| standing | `supported`: the evidence has tier `doc` or better, also for types and "
           "numbers. `assumed`: some evidence is weaker, and none contradicts |\n"
           "| MUSA | the functions that a call may reach |\n"
           "| SDK | the versions of the MUSA SDK that this row is about |\n"
           "| tier | evidence that the function exists, strongest first: hardware, sdk, nm, code, "
           "decl, doc, cbid |\n\n"
           "## names.json\n\n"
           "`format` is `torchada-name-map`; `version` is "
        << kNameMapVersion
        << " and changes if the meaning of a field changes or a field is removed. `names` is "
           "sorted by\n"
           "`library`, `cuda` and the first of `majors`; each export of each major version is in "
           "exactly "
           "one entry.\n\n"
           "| field | type | meaning |\n|---|---|---|\n"
           "| `library` | string | the name of its page |\n"
           "| `cuda` | string | the exported name |\n"
           "| `majors` | list of numbers | CUDA majors |\n"
           "| `decision`, `standing` | string | as in the tables |\n"
           "| `targets` | list | MUSA's functions; empty if a call reaches none |\n"
           "| `targets[].musa` | string | name in source |\n"
           "| `targets[].link_name` | string | exported name, if C++ mangles it |\n"
           "| `targets[].adapter` | boolean | whether arguments or results must be converted: "
           "replacing the name is not enough |\n"
           "| `targets[].sdk_from`, `sdk_before` | string or null | the first SDK version that has "
           "it, and the first one that no longer has it |\n"
           "| `targets[].tier` | string | evidence that it exists |\n"
           "| `note` | string | the reason, if any |\n\n"
           "## Counts\n\n```\n"
        << format_counts(tables_, check_tables(tables_)) << "```\n";
    return out.str();
  }

  std::string library(const std::string& name) const {
    std::ostringstream out;
    out << "# lib" << name << "\n\n"
        << "| symbol | CUDA | decision | standing | MUSA | SDK | tier | note |\n"
           "|---|---|---|---|---|---|---|---|\n";
    for (const ReferenceRow& row : rows_) {
      if (row.library != name) continue;
      out << "| " << code(row.symbol) << " | " << majors_text(row.majors) << " | " << row.decision
          << " | " << standing_name(row.standing) << " | " << targets_text(row) << " | "
          << cell(each(row.targets,
                       [](const ReferenceTarget& target) { return sdk_range_text(target.sdk); }))
          << " | "
          << each(row.targets, [](const ReferenceTarget& target) { return tier_name(target.tier); })
          << " | " << cell(remarks(row)) << " |\n";
    }
    return out.str();
  }

  std::string assumptions() const {
    std::ostringstream out;
    out << "# Assumptions\n\nFunctions that call MUSA although some evidence about them is weaker "
           "than tier `doc`. Of each, what is\nassumed is the fact with the weakest evidence. "
           "`fact` is its name. `settled by` is the probe of\n`torchada verify` that decides it on "
           "a "
           "machine with MUSA.\n\n## Among the "
        << kMostUsed << " functions that programs use most\n\n"
        << "| rank | function | library | CUDA | what is assumed | fact | settled by |\n"
           "|---|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < ranking_.size() && i < kMostUsed; ++i) {
      for (const ReferenceRow* row : rows_of(ranking_[i])) {
        if (row->standing != Standing::kAssumed) continue;
        out << "| " << i + 1 << " | " << code(row->symbol) << " | " << row->library << " | "
            << majors_text(row->majors) << " | " << cell(row->note) << " | ";
        const Settled settled = settling_.by(row->missing);
        out << code(settled.fact) << " | "
            << (settled.probe.empty() ? "no probe: " + cell(settled.none_for) : code(settled.probe))
            << " |\n";
      }
    }
    for (const ReplacementLibrary& library : tables_.registry.libraries) {
      all_assumptions(library.name, &out);
    }
    return out.str();
  }

  // One row per function of the ranking, with "-" if none of our libraries exports it.
  std::string clients() const {
    std::ostringstream out;
    out << "# What programs use\n\n"
           "Standing in each CUDA major version. `by evidence` is the counterpart in MUSA that "
           "evidence "
           "of tier `doc` or\nbetter shows, even if torchada does not call it.\n\n"
           "| rank | function | library | clients | 11 | 12 | 13 | by evidence | tier | note |\n"
           "|---|---|---|---|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < ranking_.size(); ++i) {
      const RankedSymbol& ranked = ranking_[i];
      out << "| " << i + 1 << " | " << code(ranked.symbol) << " | " << ranked.library << " | "
          << ranked.clients;
      std::set<std::string> notes;
      for (const int major : {11, 12, 13}) {
        std::string standing = "-";
        for (const ReferenceRow* row : rows_of(ranked)) {
          for (const int own : row->majors) {
            if (own != major) continue;
            standing = standing_name(row->standing);
            if (!row->note.empty()) notes.insert(row->note);
          }
        }
        out << " | " << standing;
      }
      std::string note;
      for (const std::string& text : notes) note += (note.empty() ? "" : "; ") + text;
      const MusaSymbol* musa = evident_counterpart(tables_, ranked.library, ranked.symbol);
      out << " | " << (musa ? code(musa->name) : "") << " | " << (musa ? tier_name(musa->tier) : "")
          << " | " << cell(note) << " |\n";
    }
    return out.str();
  }

  std::string names() const {
    std::ostringstream out;
    out << "{\n  \"format\": \"torchada-name-map\",\n  \"version\": " << kNameMapVersion
        << ",\n  \"names\": [";
    bool is_first = true;
    for (const ReferenceRow& row : rows_) {
      out << (is_first ? "\n    " : ",\n    ");
      is_first = false;
      name(row, &out);
    }
    out << "\n  ]\n}\n";
    return out.str();
  }

 private:
  const std::vector<const ReferenceRow*>& rows_of(const RankedSymbol& ranked) const {
    static const std::vector<const ReferenceRow*> kNone;
    const auto found = by_name_.find(ranked.library + "," + ranked.symbol);
    return found == by_name_.end() ? kNone : found->second;
  }

  static std::string targets_text(const ReferenceRow& row) {
    return each(row.targets, [](const ReferenceTarget& target) { return code(target.name); });
  }

  void all_assumptions(const std::string& library, std::ostringstream* out) const {
    std::map<std::string, std::vector<const ReferenceRow*>> by_note;
    for (const ReferenceRow& row : rows_) {
      if (row.library == library && row.standing == Standing::kAssumed) {
        by_note[row.note].push_back(&row);
      }
    }
    if (by_note.empty()) return;
    *out << "\n## lib" << library << "\n\n| what is assumed | functions |\n|---|---|\n";
    for (const auto& [note, rows] : by_note) {
      *out << "| " << cell(note) << " |";
      for (const ReferenceRow* row : rows) {
        *out << " " << code(row->symbol) << " (" << majors_text(row->majors) << ")";
      }
      *out << " |\n";
    }
  }

  static std::string sdk_or_null(int version, int open) {
    return version == open ? "null" : json_string(sdk_text(version));
  }

  static void name(const ReferenceRow& row, std::ostringstream* out) {
    *out << "{\"library\": " << json_string(row.library)
         << ", \"cuda\": " << json_string(row.symbol) << ", \"majors\": [";
    for (std::size_t i = 0; i < row.majors.size(); ++i) {
      *out << (i ? ", " : "") << row.majors[i];
    }
    *out << "], \"decision\": " << json_string(row.decision)
         << ", \"standing\": " << json_string(standing_name(row.standing)) << ", \"targets\": [";
    const SdkRange any;
    for (std::size_t i = 0; i < row.targets.size(); ++i) {
      const ReferenceTarget& target = row.targets[i];
      *out << (i ? ", " : "") << "{\"musa\": " << json_string(target.name)
           << ", \"link_name\": " << json_string(target.link_name)
           << ", \"adapter\": " << (target.has_adapter ? "true" : "false")
           << ", \"sdk_from\": " << sdk_or_null(target.sdk.from, any.from)
           << ", \"sdk_before\": " << sdk_or_null(target.sdk.to, any.to)
           << ", \"tier\": " << json_string(tier_name(target.tier)) << "}";
    }
    *out << "], \"note\": " << json_string(remarks(row)) << "}";
  }

  const Tables& tables_;
  const std::vector<ReferenceRow> rows_;
  const Settling settling_;
  const std::vector<RankedSymbol>& ranking_;
  std::map<std::string, std::vector<const ReferenceRow*>> by_name_;
};

}  // namespace

void emit_reference(const Tables& tables, const std::string& directory) {
  const std::filesystem::path root(directory);
  const Reference reference(tables);
  write_if_changed(root / "README.md", reference.readme());
  for (const ReplacementLibrary& library : tables.registry.libraries) {
    write_if_changed(root / (library.name + ".md"), reference.library(library.name));
  }
  write_if_changed(root / "assumptions.md", reference.assumptions());
  write_if_changed(root / "clients.md", reference.clients());
  write_if_changed(root / "names.json", reference.names());
}

}  // namespace torchada
