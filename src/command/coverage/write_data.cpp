// JSON, CSV and Markdown.
#include <nlohmann/json.hpp>

#include "src/command/coverage/coverage.h"
#include "src/command/output.h"

namespace torchada::coverage {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::optional<int>& value) { return value ? Json(*value) : Json(); }

Json json_of(const LibraryRow& row) {
  Json out;
  out["library"] = row.library->name;
  out["majors"] = row.library->majors;
  out["soname"] = row.library->soname;
  out["file"] = row.library->file();
  out["offered"] = row.library->offered;
  out["real"] = row.real;
  out["ours"] = json_of(row.ours);
  for (std::size_t i = 0; i < kStandingNames.size(); ++i) out[kStandingNames[i]] = row.standings[i];
  out["present"] = json_of(row.present);
  return out;
}

Json json_of(const LibraryRow& library, const SymbolRow& row) {
  Json out;
  out["soname"] = library.library->soname;
  out["symbol"] = row.symbol->name;
  out["standing"] = standing_name(row.symbol->standing);
  out["rank"] = row.symbol->rank == 0 ? Json() : Json(row.symbol->rank);
  out["decision"] = row.symbol->decision;
  out["target"] = row.symbol->target;
  Json sdk = Json::array();
  for (const tables::SdkRange& range : row.symbol->sdk) sdk.push_back(tables::written(range));
  out["sdk"] = sdk;
  out["tier"] = row.target ? row.target->tier.view() : "";
  out["present"] =
      row.presence == Presence::kUnknown ? Json() : Json(row.presence == Presence::kPresent);
  out["reason"] = row.reason();
  out["missing"] = row.symbol->missing;
  out["probe"] = row.symbol->probe;
  out["no_probe"] = row.symbol->no_probe;
  out["sources"] = row.target ? Json(row.target->sources) : Json::array();
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) out += (i ? "," : "") + csv_field(fields[i]);
  return out + "\n";
}

std::string markdown_line(const std::vector<std::string>& fields) {
  std::string out = "|";
  for (const std::string& field : fields) {
    out += ' ';
    for (const char c : field) out += c == '|' ? "\\|" : std::string(1, c);
    out += " |";
  }
  return out + "\n";
}

std::string number_or_nothing(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "";
}

std::vector<std::string> count_heads() {
  std::vector<std::string> out = {"soname", "library", "majors", "real", "ours"};
  out.insert(out.end(), kStandingNames.begin(), kStandingNames.end());
  out.emplace_back("present");
  out.emplace_back("offered");
  return out;
}

// "11 12"
std::string joined(const tables::List<int>& majors) {
  std::string out;
  for (const int major : majors) out += (out.empty() ? "" : " ") + std::to_string(major);
  return out;
}

std::vector<std::string> count_fields(const LibraryRow& row) {
  std::vector<std::string> out = {row.library->soname, row.library->name,
                                  joined(row.library->majors), std::to_string(row.real),
                                  number_or_nothing(row.ours)};
  for (const int count : row.standings) out.push_back(std::to_string(count));
  out.push_back(number_or_nothing(row.present));
  out.push_back(row.library->offered);
  return out;
}

std::vector<std::string> symbol_fields(const SymbolRow& row) {
  return {row.symbol->name,
          standing_name(row.symbol->standing),
          row.symbol->target,
          row.target ? row.target->tier : std::string(),
          presence_name(row.presence),
          row.reason(),
          row.symbol->missing,
          row.symbol->settled_by(),
          row.sources()};
}

}  // namespace

std::string write_json(const Coverage& coverage, bool symbols) {
  Json out;
  out["musa"] = Json();
  if (coverage.musa) {
    Json libraries = Json::object();
    for (const auto& [name, file] : coverage.musa->libraries) {
      libraries[name]["path"] = file.path;
      libraries[name]["exports"] = file.exports.size();
      if (!file.error.empty()) libraries[name]["error"] = file.error;
    }
    out["musa"] = {{"root", coverage.musa->root},
                   {"sdk", coverage.musa->sdk},
                   {"stand_in", coverage.musa->is_stand_in},
                   {"libraries", libraries}};
  }
  out["libraries"] = Json::array();
  for (const LibraryRow& row : coverage.libraries) out["libraries"].push_back(json_of(row));
  if (symbols) {
    out["symbols"] = Json::array();
    for (const LibraryRow& row : coverage.libraries) {
      for (const SymbolRow& symbol : row.symbols) out["symbols"].push_back(json_of(row, symbol));
    }
  }
  return json_text(out);
}

