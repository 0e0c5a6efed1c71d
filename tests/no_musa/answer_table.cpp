#include "tests/no_musa/answer_table.h"

#include <string.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "src/shared/yaml_source.h"

namespace no_musa {
namespace {

using torchada::YamlNode;

const Words kVaries = "varies";
const Words kData = "data";

std::string in_words(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

float low_float(double value) {
  float out;
  memcpy(&out, &value, sizeof out);
  return out;
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Words result_words(const Outcome& outcome, ResultKind kind) {
  switch (kind) {
    case ResultKind::kNone:
      return "void";
    case ResultKind::kInteger32:
      return std::to_string(static_cast<std::uint32_t>(outcome.rax));
    case ResultKind::kInteger64:
      return std::to_string(outcome.rax);
    case ResultKind::kCharacter:
      return std::to_string(outcome.rax & 0xff);
    case ResultKind::kFloat:
      return in_words(static_cast<double>(low_float(outcome.xmm0)));
    case ResultKind::kDouble:
      return in_words(outcome.xmm0);
    case ResultKind::kText:
      return outcome.is_null ? "null" : "text " + on_one_line(outcome.text);
    case ResultKind::kPointer:
      break;
  }
  return outcome.rax ? "pointer" : "null";
}

std::string list(const std::vector<std::string>& words, bool quoted) {
  std::string out = "[";
  for (const std::string& word : words) {
    if (out.size() > 1) out += ", ";
    out += quoted ? '"' + word + '"' : word;
  }
  return out + "]";
}

std::string text_of(const YamlNode& node, const std::string& key) { return node.text_or(key, ""); }

AnswerRecord read_record(const YamlNode& node) {
  node.only({"releases", "zero", "zero_last", "pages", "pages_last", "writes"});
  AnswerRecord out;
  out.releases = node.required("releases").texts();
  out.answer.zero = node.required("zero").text();
  out.answer.zero_last = text_of(node, "zero_last");
  out.answer.pages = text_of(node, "pages");
  out.answer.pages_last = text_of(node, "pages_last");
  if (node.has("writes")) out.answer.writes = node.required("writes").texts();
  return out;
}

void write_record(const AnswerRecord& record, std::ostringstream* out) {
  const Answer& answer = record.answer;
  *out << "{releases: " << list(record.releases, true);
  const std::pair<const char*, const Words&> parts[] = {{"zero", answer.zero},
                                                        {"zero_last", answer.zero_last},
                                                        {"pages", answer.pages},
                                                        {"pages_last", answer.pages_last}};
  for (const auto& [key, words] : parts) {
    if (!words.empty()) *out << ", " << key << ": " << torchada::yaml_scalar(words);
  }
  if (!answer.writes.empty()) *out << ", writes: " << list(answer.writes, false);
  *out << "}";
}

std::size_t position(const std::vector<std::string>& order, const std::string& release) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), release) - order.begin());
}

void add_answer(std::vector<AnswerRecord>* records, const std::string& release,
                const Answer& answer, const std::vector<std::string>& order) {
  const auto earlier = [&](const std::string& a, const std::string& b) {
    return position(order, a) < position(order, b);
  };
  const auto same = std::find_if(records->begin(), records->end(),
                                 [&](const AnswerRecord& other) { return other.answer == answer; });
  if (same == records->end()) {
    records->push_back({{release}, answer});
  } else {
    same->releases.push_back(release);
    std::sort(same->releases.begin(), same->releases.end(), earlier);
  }
  std::sort(records->begin(), records->end(), [&](const AnswerRecord& a, const AnswerRecord& b) {
    return earlier(a.releases.front(), b.releases.front());
  });
}

}  // namespace

bool is_answer(const Words& words) {
  return !words.empty() && !words.starts_with("SIG") && !words.starts_with("exit ") &&
         words != "timeout" && words != kVaries && words != kData;
}

void mark_varying(const Answer& before, Answer* answer) {
  if (before.zero != answer->zero) answer->zero = kVaries;
  if (before.pages != answer->pages) answer->pages = kVaries;
}

void keep_varying(const Answer& known, Answer* answer) {
  if (known.zero == kVaries) answer->zero = kVaries;
  if (known.pages == kVaries) answer->pages = kVaries;
}

Words words_of(const Outcome& outcome, const ResultKind* kind) {
  switch (outcome.ending) {
    case Ending::kSignal: {
      const char* name = sigabbrev_np(outcome.detail);
      return std::string("SIG") + (name ? name : std::to_string(outcome.detail).c_str());
    }
    case Ending::kExited:
      return "exit " + std::to_string(outcome.detail);
    case Ending::kTimeout:
      return "timeout";
    case Ending::kNotCalled:
      return kData;
    case Ending::kReturned:
      break;
  }
  if (kind) return result_words(outcome, *kind);
  const std::uint64_t high = outcome.rax >> 32;
  if (high == 0 || high == 0xffffffff) return result_words(outcome, ResultKind::kInteger32);
  return "pointer";
}

Words last_error_words(const Outcome& outcome) {
  if (!outcome.has_last_error) return "";
  const std::string peeked = std::to_string(outcome.peeked);
  return outcome.peeked == outcome.got ? peeked : peeked + " then " + std::to_string(outcome.got);
}

std::vector<std::string> written_pages(const Outcome& outcome,
                                       const std::vector<PointerPlace>& pointers) {
  std::vector<std::string> out;
  if (outcome.ending != Ending::kReturned) return out;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (outcome.written & (1u << i)) out.push_back(pointers[i].name);
  }
  return out;
}

AnswerTable read_answer_table(const std::string& file) {
  AnswerTable out;
  for (const auto& [library, functions] : torchada::load_yaml(file).entries()) {
    for (const auto& [function, records] : functions.entries()) {
      for (const YamlNode& record : records.items()) {
        out[library.text()][function.text()].push_back(read_record(record));
      }
    }
  }
  return out;
}

std::string write_answer_table(const AnswerTable& table) {
  std::ostringstream out;
  out << "# What the real libraries answer without a driver. Written by tests/no_musa (`no_driver\n"
      << "# record`), by calling every function. Do not edit; tests/no_musa/README.md explains "
         "it.\n";
  for (const auto& [library, functions] : table) {
    out << library << ":\n";
    for (const auto& [function, records] : functions) {
      out << "  " << function << ": [";
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (i > 0) out << ", ";
        write_record(records[i], &out);
      }
      out << "]\n";
    }
  }
  return out.str();
}

void replace_release(AnswerTable* table, const std::string& library, const std::string& release,
                     const LibraryAnswers& answers, const std::vector<std::string>& order) {
  auto& functions = (*table)[library];
  for (auto function = functions.begin(); function != functions.end();) {
    std::vector<AnswerRecord>& records = function->second;
    for (AnswerRecord& record : records) std::erase(record.releases, release);
    std::erase_if(records, [](const AnswerRecord& record) { return record.releases.empty(); });
    function = records.empty() ? functions.erase(function) : std::next(function);
  }
  for (const auto& [name, answer] : answers) {
    add_answer(&functions[name], release, answer, order);
  }
}

const Answer* find_answer(const AnswerTable& table, const std::string& library,
                          const std::string& function, const std::string& release) {
  const auto functions = table.find(library);
  if (functions == table.end()) return nullptr;
  const auto records = functions->second.find(function);
  if (records == functions->second.end()) return nullptr;
  for (const AnswerRecord& record : records->second) {
    if (std::find(record.releases.begin(), record.releases.end(), release) !=
        record.releases.end()) {
      return &record.answer;
    }
  }
  return nullptr;
}

}  // namespace no_musa
