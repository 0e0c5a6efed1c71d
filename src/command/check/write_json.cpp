#include <map>
#include <nlohmann/json.hpp>

#include "src/command/check/check.h"

namespace torchada::check {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Report& report, const NeededSymbol& symbol) {
  Json out = {{"name", symbol.name},
              {"version", symbol.version},
              {"weak", symbol.weak},
              {"looked_up", symbol.looked_up},
              {"standing", standing_of(report, symbol)},
              {"reason", symbol.symbol && !served_by_kernel_libraries(report, symbol)
                             ? symbol.symbol->because().view()
                             : ""}};
  if (!symbol.lines.empty()) out["lines"] = symbol.lines;
  return out;
}

Json json_of(const Report& report, const NeededLibrary& library) {
  Json out = {{"asked", library.asked},
              {"soname", library.library ? Json(library.library->soname) : Json()},
              {"majors", library.library ? Json(library.library->majors) : Json()},
              {"listed", library.listed},
              {"symbols", Json::array()}};
  for (const NeededSymbol& symbol : library.symbols) {
    out["symbols"].push_back(json_of(report, symbol));
  }
  return out;
}

Json json_of(const OtherNeeded& other) {
  Json out = {
      {"name", other.name},       {"what", other.library->what}, {"advice", other.library->advice},
      {"listed", other.listed},   {"opened", other.opened},      {"found", other.found},
      {"headers", other.headers}, {"functions", Json::array()}};
  for (const OtherNeeded::Function& function : other.functions) {
    out["functions"].push_back({{"name", function.name}, {"lines", function.lines}});
  }
  return out;
}

Json json_of(const DeviceCode& device) {
  Json out = {{"skipped", device.skipped},
              {"fat_binaries", device.skipped ? Json() : Json(device.binaries)},
              {"launches", device.launches},
              {"damage", device.damage},
              {"images", Json::array()}};
  for (const DeviceImages& image : device.images) {
    out["images"].push_back({{"kind", image.kind},
                             {"architecture", image.architecture},
                             {"flags", image.flags},
                             {"count", image.count},
                             {"compressed", image.compressed}});
  }
  out["kernels"] = Json::array();
  for (const Kernel& kernel : device.kernels) out["kernels"].push_back(json_of(kernel));
  out["kernels_unknown"] = device.unknown;
  return out;
}

Json json_of(const Report& report, bool program) {
  Json out = {{"path", report.path},
              {"kind", report.kind},
              {"verdict", word_of(report.verdict)},
              {"reasons", report.reasons},
              {"remedies", report.remedies},
              {"libraries", Json::array()},
              {"other_libraries", Json::array()},
              {"opens", report.opens},
              {"refused_values", Json::array()},
              {"loads", Json::array()},
              {"not_examined", report.unexamined},
              {"soname", report.soname},
              {"rpath", report.rpath},
              {"runpath", report.runpath},
              {"static_runtime", report.static_runtime},
              {"stops", report.stops},
              {"works", report.works},
              {"decides", report.in_named || !program},
              {"device_code", json_of(report.device)},
              {"launches", report.launches}};
  for (const NeededLibrary& library : report.libraries) {
    out["libraries"].push_back(json_of(report, library));
  }
  for (const OtherNeeded& other : report.others) out["other_libraries"].push_back(json_of(other));
  for (const RefusedValue& value : report.refused) {
    out["refused_values"].push_back(
        {{"name", value.name}, {"why", value.why}, {"lines", value.lines}});
  }
  for (const Loaded& load : report.loads) {
    out["loads"].push_back({{"name", load.name},
                            {"path", load.path},
                            {"line", load.line},
                            {"how", load.how},
                            {"verdict", word_of(load.verdict)},
                            {"reason", load.reason}});
  }
  return out;
}

}  // namespace

Json json_of(const Kernel& kernel) {
  const auto path = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"name", kernel.kernel.name},
          {"signature", kernel.kernel.signature},
          {"library", path(kernel.place.path)},
          {"also_in", path(kernel.place.also_in)},
          {"doubtful", kernel.place.doubtful}};
}

Json write_json(const Result& result, const Shown& shown) {
  Json out = {{"verdict", word_of(result.whole())}, {"files", result.files.size()}};
  const bool program = result.names_program();
  std::map<std::string, int> counts;
  for (const Report& report : result.reports) ++counts[word_of(report.verdict)];
  out["counts"] = counts;
  out["reports"] = Json::array();
  for (const Report& report : result.reports) {
    if (report.verdict == Verdict::kNothing && !shown.all) continue;
    out["reports"].push_back(json_of(report, program));
  }
  return out;
}

}  // namespace torchada::check
