// Calls through the replacement libraries against direct calls, side by side in one run: see
// README.md.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/fresh_process.h"
#include "benchmarks/program.h"
#include "benchmarks/report.h"
#include "benchmarks/samples.h"

namespace {

// A library under test, in the form that first_use takes.
struct Library {
  std::string path, list, prefix;
};

struct Design {
  bench::Row row;
  Library library;  // Without a path if only calls are measured.
  Library baseline;
  std::string calls;       // The name in callers; empty if only the load is measured.
  std::string other = "";  // A folder in which callers find the library first.
};

// The numbers of a design and of its baseline.
struct Pair {
  double ours, baseline;
};

bench::Samples samples;

// `callers` with another libcudart, if `folder` names one, is followed by the rest of `words`.
std::vector<std::string> callers(const std::string& folder, int variant,
                                 const std::vector<std::string>& words) {
  std::vector<std::string> command;
  if (!folder.empty()) command = {"/usr/bin/env", "LD_LIBRARY_PATH=" + folder};
  command.push_back(BENCH_CALLERS + std::to_string(variant));
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

std::string environment(const char* name) {
  const char* value = getenv(name);
  return value ? value : "";
}

std::vector<Design> list_designs() {
  const std::vector<double> counts = bench::numbers_from(callers("", 0, {"check"}), 3);
  const std::string all = std::to_string(static_cast<int>(counts[0])) + " functions";
  const std::string direct = ", its " + std::to_string(static_cast<int>(counts[1])) + " direct";
  const std::string used = ", the " + std::to_string(static_cast<int>(counts[2])) + " most used";
  const Library backend = {BENCH_BACKEND, "functions", ""};
  const Library targets = {BENCH_BACKEND, "targets", ""};
  std::vector<Design> designs = {
      {{"direct", "direct, " + all, false}, backend, backend, "direct"},
      {{"slot", "slot (torchada), " + all, true},
       {BENCH_SLOT, "functions", "slot_"},
       backend,
       "slot"},
      {{"compare", "compare and branch", false},
       {BENCH_COMPARE, "functions", "compare_"},
       backend,
       "compare"},
      {{"eager", "eager table", false}, {BENCH_EAGER, "functions", "eager_"}, backend, "eager"},
      {{"forwarder", "C++ forwarder", false},
       {BENCH_FORWARDER, "functions", "forwarder_"},
       backend,
       "forwarder"},
#ifdef BENCH_IMPLIB
      {{"implib", "Implib.so", false}, {BENCH_IMPLIB, "functions", "implib_"}, backend, "implib"},
#endif
      {{"cudart", BENCH_CUDART_NAME + direct, true},
       {BENCH_CUDART, "cudart", ""},
       targets,
       "cudart"},
      {{"used", BENCH_CUDART_NAME + used, true}, {}, {}, "used"},
  };
  // For a comparison with other builds, and with NVIDIA's library, which has no driver here.
  std::istringstream folders(environment("BENCHMARK_OTHER_CUDART"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    bench::numbers_from(callers(folder, 0, {"check"}), 3);
    designs.push_back({{folder, folder + direct, false},
                       {folder + "/" BENCH_CUDART_NAME, "cudart", ""},
                       targets,
                       "cudart",
                       folder});
    designs.push_back({{folder + " used", folder + used, false}, {}, {}, "used", folder});
  }
  const std::string nvidia = environment("BENCHMARK_NVIDIA_CUDART");
  if (!nvidia.empty()) {
    designs.push_back({{"nvidia", "NVIDIA's", false}, {nvidia, "load", ""}, backend, ""});
  }
  return designs;
}

// Each measurement uses callers at the next distance, see CMakeLists.txt.
Pair measure_calls(const Design& design, const char* quantity) {
  static std::map<std::string, int> turns;
  const int variant = turns[design.row.design + quantity]++ % BENCH_VARIANTS;
  const std::vector<double> numbers =
      bench::numbers_from(callers(design.other, variant, {quantity, design.calls}), 2);
  return {numbers[0], numbers[1]};
}

// Load, first call, mean of the further calls and mean of the look-ups, in nanoseconds. `present`
// is loaded into the process first.
std::vector<double> first_use(const Library& library, const std::string& present) {
  std::vector<std::string> command = {BENCH_FIRST_USE, library.path, library.list, library.prefix};
  if (!present.empty()) command.push_back(present);
  return bench::numbers_from(command, 4);
}

Pair measure_load(const Design& design, const std::string& present) {
  return {first_use(design.library, present)[0], first_use(design.baseline, present)[0]};
}

// Registers QUANTITY/DESIGN. Google Benchmark shows nanoseconds; the table shows their ratio.
template <typename Measure>
void add_ratio(const Design& design, const std::string& quantity, Measure measure) {
  const auto body = [design, quantity, measure](benchmark::State& state) {
    for (auto _ : state) {
      const Pair pair = measure(design);
      samples.add(design.row.design, quantity, pair.ours / pair.baseline);
      state.SetIterationTime(pair.ours * 1e-9);
    }
  };
  benchmark::RegisterBenchmark((quantity + "/" + design.row.design).c_str(), body)
      ->UseManualTime()
      ->Iterations(1);
}

// The same for a time without a counterpart in direct calls: number `number` of first_use.
void add_time(const Design& design, const std::string& quantity, int number, double unit) {
  const auto body = [design, quantity, number, unit](benchmark::State& state) {
    for (auto _ : state) {
      const double nanoseconds = first_use(design.library, BENCH_PRESENT)[number];
      samples.add(design.row.design, quantity, nanoseconds / unit);
      state.SetIterationTime(nanoseconds * 1e-9);
    }
  };
  benchmark::RegisterBenchmark((quantity + "/" + design.row.design).c_str(), body)
      ->UseManualTime()
      ->Iterations(1);
}

void add_benchmarks(const Design& design) {
  for (const char* quantity : {"hot", "cold", "warm"}) {
    if (design.calls.empty()) break;
    add_ratio(design, quantity, [quantity](const Design& d) { return measure_calls(d, quantity); });
  }
  if (design.library.path.empty()) return;
  add_ratio(design, "load", [](const Design& d) { return measure_load(d, BENCH_PRESENT); });
  add_ratio(design, "bare", [](const Design& d) { return measure_load(d, ""); });
  if (design.calls.empty()) return;
  add_ratio(design, "lookup", [](const Design& d) -> Pair {
    return {first_use(d.library, BENCH_PRESENT)[2], first_use(d.baseline, BENCH_PRESENT)[3]};
  });
  add_time(design, "first", 1, 1000);
  add_time(design, "further", 2, 1);
}

int run(int argc, char** argv) {
  if (!bench::initialize(argc, argv, 160)) return 2;
  bench::stay_on_this_core();
  setenv("TORCHADA_MUSA_PATH", BENCH_ROOT, 1);
  std::vector<bench::Row> rows;
  for (const Design& design : list_designs()) {
    add_benchmarks(design);
    rows.push_back(design.row);
  }
  benchmark::RunSpecifiedBenchmarks();
  if (samples.empty()) return 0;  // --benchmark_list_tests, or a filter that matches nothing.
  bench::write_table(samples, rows, bench::stdout_is_data(argc, argv) ? std::cerr : std::cout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::report_errors("torchada_benchmarks", run, argc, argv);
}
