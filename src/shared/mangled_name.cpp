// Names: of functions, variables and classes, with references to what was there before.
#include "src/shared/mangled_name.h"

#include <string.h>

#include "src/shared/mangled_letters.h"

namespace torchada::kernels {
namespace {

constexpr size_t kLongestPart = size_t{1} << 24;
constexpr const char kClangsUnnamed[] = "12_GLOBAL__N_1";

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

// May be missing.
void MangledName::number() {
  copy("n");
  copy_all_of("0123456789");
}

bool MangledName::rewrite() {
  if (!copy("_Z") || !encoding(Part::kLast)) return false;
  if (*at_ != '\0' && *at_ != '.') return false;
  copy(strlen(at_));
  const bool is_inner_there =
      inner_ == 0 || (inner_ == kAllInner ? inner_count_ > 1 : inner_ <= inner_count_);
  return is_inner_there && mark_last_ == is_last_marked_;
}

// A function, with the types of its parameters, or a variable.
bool MangledName::encoding(Part part) {
  if (!name(part)) return false;
  while (*at_ != '\0' && *at_ != 'E' && *at_ != '.') {
    if (!type()) return false;
  }
  return true;
}

bool MangledName::name(Part part) {
  const Deeper deeper(this);
  if (!deeper) return false;
  if (*at_ == 'N') return nested(part);
  if (*at_ == 'Z') return local();
  return unscoped(part);
}

bool MangledName::unscoped(Part part) {
  size_t begin = out_.size();
  if (*at_ == 'S' && at_[1] != 't') {
    const char* end = nullptr;
    const size_t component = referred(&end);
    if (!standard()) return false;
    // A function template of a namespace: nvcc writes S5_IiE where clang writes NS5_IiEE.
    if (*at_ == 'I' && part != Part::kType && component != kNone && !is_unscoped(component)) {
      out_.insert(begin, 'N');
      if (!template_arguments()) return false;
      out_.add("E", 1);
      return true;
    }
  } else {
    const bool is_standard = copy("St");
    if (is_standard) begin = out_.size();
    bool is_settled = *at_ == 'L';
    if (!unqualified(&is_settled)) return false;
    mark(part, begin, is_settled);
    if (*at_ == 'I') {
      if (!is_standard) note_unscoped(components_);
      add_component();
    }
  }
  return *at_ != 'I' || template_arguments();
}

// Marks the function or variable whose last part begins at `at`. clang marks what is declared
// static, but not what is in an unnamed namespace: that is settled.
void MangledName::mark(Part part, size_t at, bool is_settled) {
  if (part == Part::kType || is_settled) return;
  if (part == Part::kInner) ++inner_count_;
  const bool is_meant = part == Part::kLast
                            ? mark_last_
                            : inner_ == kAllInner || (inner_ != 0 && inner_ == inner_count_);
  if (!is_meant) return;
  if (part == Part::kLast) is_last_marked_ = true;
  is_internal_ = true;
  out_.insert(at, 'L');
}

bool MangledName::nested(Part part) {
  const size_t begin = out_.size();
  copy(1);
  const bool is_qualified = copy_all_of("rVKRO");
  size_t parts = 0;
  size_t last = begin;  // Where the last identifier is.
  bool is_settled = false;
  bool has_left_out = false;
  while (*at_ != 'E') {
    if (*at_ == 'I') {
      if (parts == 0 || !template_arguments()) return false;
    } else if (*at_ == 'S' && at_[1] != 't') {
      bool is_left_out = false;
      if (parts != 0 || has_left_out || !reference(&is_left_out)) return false;
      has_left_out = is_left_out;
      parts += is_left_out ? 0 : 1;
      continue;  // Is a component already.
    } else if (copy("St")) {
      ++parts;
      continue;
    } else if (*at_ == 'T') {
      if (!template_parameter()) return false;
      ++parts;
      continue;  // The parameter has made it a component.
    } else if (is_at("Dt") || is_at("DT")) {
      if (!type_of_d()) return false;
      ++parts;
      continue;
    } else if (*at_ == 'Z') {
      if (!local()) return false;
      ++parts;
    } else if (copy("M")) {  // Of a lambda that initialises a member.
      continue;
    } else if (parts == 0 && !has_left_out && is_digit(*at_) &&
               strncmp(at_ + strspn(at_, "0123456789"), kInternal, sizeof kInternal - 1) == 0) {
      if (left_out_count_ == kMostLeftOut) return false;
      const NameText kept = out_;
      bool is_any = false;
      if (!source_name(&is_any)) return false;
      out_ = kept;
      left_out_[left_out_count_++] = components_;
      add_component();
      has_left_out = true;
      continue;
    } else {
      last = out_.size();
      is_settled = is_settled || *at_ == 'L';
      if (!unqualified(&is_settled)) return false;
      ++parts;
      if (has_left_out && parts == 1) note_unscoped(components_);
    }
    if (*at_ != 'E') add_component();
  }
  ++at_;
  if (parts == 0) return false;
  size_t at_last = last;
  if (has_left_out && parts == 1 && !is_qualified) {
    out_.erase(begin);  // The N.
    at_last = last - 1;
  } else {
    out_.add("E", 1);
  }
  if (last != begin) mark(part, at_last, is_settled);
  return true;
}

bool MangledName::local() {
  copy(1);
  if (!encoding(Part::kInner) || !copy_end()) return false;
  if (copy("s")) return discriminator();
  if (copy("d")) {
    number();
    if (!copy("_")) return false;
  }
  return name(Part::kType) && discriminator();
}

// May be missing.
bool MangledName::discriminator() {
  if (copy("__")) return copy_all_of("0123456789") && copy("_");
  if (*at_ != '_' || !is_digit(at_[1])) return true;
  copy(2);
  return true;
}

// Sets `is_unnamed` for an unnamed namespace, and leaves it otherwise.
bool MangledName::unqualified(bool* is_unnamed) {
  if (*at_ == 'L') {
    copy(1);
    is_internal_ = true;
  }
  if (is_digit(*at_)) {
    if (!source_name(is_unnamed)) return false;
  } else if (*at_ == 'U') {
    if (!unnamed_type()) return false;
  } else if ((*at_ == 'C' || *at_ == 'D') && is_digit(at_[1])) {
    copy(2);
  } else if (is_at("CI") && is_digit(at_[2])) {
    copy(3);
    if (!type()) return false;
  } else if (copy("DC")) {  // A structured binding.
    bool is_any = false;
    while (is_digit(*at_)) {
      if (!source_name(&is_any)) return false;
    }
    if (!copy_end()) return false;
  } else if (!operator_name()) {
    return false;
  }
  return tags();
}

bool MangledName::tags() {
  bool is_any = false;
  while (*at_ == 'B') {
    copy(1);
    if (!source_name(&is_any)) return false;
  }
  return true;
}

bool MangledName::source_name(bool* is_unnamed) {
  const char* const begin = at_;
  size_t length = 0;
  if (!is_digit(*at_)) return false;
  for (; is_digit(*at_); ++at_) {
    length = length * 10 + static_cast<size_t>(*at_ - '0');
    if (length > kLongestPart) return false;
  }
  if (length == 0 || strnlen(at_, length) < length) return false;
  if (length >= sizeof kUnnamed - 1 && is_at(kUnnamed)) {
    out_.add(kClangsUnnamed, sizeof kClangsUnnamed - 1);
    *is_unnamed = true;
    is_internal_ = true;
  } else {
    out_.add(begin, static_cast<size_t>(at_ - begin) + length);
  }
  at_ += length;
  return true;
}

bool MangledName::operator_name() {
  bool is_any = false;
  if (!is_lower(at_[0])) return false;
  if (copy("cv")) return type();
  if (copy("li")) return source_name(&is_any);
  if (*at_ == 'v' && is_digit(at_[1])) {
    copy(2);
    return source_name(&is_any);
  }
  if (operands_of(at_) == 0 && !is_at("nw") && !is_at("na") && !is_at("cl") && !is_at("aw")) {
    return false;
  }
  copy(2);
  return true;
}

// A lambda, or a class without a name.
bool MangledName::unnamed_type() {
  if (copy("Ul")) {
    while (*at_ == 'T' && is_one_of(at_[1], "yntp")) {
      if (!template_parameter_declaration()) return false;
    }
    if (!types() || !copy_end()) return false;
  } else if (!copy("Ut")) {
    return false;
  }
  number();
  return copy("_");
}

// S_, S1_ and so on; or what the standard library has two letters for.
size_t MangledName::referred(const char** end) const {
  const char* at = at_ + 1;
  size_t number = 0;
  for (; is_digit(*at) || is_capital(*at); ++at) {
    number = number * 36 + static_cast<size_t>(is_digit(*at) ? *at - '0' : *at - 'A' + 10);
    if (number > kLongestPart) return kNone;
  }
  if (*at != '_') return kNone;
  if (at != at_ + 1) ++number;
  *end = at + 1;
  return number < components_ ? number : kNone;
}

// Of more than there is room for, none is taken for one of a namespace.
void MangledName::note_unscoped(size_t component) {
  if (unscoped_count_ < kMostUnscoped) unscoped_[unscoped_count_] = component;
  ++unscoped_count_;
}

bool MangledName::is_unscoped(size_t component) const {
  if (unscoped_count_ > kMostUnscoped) return true;
  for (size_t i = 0; i < unscoped_count_; ++i) {
    if (unscoped_[i] == component) return true;
  }
  return false;
}

bool MangledName::reference(bool* is_left_out) {
  *is_left_out = false;
  if (is_one_of(at_[1], "absiod")) {
    copy(2);
    return tags();
  }
  size_t number = referred(&at_);
  if (number == kNone) return false;
  size_t before = 0;
  for (size_t i = 0; i < left_out_count_; ++i) {
    if (left_out_[i] == number) *is_left_out = true;
    if (left_out_[i] < number) ++before;
  }
  if (*is_left_out) return true;
  number -= before;
  char digits[8];
  size_t begin = sizeof digits;
  digits[--begin] = '_';
  if (number != 0) {
    for (size_t rest = number - 1;; rest /= 36) {
      digits[--begin] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest % 36];
      if (rest < 36) break;
    }
  }
  digits[--begin] = 'S';
  out_.add(digits + begin, sizeof digits - begin);
  return true;
}

// The same where a name ends with it.
bool MangledName::standard() {
  bool is_left_out = false;
  return reference(&is_left_out) && !is_left_out;
}

}  // namespace torchada::kernels
