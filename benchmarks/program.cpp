#include "benchmarks/program.h"

#include <benchmark/benchmark.h>
#include <sched.h>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace bench {

bool initialize(int argc, char** argv, int repetitions) {
  std::vector<std::string> arguments = {
      argv[0], "--benchmark_repetitions=" + std::to_string(repetitions),
      "--benchmark_enable_random_interleaving=true", "--benchmark_display_aggregates_only=true"};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  return !benchmark::ReportUnrecognizedArguments(count, pointers.data());
}

bool stdout_is_data(int argc, char** argv) {
  const std::string option = "--benchmark_format=";
  bool data = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.compare(0, option.size(), option) == 0) data = argument != option + "console";
  }
  return data;
}

// Moving to another core costs more than a call.
void stay_on_this_core() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    std::cerr << "cannot stay on one core; ratios will be noisier\n";
  }
}

int report_errors(const char* program, int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << "\n";
    return 1;
  }
}

}  // namespace bench
