// Shared by the benchmark programs.
#pragma once

namespace bench {

// Prepares Google Benchmark with `repetitions` of all benchmarks in random order, so that other
// activity on the machine affects all of them alike. The user's options come later and take
// precedence. False for unknown arguments, which are reported.
bool initialize(int argc, char** argv, int repetitions);

// Whether stdout carries JSON or CSV, with which a table must not mix.
bool stdout_is_data(int argc, char** argv);

// Keeps this process and those that it starts on one core.
void stay_on_this_core();

// Returns the exit status of `run`; prints its exceptions.
int report_errors(const char* program, int (*run)(int, char**), int argc, char** argv);

}  // namespace bench
