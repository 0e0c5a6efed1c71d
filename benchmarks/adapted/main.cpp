// Adapted calls against direct calls of the function that they reach, which does nothing.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/adapted/pairs.h"
#include "benchmarks/fresh_process.h"
#include "benchmarks/program.h"
#include "benchmarks/results.h"
#include "benchmarks/samples.h"

namespace {

constexpr double kExpected = 2.0;
constexpr int kTitleWidth = 40, kCellWidth = 22;

bench::Samples samples;

// Each measurement uses callers at the next distance: see benchmarks/CMakeLists.txt.
void measure(const bench::AdaptedPair& pair, int* turn, benchmark::State* state) {
  for (auto _ : *state) {
    const int variant = (*turn)++ % BENCH_VARIANTS;
    const std::vector<double> numbers =
        bench::numbers_from({BENCH_CALLERS + std::to_string(variant), pair.name}, 2);
    samples.add(pair.name, "ratio", numbers[0] / numbers[1]);
    samples.add(pair.name, "adapted", numbers[0]);
    samples.add(pair.name, "direct", numbers[1]);
    state->SetIterationTime(numbers[0] * 1e-9);
  }
}

std::string cell(const char* name, const char* quantity) {
  const bench::Spread value = samples.spread(name, quantity);
  if (value.median == 0) return "-";
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << value.median << " (" << value.low << "-"
      << value.high << ")";
  return out.str();
}

void write_table(std::ostream& out) {
  out << "\nMedian (quartiles); ratios to direct calls of MUSA's function, made in turn.\n"
      << std::left << std::setw(kTitleWidth) << "" << std::setw(kCellWidth) << "ratio"
      << std::setw(kCellWidth) << "adapted, ns"
      << "direct, ns\n";
  std::string missed;
  for (const bench::AdaptedPair& pair : bench::kAdaptedPairs) {
    out << std::setw(kTitleWidth) << pair.title << std::setw(kCellWidth) << cell(pair.name, "ratio")
        << std::setw(kCellWidth) << cell(pair.name, "adapted") << cell(pair.name, "direct") << "\n";
    const bool is_baseline = pair.name == std::string("direct");
    bench::save_result(pair.title, "ratio", "ratio", samples.spread(pair.name, "ratio"),
                       {is_baseline ? 0 : kExpected});
    bench::save_result(pair.title, "adapted", "ns", samples.spread(pair.name, "adapted"));
    if (samples.spread(pair.name, "ratio").median > kExpected) {
      missed += std::string(" ") + pair.name;
    }
  }
  out << "Expected at most: ratio " << std::fixed << std::setprecision(2) << kExpected << ". "
      << (missed.empty() ? "Met in this run.\n" : "Missed in this run:" + missed + "\n");
}

int run(int argc, char** argv) {
  if (!bench::initialize(argc, argv, 40)) return 2;
  bench::stay_on_this_core();
  setenv("TORCHADA_MUSA_PATH", BENCH_ROOT, 1);
  setenv("TORCHADA_LOG", "off", 1);
  bench::numbers_from({BENCH_CALLERS "0", "check"}, 0);
  static int turns[sizeof bench::kAdaptedPairs / sizeof *bench::kAdaptedPairs];
  int* turn = turns;
  for (const bench::AdaptedPair& pair : bench::kAdaptedPairs) {
    const auto body = [&pair, turn](benchmark::State& state) { measure(pair, turn, &state); };
    benchmark::RegisterBenchmark((std::string("adapted/") + pair.name).c_str(), body)
        ->UseManualTime()
        ->Iterations(1);
    ++turn;
  }
  benchmark::RunSpecifiedBenchmarks();
  if (!samples.empty()) write_table(bench::stdout_is_data(argc, argv) ? std::cerr : std::cout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::report_errors("torchada_adapted_benchmarks", run, argc, argv);
}
