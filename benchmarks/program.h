// What the benchmark programs have in common.
#pragma once

namespace bench {

// Prepares Google Benchmark with `repetitions` of all benchmarks in random order, so that what else
// happens on the machine hits all alike; what the user asks for comes later and wins. False for
// arguments that are none, which it has named.
bool initialize(int argc, char** argv, int repetitions);

// Whether stdout carries JSON or CSV, into which a table must not mix.
bool stdout_is_data(int argc, char** argv);

// One core for this process and those it starts.
void stay_on_this_core();

// The exit status of `run`, whose exceptions are printed.
int report_errors(const char* program, int (*run)(int, char**), int argc, char** argv);

}  // namespace bench
