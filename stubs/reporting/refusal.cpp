#include "stubs/reporting/refusal.h"

#include <errno.h>
#include <string.h>

#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/report.h"

namespace torchada {
namespace {

constexpr const char* kWide = "MUSA's function takes 32 bits";
constexpr unsigned kStatuses = 0;  // Index of the enumeration that names the library's statuses.

// Which lines were printed, by a hash of what they are about. If so many differ that the table is
// full, a line may be printed again, but none is lost.
constexpr unsigned kPlaces = 256;
constexpr unsigned kTries = 8;
uint64_t printed[kPlaces];

uint64_t hash(uint64_t before, const char* text) {
  uint64_t out = before;  // FNV-1a
  do out = (out ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  while (*text++);
  return out;
}

bool is_first(const char* function, const char* parameter, const char* value) {
  const uint64_t key =
      hash(hash(hash(0xcbf29ce484222325u, function), parameter), value) | 1;  // Never 0.
  const uint64_t start = key >> 32;
  for (unsigned i = 0; i < kTries; ++i) {
    uint64_t* const place = &printed[(start + i) % kPlaces];
    uint64_t present = 0;
    if (__atomic_compare_exchange_n(place, &present, key, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
    if (present == key) return false;
  }
  __atomic_store_n(&printed[start % kPlaces], key, __ATOMIC_RELAXED);
  return true;
}

const char* text_at(uint32_t offset) { return torchada_library.strings + offset; }

const NamedValue* find_value(unsigned enumeration, int64_t number) {
  const NamedEnumeration& all = torchada_library.enumerations[enumeration];
  for (uint32_t i = 0; i < all.count; ++i) {
    const NamedValue& value = torchada_library.values[all.first + i];
    if (value.value == number) return &value;
  }
  return nullptr;
}

// The enumerators of single bits whose sum is `number`; false if a bit has none.
bool append_bits(unsigned enumeration, int64_t number, ValueText* out) {
  const char* separator = "";
  for (int64_t rest = number; rest != 0; rest &= rest - 1) {
    const NamedValue* const value = find_value(enumeration, rest & -rest);
    if (!value) return false;
    *out << separator << text_at(value->name);
    separator = "|";
  }
  return number != 0;
}

ValueText enumerator_text(unsigned enumeration, int64_t number) {
  ValueText out;
  if (const NamedValue* const value = find_value(enumeration, number)) {
    out << text_at(value->name) << " (" << number << ")";
    return out;
  }
  if (append_bits(enumeration, number, &out)) {
    out << " (" << number << ")";
    return out;
  }
  out.clear();
  out << number;
  return out;
}

void append_returned(Line* line, int status) {
  *line << "; returning " << enumerator_text(kStatuses, status).c_str();
}

void report_argument(const char* function, const char* parameter, const char* value,
                     const char* reason, int status) {
  const int saved_errno = errno;
  Line line;
  line << function << " is not supported with " << parameter << "=" << value << ": " << reason;
  append_returned(&line, status);
  report_refusal(is_first(function, parameter, value), line, line);
  errno = saved_errno;
}

// Not inlined: two lines of text are the largest frame that is allowed.
__attribute__((noinline)) void report_without_effect(const char* function, const char* parameter,
                                                     const char* value, const char* reason) {
  const int saved_errno = errno;
  Line line;
  line << function << " accepts " << parameter << "=" << value << " without effect: " << reason;
  report_refusal(is_first(function, parameter, value), line, line);
  errno = saved_errno;
}

const char* function_of(const RefusableArgument& argument) {
  return text_at(torchada_library.symbols[argument.symbol].name);
}

// Why MUSA has nothing for `number`: what the tables say of the enumerator or of one of its bits.
Line reason_of(unsigned enumeration, int64_t number) {
  Line out;
  const NamedEnumeration& all = torchada_library.enumerations[enumeration];
  for (uint32_t i = 0; i < all.count; ++i) {
    const NamedValue& value = torchada_library.values[all.first + i];
    const bool is_bit = value.value > 0 && (value.value & (value.value - 1)) == 0;
    const bool is_meant = value.value == number || (is_bit && (number & value.value) != 0 &&
                                                    !find_value(enumeration, number));
    if (!is_meant || value.reason == 0) continue;
    out << text_at(value.reason);
    return out;
  }
  out << "no counterpart in " << text_at(all.musa) << " is publicly known";
  return out;
}

int refuse_in(const RefusableArgument& argument, int64_t value, const char* reason, int status) {
  const unsigned enumeration = argument.enumeration;
  if (enumeration == 0) {
    report_argument(function_of(argument), text_at(argument.name), "(beyond 32 bits)", reason,
                    status);
  } else {
    report_argument(function_of(argument), text_at(argument.name),
                    enumerator_text(enumeration, value).c_str(),
                    reason ? reason : reason_of(enumeration, value).c_str(), status);
  }
  return fail(status);
}

const RefusableArgument* find_argument(const char* function, unsigned number) {
  const Library& library = torchada_library;
  for (uint32_t i = 0; i < library.refusable_count; ++i) {
    const RefusableArgument& argument = library.refusable[i];
    if (argument.number == number && strcmp(function_of(argument), function) == 0) return &argument;
  }
  return nullptr;
}

// The function of MUSA that a generated adapter calls.
const char* musa_name(const Symbol& symbol, unsigned adapter) {
  for (unsigned i = 0; i < symbol.target_count; ++i) {
    const Target& target = torchada_library.targets[symbol.first_target + i];
    if (target.adapter == adapter) return text_at(target.name);
  }
  return "MUSA";
}

}  // namespace

bool is_lacking(const char* function, unsigned number, int64_t value) {
  const RefusableArgument* const argument = find_argument(function, number);
  const NamedValue* const found = argument ? find_value(argument->enumeration, value) : nullptr;
  return found && found->reason != 0;
}

ValueText enumerator_text(const char* enumeration, int64_t number) {
  const Library& library = torchada_library;
  for (uint32_t i = 1; i < library.enumeration_count; ++i) {
    if (strcmp(text_at(library.enumerations[i].name), enumeration) == 0) {
      return enumerator_text(i, number);
    }
  }
  ValueText out;
  out << number;
  return out;
}

int refuse_argument(const char* function, const char* parameter, const char* value,
                    const char* reason, int status) {
  report_argument(function, parameter, value, reason, status);
  return fail(status);
}

int refuse_enumerator(const char* function, unsigned number, int64_t value, const char* reason,
                      int status) {
  if (const RefusableArgument* const argument = find_argument(function, number)) {
    return refuse_in(*argument, value, reason, status);
  }
  ValueText text;
  text << value;
  return refuse_argument(function, "an argument", text.c_str(), reason ? reason : "MUSA lacks it",
                         status);
}

void tell_enumerator(const char* function, unsigned number, int64_t value) {
  const RefusableArgument* const argument = find_argument(function, number);
  if (!argument) return;
  report_without_effect(function, text_at(argument->name),
                        enumerator_text(argument->enumeration, value).c_str(),
                        reason_of(argument->enumeration, value).c_str());
}

int refuse_wide(const char* function, const char* parameter, int64_t value, int status) {
  ValueText text;
  text << value;
  return refuse_argument(function, parameter, text.c_str(), kWide, status);
}

int refuse_listed(unsigned row, int64_t value, int status) {
  const RefusableArgument& argument = torchada_library.refusable[row];
  if (argument.enumeration == 0) {
    return refuse_in(argument, value, kWide, status);
  }
  ValueText bits;
  const bool is_known =
      find_value(argument.enumeration, value) || append_bits(argument.enumeration, value, &bits);
  return is_known ? refuse_in(argument, value, nullptr, torchada_library.refused) : fail(status);
}

int refuse_member(unsigned row, int status) {
  const RefusableArgument& argument = torchada_library.refusable[row];
  return refuse_argument(function_of(argument), text_at(argument.name), "(not 0)",
                         "MUSA's struct has no such member", status);
}

void report_answer(const char* function, const char* musa, const char* name, int musa_status,
                   int returned) {
  const int saved_errno = errno;
  Line line;
  line << function << " is not supported with these arguments: " << musa << " returned " << name
       << " (" << musa_status << ")";
  append_returned(&line, returned);
  report_refusal(is_first(function, musa, name), line, line);
  errno = saved_errno;
}

void report_undocumented(const char* function, const char* musa, int musa_status, int returned) {
  const int saved_errno = errno;
  Line line;
  line << function << " failed: " << musa << " returned " << musa_status
       << ", a number that no public source explains";
  append_returned(&line, returned);
  ValueText number;
  number << musa_status;
  if (is_first(function, musa, number.c_str())) log(LogLevel::kWarn, line);
  errno = saved_errno;
}

void report_answer(unsigned symbol, unsigned adapter, const char* name, int musa_status,
                   int returned) {
  const Symbol& called = torchada_library.symbols[symbol];
  report_answer(text_at(called.name), musa_name(called, adapter), name, musa_status, returned);
}

void report_undocumented(unsigned symbol, unsigned adapter, int musa_status, int returned) {
  const Symbol& called = torchada_library.symbols[symbol];
  report_undocumented(text_at(called.name), musa_name(called, adapter), musa_status, returned);
}

}  // namespace torchada
