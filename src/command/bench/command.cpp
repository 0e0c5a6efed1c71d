// torchada bench
#include "src/command/command.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "src/command/backend_choice.h"
#include "src/command/bench/measure.h"
#include "src/command/common_options.h"
#include "src/command/installation.h"
#include "src/command/messages.h"
#include "src/command/output.h"

namespace torchada {
namespace {

using bench::Row;
using Json = nlohmann::ordered_json;

constexpr int kMostRounds = 1000;

struct Options {
  std::string format;
  int rounds = 7;
  BackendOptions backend;
};
Options options;

const Row* find(const std::vector<Row>& rows, const std::string& name) {
  for (const Row& row : rows) {
    if (row.name == name && row.samples > 0) return &row;
  }
  return nullptr;
}

// The ratio to the row it is compared with. None if either was not measured.
std::optional<double> ratio(const std::vector<Row>& rows, const Row& row) {
  const Row* base = row.of.empty() ? &row : find(rows, row.of);
  if (!base || base->median <= 0 || row.samples == 0) return std::nullopt;
  return row.median / base->median;
}

std::string write_text(const std::vector<Row>& rows) {
  std::string out;
  char line[256];
  std::snprintf(line, sizeof line, "%-20s %-44s %12s %8s\n", "", "", "median", "ratio");
  out += line;
  for (const Row& row : rows) {
    if (row.samples == 0) {
      std::snprintf(line, sizeof line, "%-20s %-44s %12s %8s  ", row.name.c_str(), row.what.c_str(),
                    "-", "-");
      out += line + row.missing + "\n";
      continue;
    }
    const std::optional<double> to_base = ratio(rows, row);
    char number[32] = "-";
    if (to_base) std::snprintf(number, sizeof number, "%.2f", *to_base);
    std::snprintf(line, sizeof line, "%-20s %-44s %9.1f %s %8s\n", row.name.c_str(),
                  row.what.c_str(), row.median, row.unit.c_str(), number);
    out += line;
  }
  return out;
}

std::string write_json(const std::vector<Row>& rows, bool stand_in) {
  Json out = {{"stand_in", stand_in}, {"rows", Json::array()}};
  for (const Row& row : rows) {
    const bool there = row.samples > 0;
    const std::optional<double> to_base = ratio(rows, row);
    out["rows"].push_back({{"name", row.name},
                           {"what", row.what},
                           {"unit", row.unit},
                           {"median", there ? Json(row.median) : Json()},
                           {"of", row.of},
                           {"ratio", to_base ? Json(*to_base) : Json()},
                           {"samples", row.samples},
                           {"missing", row.missing}});
  }
  return json_text(out);
}

int run_bench(const Invocation& invocation) {
  if (options.rounds < 1 || options.rounds > kMostRounds) {
    throw UsageError("--rounds=" + std::to_string(options.rounds) +
                     ": expected a number from 1 to " + std::to_string(kMostRounds));
  }
  const BackendChoice choice = choose_backend(options.backend, invocation);
  if (choice.backend == Backend::kNone)
    throw Failure("no MUSA found, and no CPU stand-in; name a MUSA installation with --musa-root");
  const bool stand_in = choice.backend == Backend::kStandIn;
  if (stand_in)
    log_info("measuring on the CPU stand-in: the ratios show the cost of the calls alone");
  const std::string root = installation_root();
  const verify::Facts facts(root);
  const std::vector<Row> rows = bench::measure(root, choice.musart, facts, options.rounds);
  return write_output(options.format == "json" ? write_json(rows, stand_in) : write_text(rows),
                      kExitOk);
}

std::vector<Option> bench_options() {
  std::vector<Option> out = {
      format_option(&options.format, {"text", "json"}),
      {"rounds", Kind::kNumber, "N", "number of samples; the median is shown", &options.rounds}};
  for (const Option& option : backend_options(&options.backend)) out.push_back(option);
  return out;
}

}  // namespace

const Command& bench_command() {
  static const Command command = {
      "bench",
      "measure what a call costs through torchada",
      "",
      Words::kNone,
      Kind::kText,
      {"Measures the same call side by side on this machine: directly in MUSA, through torchada's "
       "library, through an adapter, with tracing, and from Python. Also measures how long each "
       "library takes to load. The first call of a symbol, which looks up its target, is not "
       "included. Compare ratios rather than times: the times of a row and of its baseline vary "
       "together."},
      bench_options(),
      {{kExitOk, "measured"},
       {kExitUsage, "bad usage"},
       {kExitFailed,
        "neither MUSA nor the stand-in was found, or the output could not be written"}},
      {{"bench", "a table"}, {"bench --rounds=31 --format=json", "more samples, as JSON"}},
      run_bench};
  return command;
}

}  // namespace torchada
