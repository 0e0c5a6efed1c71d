#include "stubs/nvrtc/options.h"

#include <initializer_list>

#include "src/shared/text.h"
#include "stubs/nvrtc/option_table.h"
#include "stubs/nvrtc/statuses.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/refusal.h"

namespace torchada::nvrtc {
namespace {

constexpr const char* kCaller = "nvrtcCompileProgram";

// What a word is: the option, and its value if that is in the same word.
struct Word {
  const Option* option = nullptr;
  const char* value = nullptr;
};

// `value`: null if the word is the name alone.
bool matches(const char* word, const char* name, const char** value) {
  if (!name) return false;
  const size_t length = strlen(name);
  if (strncmp(word, name, length) != 0) return false;
  if (word[length] != '\0' && word[length] != '=') return false;
  *value = word[length] == '=' ? word + length + 1 : nullptr;
  return true;
}

Word read(const char* word) {
  Word out;
  for (const Option& option : kOptions) {
    if (matches(word, option.name, &out.value) || matches(word, option.short_name, &out.value)) {
      out.option = &option;
      return out;
    }
  }
  for (const Option& option : kOptions) {  // -I/usr/include
    if (option.short_name && strlen(option.short_name) == 2 && option.takes == Takes::kText &&
        strncmp(word, option.short_name, 2) == 0) {
      out.option = &option;
      out.value = word + 2;
      return out;
    }
  }
  return out;
}

// "--fmad (-fmad)", as NVRTC's messages name an option.
void append_name(Line* line, const Option& option) {
  *line << option.name;
  if (option.short_name) *line << " (" << option.short_name << ")";
}

// NVRTC refuses this too, so only its log says so.
int invalid(Texts* log, const Line& line) {
  return fail(log->add(line.c_str()) ? kInvalidOption : kOutOfMemory);
}

int invalid_value(Texts* log, const Option& option) {
  Line line;
  line << "nvrtc: error: invalid value for ";
  append_name(&line, option);
  line << "\n";
  return invalid(log, line);
}

bool is_whole_number(const char* text) {
  const char* digit = text;
  while (*digit >= '0' && *digit <= '9') ++digit;
  return digit != text && *digit == '\0';
}

bool is_standard(const char* value) {
  for (const char* const standard : {"c++03", "c++11", "c++14", "c++17", "c++20", "c++23"}) {
    if (strcmp(value, standard) == 0) return true;
  }
  return false;
}

// 0, or the status because the value is none of the option's.
int check_value(const Option& option, const char* value, Texts* log) {
  const char* expected = nullptr;
  if (option.takes == Takes::kBool && strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
    expected = " expects true or false\n";
  } else if (option.takes == Takes::kInteger && !is_whole_number(value)) {
    expected = " expects an integer value\n";
  }
  if (!expected) return 0;
  Line line;
  line << "nvrtc: error: ";
  append_name(&line, option);
  line << expected;
  return invalid(log, line);
}

// compute_80, sm_80, sm_90a.
int read_architecture(const Option& option, const char* value, Options* out, Texts* log) {
  const char* digit = nullptr;
  if (strncmp(value, "compute_", 8) == 0) digit = value + 8;
  if (strncmp(value, "sm_", 3) == 0) digit = value + 3;
  int number = 0;
  int digits = 0;
  for (; digit && *digit >= '0' && *digit <= '9' && digits < 4; ++digit, ++digits) {
    number = number * 10 + (*digit - '0');
  }
  const bool has_end = digit && (*digit == '\0' || ((*digit == 'a' || *digit == 'f') && !digit[1]));
  if (digits < 2 || !has_end) return invalid_value(log, option);
  out->architecture = number;
  out->is_virtual = value[0] == 'c';
  return 0;
}

void say_ignored(const Option& option) {
  static uint8_t said[kOptionCount];
  if (__atomic_exchange_n(&said[&option - kOptions], 1, __ATOMIC_RELAXED) != 0) return;
  Line line;
  line << kCaller << " ignores " << option.name << ": " << option.text;
  log(LogLevel::kInfo, line);
}

int refuse(const char* word, const char* reason, Texts* log) {
  ValueText value;
  value << word;
  const int status = refuse_argument(kCaller, "options", value.c_str(), reason, kInvalidOption);
  Line line;
  line << "nvrtc: error: option " << word << " is not supported on MUSA: " << reason << "\n";
  return log->add(line.c_str()) ? status : fail(kOutOfMemory);
}

// Adds the words of `text`, which blanks part, with the value behind the last.
bool add_words(const char* text, const char* value, Texts* out) {
  while (const char* const blank = strchr(text, ' ')) {
    if (!out->add(text, static_cast<size_t>(blank - text))) return false;
    text = blank + 1;
  }
  if (!value) return out->add(text);
  MappedArray<char> word;
  const size_t length = strlen(text);
  const size_t more = strlen(value);
  if (!word.resize(length + more + 1)) return false;
  memcpy(&word[0], text, length);
  memcpy(&word[length], value, more);
  const bool added = out->add(&word[0], length + more);
  word.release();
  return added;
}

int apply(const Option& option, const char* word, const char* value, Options* out, Texts* log) {
  const char* const text = value ? value : "";
  switch (option.becomes) {
    case Becomes::kArchitecture:
      return read_architecture(option, text, out, log);
    case Becomes::kStandard:
      if (!is_standard(text)) return invalid_value(log, option);
      [[fallthrough]];
    case Becomes::kWords:
      if (value && !*value) return 0;
      return add_words(option.text, value, &out->musa) ? 0 : fail(kOutOfMemory);
    case Becomes::kEither: {
      const char* const words = text[0] == 't' ? option.text : option.otherwise;
      return !words || add_words(words, nullptr, &out->musa) ? 0 : fail(kOutOfMemory);
    }
    case Becomes::kIgnored:
      say_ignored(option);
      return 0;
    case Becomes::kRefused:
      return refuse(word, option.text, log);
  }
  return 0;
}

}  // namespace

int translate(int count, const char* const* options, Options* out, Texts* log) {
  for (int i = 0; i < count; ++i) {
    if (!options[i]) return fail(kInvalidOption);
    const char* const text = options[i];
    Word word = read(text);
    if (!word.option) {
      Line line;
      line << "nvrtc: error: unrecognized option " << text << " found\n";
      return invalid(log, line);
    }
    const Option& option = *word.option;
    if (option.takes == Takes::kNothing && word.value) {
      Line line;
      line << "nvrtc: error: ";
      append_name(&line, option);
      line << " does not accept any argument\n";
      return invalid(log, line);
    }
    if (option.takes != Takes::kNothing && !word.value) {
      word.value = i + 1 < count && options[i + 1] ? options[++i] : "";
    }
    if (word.value) {
      if (const int status = check_value(option, word.value, log)) return status;
    }
    if (const int status = apply(option, text, word.value, out, log)) return status;
  }
  return 0;
}

}  // namespace torchada::nvrtc
