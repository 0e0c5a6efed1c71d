// mappings/cuda/no_driver.yaml: what every function of the real libraries does without a driver.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "call.h"
#include "tables.h"

namespace no_musa {

// How a call ended, in words: a number, "void", "null", "pointer", "text ...", or, where it did not
// return, the name of a signal, "exit N", "timeout". "varies": whatever was in the register.
// "data": not a function.
using Words = std::string;

// One function of one release. Parts that were not asked for are empty.
struct Answer {
  Words zero;       // Every argument zero.
  Words zero_last;  // cudart: cudaPeekAtLastError afterwards, and cudaGetLastError if it differs.
  Words pages;      // Every pointer leads to a page of zeros, everything else is zero.
  Words pages_last;
  std::vector<std::string> writes;  // The parameters whose pages were written.

  bool operator==(const Answer& other) const = default;
};

// Whether there is something to compare with.
bool is_answer(const Words& words);

// Reads outcomes as `kind` says; nullptr: no prototype is known, and any register may be garbage.
Words words_of(const Outcome& outcome, const ResultKind* kind);
Words last_error_words(const Outcome& outcome);
std::vector<std::string> written_pages(const Outcome& outcome,
                                       const std::vector<PointerPlace>& pointers);

using LibraryAnswers = std::map<std::string, Answer>;  // By function.

struct AnswerRecord {
  std::vector<std::string> releases;  // In the order of releases.yaml.
  Answer answer;
};
// Library, function.
using AnswerTable = std::map<std::string, std::map<std::string, std::vector<AnswerRecord>>>;

AnswerTable read_answer_table(const std::string& file);
std::string write_answer_table(const AnswerTable& table);

// Replaces all that the table has of one library of one release. `order` are all releases.
void replace_release(AnswerTable* table, const std::string& library, const std::string& release,
                     const LibraryAnswers& answers, const std::vector<std::string>& order);

// Parts that are not what they were become "varies".
void mark_varying(const Answer& before, Answer* answer);
// Parts that are known to vary become "varies".
void keep_varying(const Answer& known, Answer* answer);

// Null where the table has none.
const Answer* find_answer(const AnswerTable& table, const std::string& library,
                          const std::string& function, const std::string& release);

}  // namespace no_musa
