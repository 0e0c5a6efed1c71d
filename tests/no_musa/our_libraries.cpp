#include "tests/no_musa/our_libraries.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "generator/tables/read_tables.h"
#include "tests/no_musa/deviations.h"
#include "tests/no_musa/library_calls.h"
#include "tests/no_musa/real_libraries.h"

namespace no_musa {
namespace {

Subject subject_of(const torchada::Tables& tables, const CompareOptions& options) {
  for (const torchada::Output& output : torchada::list_outputs(tables)) {
    if (output.label() == options.label) return {&tables, output, options.library};
  }
  throw std::runtime_error("no library '" + options.label + "' in the tables");
}

// What the real library answers: for each function the answer of the newest release that exports
// it.
LibraryAnswers recorded_answers(const AnswerTable& table, const Subject& subject) {
  LibraryAnswers out;
  for (const auto* symbol : torchada::exports_of(*subject.tables, subject.output)) {
    const std::string release = release_of(*symbol, subject.output);
    const Answer* answer = find_answer(table, subject.output.library_name, symbol->name, release);
    if (!answer) throw std::runtime_error("not recorded: " + symbol->name + " of " + release);
    out[symbol->name] = *answer;
  }
  return out;
}

std::map<std::string, int> count_by_class(const std::vector<DeviationClass>& classes,
                                          const std::vector<Deviation>& deviations, bool list) {
  std::map<std::string, int> out;
  for (const Deviation& deviation : deviations) {
    const DeviationClass* of_class = class_of(classes, deviation);
    const std::string name = of_class ? of_class->name : "not listed";
    ++out[name];
    if (of_class && !list) continue;
    std::printf("%s %s, %s, %s: real %s, ours %s (%s)\n", deviation.label.c_str(),
                deviation.function.c_str(), deviation.call.c_str(), deviation.aspect.c_str(),
                deviation.real.c_str(), deviation.ours.c_str(), name.c_str());
  }
  return out;
}

int check_counts(const std::vector<DeviationClass>& classes, std::map<std::string, int> counts,
                 const CompareOptions& options) {
  int findings = counts["not listed"];
  for (const DeviationClass& listed : classes) {
    const auto expected = listed.counts.find(options.label);
    const int count = expected == listed.counts.end() ? 0 : expected->second;
    if (count == counts[listed.name]) continue;
    ++findings;
    std::printf("%s:%d: class %s lists %d deviations of %s, there are %d (--list prints them)\n",
                options.deviations.c_str(), listed.line, listed.name.c_str(), count,
                options.label.c_str(), counts[listed.name]);
  }
  return findings;
}

// Prints a row of a table; returns 1 if the README lacks it.
int check_row(const std::string& row, const std::string& readme) {
  std::printf("%s\n", row.c_str());
  if (readme.empty()) return 0;
  std::ifstream in(readme);
  if (!in) throw std::runtime_error(readme + ": no such file");
  for (std::string line; std::getline(in, line);) {
    if (line == row) return 0;
  }
  std::printf("%s does not have the row above\n", readme.c_str());
  return 1;
}

std::string list(const std::map<std::string, int>& counts) {
  std::ostringstream out;
  for (const auto& [label, count] : counts) {
    out << (out.tellp() > 0 ? ", " : "") << label << " " << count;
  }
  return out.str();
}

}  // namespace

int compare_ours(const CompareOptions& options) {
  const torchada::Tables tables = torchada::read_facts(options.mappings);
  const Subject subject = subject_of(tables, options);
  const LibraryAnswers real =
      recorded_answers(read_answer_table(table_file(options.mappings)), subject);
  const Comparison comparison = compare(options.label, subject.output.library_name, real,
                                        call_library(subject, options.seconds));
  const std::vector<DeviationClass> classes = read_deviation_classes(options.deviations);
  const int findings =
      check_counts(classes, count_by_class(classes, comparison.deviations, options.list), options);
  std::ostringstream row;
  row << "| " << options.label << " | " << real.size() << " | " << comparison.equal << " | "
      << comparison.compared - comparison.equal << " | " << comparison.deviations.size() << " | "
      << comparison.without_answer << " |";
  return findings + check_row(row.str(), options.readme);
}

int print_classes(const std::string& deviations, const std::string& readme) {
  int findings = 0;
  for (const DeviationClass& listed : read_deviation_classes(deviations)) {
    findings += check_row(
        "| " + listed.name + " | " + list(listed.counts) + " | " + listed.reason + " |", readme);
  }
  return findings;
}

}  // namespace no_musa
