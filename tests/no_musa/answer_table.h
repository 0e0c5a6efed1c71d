// mappings/cuda/no_driver.yaml: what every function of the real libraries does without a driver.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/tables/tables.h"
#include "tests/no_musa/call.h"

namespace no_musa {

// How a call ended, in words: a number, "void", "null", "pointer", "text ..."; if it did not
// return, the name of a signal, "exit N" or "timeout". "varies": whatever was in the register.
// "data": not a function.
using Words = std::string;

// One function of one release. Parts that were not recorded are empty.
struct Answer {
  Words zero;       // Every argument zero.
  Words zero_last;  // cudart: cudaPeekAtLastError afterwards, and cudaGetLastError if different.
  Words pages;      // Every pointer leads to a page of zeros; everything else is zero.
  Words pages_last;
  std::vector<std::string> writes;  // The parameters whose pages were written.

  bool operator==(const Answer& other) const = default;
};

// Whether this is something to compare with.
bool is_answer(const Words& words);

// Reads an outcome according to `kind`. nullptr: no prototype is known, and any register may hold
// garbage.
Words words_of(const Outcome& outcome, const ResultKind* kind);
Words last_error_words(const Outcome& outcome);
std::vector<std::string> written_pages(const Outcome& outcome,
                                       const std::vector<PointerPlace>& pointers);

using LibraryAnswers = std::map<std::string, Answer>;  // By function.

struct AnswerRecord {
  std::vector<std::string> releases;  // In the order of releases.yaml.
  Answer answer;
};
// By library and function.
using AnswerTable = std::map<std::string, std::map<std::string, std::vector<AnswerRecord>>>;

AnswerTable read_answer_table(const std::string& file);
std::string write_answer_table(const AnswerTable& table);

// Replaces all answers of one library of one release in the table. `order` has all releases.
void replace_release(AnswerTable* table, const std::string& library, const std::string& release,
                     const LibraryAnswers& answers, const std::vector<std::string>& order);

// Sets parts that differ from `before` to "varies".
void mark_varying(const Answer& before, Answer* answer);
// Sets parts that are known to vary to "varies".
void keep_varying(const Answer& known, Answer* answer);

// Null if the table has no answer.
const Answer* find_answer(const AnswerTable& table, const std::string& library,
                          const std::string& function, const std::string& release);

}  // namespace no_musa