std::string write_csv(const Coverage& coverage, bool symbols) {
  if (!symbols) {
    std::string out = csv_line(count_heads());
    for (const LibraryRow& row : coverage.libraries) out += csv_line(count_fields(row));
    return out;
  }
  std::string out = csv_line({"soname", "symbol", "standing", "target", "tier", "present", "reason",
                              "missing", "settled by", "sources"});
  for (const LibraryRow& row : coverage.libraries) {
    for (const SymbolRow& symbol : row.symbols) {
      std::vector<std::string> fields = symbol_fields(symbol);
      fields.insert(fields.begin(), row.library->soname);
      out += csv_line(fields);
    }
  }
  return out;
}

std::string write_markdown(const Coverage& coverage, bool symbols) {
  std::string out = "# Coverage\n\n" + described(coverage.musa) + "\n\n";
  const std::vector<std::string> heads = count_heads();
  out += markdown_line(heads) + markdown_line(std::vector<std::string>(heads.size(), "---"));
  for (const LibraryRow& row : coverage.libraries) out += markdown_line(count_fields(row));
  if (!symbols) return out;
  for (const LibraryRow& row : coverage.libraries) {
    if (row.symbols.empty()) continue;
    out += "\n## " + row.library->soname + "\n\n" +
           markdown_line({"symbol", "standing", "target", "tier", "present", "reason", "missing",
                          "settled by", "source"}) +
           markdown_line(std::vector<std::string>(9, "---"));
    for (const SymbolRow& symbol : row.symbols) out += markdown_line(symbol_fields(symbol));
  }
  return out;
}

std::string write_changes(const std::vector<Change>& changes, const MusaFiles& before,
                          const MusaFiles& after, const std::string& format) {
  if (format == "json") {
    Json out;
    out["before"] = {{"root", before.root}, {"sdk", before.sdk}};
    out["after"] = {{"root", after.root}, {"sdk", after.sdk}};
    out["gained"] = out["lost"] = Json::array();
    for (const Change& change : changes) {
      out[change.gained ? "gained" : "lost"].push_back(
          {{"soname", change.library->soname},
           {"symbol", change.symbol->name},
           {"standing", standing_name(change.symbol->standing)},
           {"target", change.symbol->target}});
    }
    return json_text(out);
  }
  const std::vector<std::string> heads = {"change", "soname", "symbol", "standing", "target"};
  std::string out;
  if (format == "csv") {
    out = csv_line(heads);
  } else {
    out = described(before) + "\n" + described(after) + "\n\n";
    if (format == "markdown")
      out += markdown_line(heads) + markdown_line(std::vector<std::string>(heads.size(), "---"));
  }
  std::size_t gained = 0;
  for (const Change& change : changes) {
    gained += change.gained ? 1 : 0;
    const std::string& target = change.symbol->target;
    const std::vector<std::string> fields = {change.gained ? "gained" : "lost",
                                             change.library->soname, change.symbol->name,
                                             standing_name(change.symbol->standing), target};
    if (format == "csv") {
      out += csv_line(fields);
    } else if (format == "markdown") {
      out += markdown_line(fields);
    } else {
      out += (change.gained ? "+ " : "- ") + change.library->soname + " " + change.symbol->name +
             (target.empty() ? "" : " -> " + target) + " (" +
             standing_name(change.symbol->standing) + ")\n";
    }
  }
  if (format == "text") {
    out +=
        std::to_string(gained) + " gained, " + std::to_string(changes.size() - gained) + " lost\n";
  }
  return out;
}

}  // namespace torchada::coverage
