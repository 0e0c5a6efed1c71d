// mappings/cuda/answers.yaml: what functions of the real libraries that need no device return:
// texts for status codes, and versions. Programs compare and print these on any machine, so they
// are recorded by calling the real functions.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

RecordedAnswers read_recorded_answers(const std::string& file);
std::string write_recorded_answers(const RecordedAnswers& answers);

// Calls, in the release found below `roots`,
//   const char * F(STATUS)                for each enumerator and one other number,
//   size_t F() and STATUS F(int *) and STATUS F(HANDLE, int *)   if the name ends in Version,
//   STATUS F(libraryPropertyType, int *)  for each property.
// Handles are null, as the real libraries allow. The libraries are opened in this process.
// Functions that need a driver return an error and are left out.
RecordedAnswers record_answers(const Tables& tables, const std::string& release,
                               const std::vector<std::string>& roots);

// Joins the records of several releases; equal answers become one record.
void merge_recorded_answers(RecordedAnswers* into, const RecordedAnswers& from);

}  // namespace torchada
