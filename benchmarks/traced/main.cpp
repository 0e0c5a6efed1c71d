// What tracing, and a profiler, add to a call.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <unistd.h>

#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

#include "benchmarks/fresh_process.h"
#include "benchmarks/program.h"
#include "benchmarks/results.h"
#include "benchmarks/samples.h"

namespace {

constexpr double kExpected = 300;  // Nanoseconds for a counted call.
constexpr int kTitleWidth = 44, kCellWidth = 24;

struct Mode {
  const char* name;
  const char* title;
  std::string trace;     // TORCHADA_TRACE; empty: not traced.
  const char* calls;     // Number of calls in the loop.
  const char* profiler;  // As callers.cpp has it; null: none.
};

bench::Samples samples;

const std::vector<Mode>& modes() {
  static const std::vector<Mode> kModes = {
      {"untraced", "through the library", "", "20000", nullptr},
      {"summary", "counted (TORCHADA_TRACE=summary)", "summary:/dev/null", "1000", nullptr},
      {"text", "written as text, to nowhere", "text:/dev/null", "100", nullptr},
      {"json", "written as JSON, to nowhere", "json:/dev/null", "100", nullptr},
      {"subscribed", "a profiler subscribed to nothing", "", "20000", "subscribed"},
      {"called", "a profiler called before and after", "", "1000", "called"},
      {"recorded", "a profiler with a record of each", "", "1000", "recorded"}};
  return kModes;
}

void measure(const Mode& mode, benchmark::State* state) {
  for (auto _ : *state) {
    if (mode.trace.empty()) {
      unsetenv("TORCHADA_TRACE");
    } else {
      setenv("TORCHADA_TRACE", mode.trace.c_str(), 1);
    }
    std::vector<std::string> command = {BENCH_CALLERS, mode.calls};
    if (mode.profiler) command.insert(command.end(), {BENCH_CUPTI, mode.profiler});
    const std::vector<double> numbers = bench::numbers_from(command, 2);
    samples.add(mode.name, "ns", numbers[0]);
    samples.add(mode.name, "ratio", numbers[0] / numbers[1]);
    state->SetIterationTime(numbers[0] * 1e-9);
  }
}

std::string cell(const char* name, const char* quantity) {
  const bench::Spread value = samples.spread(name, quantity);
  if (value.median == 0) return "-";
  std::ostringstream out;
  out << std::fixed << std::setprecision(1) << value.median << " (" << value.low << "-"
      << value.high << ")";
  return out.str();
}

void write_table(std::ostream& out) {
  out << "\nMedian (quartiles) of one call; ratios to direct calls of MUSA's function, made in "
         "turn.\n"
      << std::left << std::setw(kTitleWidth) << "" << std::setw(kCellWidth) << "ns"
      << "ratio\n";
  for (const Mode& mode : modes()) {
    out << std::setw(kTitleWidth) << mode.title << std::setw(kCellWidth) << cell(mode.name, "ns")
        << cell(mode.name, "ratio") << "\n";
    bench::save_result(mode.title, "ratio", "ratio", samples.spread(mode.name, "ratio"));
    const bool is_counted = mode.name == std::string("summary");
    bench::save_result(mode.title, "call", "ns", samples.spread(mode.name, "ns"),
                       {is_counted ? kExpected : 0});
  }
  out << "Expected at most: " << kExpected << " ns counted. "
      << (samples.spread("summary", "ns").median > kExpected ? "Missed in this run.\n"
                                                             : "Met in this run.\n");
}

int run(int argc, char** argv) {
  if (!bench::initialize(argc, argv, 20)) return 2;
  bench::stay_on_this_core();
  setenv("TORCHADA_MUSA_PATH", BENCH_ROOT, 1);
  setenv("TORCHADA_LOG", "off", 1);
  unsetenv("TORCHADA_TRACE_FILTER");
  for (const Mode& mode : modes()) {
    const auto body = [&mode](benchmark::State& state) { measure(mode, &state); };
    benchmark::RegisterBenchmark((std::string("traced/") + mode.name).c_str(), body)
        ->UseManualTime()
        ->Iterations(1);
  }
  benchmark::RunSpecifiedBenchmarks();
  if (!samples.empty()) write_table(bench::stdout_is_data(argc, argv) ? std::cerr : std::cout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::report_errors("torchada_traced_benchmarks", run, argc, argv);
}
