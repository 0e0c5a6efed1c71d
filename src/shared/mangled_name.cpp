#include "src/shared/mangled_name.h"

#include <string.h>

namespace torchada::kernels {
namespace {

// Names of PyTorch's kernels need a third of it.
constexpr unsigned kDeepest = 160;
constexpr size_t kLongestPart = size_t{1} << 24;
constexpr const char kClangsUnnamed[] = "12_GLOBAL__N_1";

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_one_of(char c, const char* letters) { return c != '\0' && strchr(letters, c); }

// The operands of an operator in an expression; 0 if these two letters are none.
unsigned operands_of(const char* at) {
  static constexpr const char* kBy[] = {
      "ps ng ad de co pp mm nt nx sz az st at te ti tw dl da sp sZ",
      "pl mi ml dv rm an or eo aS pL mI mL dV rM aN oR eO ls rs lS rS eq ne lt gt le ge ss aa oo "
      "cm pm pt ix dt ds",
      "qu"};
  for (unsigned count = 0; count < 3; ++count) {
    for (const char* known = kBy[count];; known += 3) {
      if (known[0] == at[0] && known[1] == at[1]) return count + 1;
      if (known[2] == '\0') break;
    }
  }
  return 0;
}

}  // namespace

void NameText::add(const char* text, size_t length) {
  if (full_ || length >= room_ - size_) {
    full_ = true;
    return;
  }
  memcpy(out_ + size_, text, length);
  size_ += length;
}

void NameText::add_number(size_t number) {
  char digits[20];
  size_t at = sizeof digits;
  do digits[--at] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  add(digits + at, sizeof digits - at);
}

void NameText::insert(size_t at, char c) {
  add("?", 1);
  if (full_) return;
  memmove(out_ + at + 1, out_ + at, size_ - at - 1);
  out_[at] = c;
}

void NameText::erase(size_t at) {
  if (full_) return;
  --size_;
  memmove(out_ + at, out_ + at + 1, size_ - at);
}

size_t NameText::end() {
  if (full_) return 0;
  out_[size_] = '\0';
  return size_;
}

class MangledName::Deeper {
 public:
  explicit Deeper(MangledName* name) : name_(name) { ++name->depth_; }
  ~Deeper() { --name_->depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  explicit operator bool() const { return name_->depth_ <= kDeepest; }

 private:
  MangledName* name_;
};

bool MangledName::is_at(const char* text) const { return strncmp(at_, text, strlen(text)) == 0; }

void MangledName::copy(size_t count) {
  out_.add(at_, count);
  at_ += count;
}

bool MangledName::copy(const char* text) {
  if (!is_at(text)) return false;
  copy(strlen(text));
  return true;
}

bool MangledName::copy_all_of(const char* letters) {
  const size_t count = strspn(at_, letters);
  copy(count);
  return count != 0;
}

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

bool MangledName::template_parameter_declaration() {
  const Deeper deeper(this);
  if (!deeper || *at_ != 'T') return false;
  const char kind = at_[1];
  if (kind == '\0') return false;
  copy(2);
  if (kind == 'y') return true;
  if (kind == 'n') return type();
  if (kind == 'p') return template_parameter_declaration();
  if (kind != 't') return false;
  while (*at_ != 'E') {
    if (!template_parameter_declaration()) return false;
  }
  return copy_end();
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

// To the end of what has them, which may have none.
bool MangledName::types() {
  while (*at_ != 'E' && *at_ != '\0') {
    if (!type()) return false;
  }
  return true;
}

bool MangledName::type() {
  const Deeper deeper(this);
  if (!deeper) return false;
  if (is_lower(*at_) && !is_one_of(*at_, "rukpq")) {
    copy(1);
    return true;
  }
  if (*at_ == 'S' && at_[1] != 't') {
    if (!standard()) return false;
    if (*at_ != 'I') return true;
    if (!template_arguments()) return false;
    add_component();
    return true;
  }
  return type_named_by_letter();
}

bool MangledName::type_named_by_letter() {
  switch (*at_) {
    case 'u': {
      bool is_any = false;
      copy(1);
      if (!source_name(&is_any)) return false;
      if (*at_ != 'I') return true;
      if (!template_arguments()) return false;
      break;
    }
    case 'r':
    case 'V':
    case 'K':
      copy_all_of("rVK");
      if (!type()) return false;
      break;
    case 'P':
    case 'R':
    case 'O':
    case 'C':
    case 'G':
      copy(1);
      if (!type()) return false;
      break;
    case 'U':
      if (at_[1] == 'l' || at_[1] == 't') {
        if (!name(Part::kType)) return false;
      } else if (!wrapped_type()) {
        return false;
      }
      break;
    case 'A':
      if (!array_type()) return false;
      break;
    case 'M':
      copy(1);
      if (!type() || !type()) return false;
      break;
    case 'F':
      if (!function_type()) return false;
      break;
    case 'T':
      if (is_one_of(at_[1], "sue")) {
        copy(2);
        if (!name(Part::kType)) return false;
        break;
      }
      if (!template_parameter()) return false;
      if (*at_ != 'I') return true;
      if (!template_arguments()) return false;
      break;
    case 'D':
      return type_of_d();
    default:
      if (!name(Part::kType)) return false;
  }
  add_component();
  return true;
}

// A vendor's qualifier before a type.
bool MangledName::wrapped_type() {
  bool is_any = false;
  copy(1);
  if (!source_name(&is_any)) return false;
  return (*at_ != 'I' || template_arguments()) && type();
}

bool MangledName::function_type() {
  if (!copy("F")) return false;
  copy("Y");
  while (*at_ != 'E' && !is_at("RE") && !is_at("OE")) {
    if (!type()) return false;
  }
  if (*at_ != 'E') copy(1);
  return copy_end();
}

bool MangledName::array_type() {
  copy(1);
  if (is_digit(*at_)) {
    number();
  } else if (*at_ != '_' && !expression()) {
    return false;
  }
  return copy("_") && type();
}

// Types that begin with D.
bool MangledName::type_of_d() {
  if (is_one_of(at_[1], "defhisuacn")) {
    copy(2);
    return true;
  }
  if (copy("DF")) {
    number();
    return copy("_") || copy("b") || copy("x");
  }
  if (copy("DB") || copy("DU")) {
    if (is_digit(*at_)) {
      number();
    } else if (!expression()) {
      return false;
    }
    return copy("_");
  }
  bool is_read = false;
  if (copy("Dp")) {
    is_read = type();
  } else if (copy("Dt") || copy("DT")) {
    is_read = expression() && copy_end();
  } else if (copy("Do")) {
    is_read = function_type();
  } else if (copy("DO")) {
    is_read = expression() && copy_end() && function_type();
  } else if (copy("Dw")) {
    is_read = types() && copy_end() && function_type();
  } else if (copy("Dv")) {
    if (is_digit(*at_)) {
      number();
    } else if (!copy("_") || !expression()) {
      return false;
    }
    is_read = copy("_") && type();
  }
  if (is_read) add_component();
  return is_read;
}

bool MangledName::template_parameter() {
  if (!copy("T")) return false;
  if (copy("L")) {
    number();
    if (!copy("_")) return false;
  }
  number();
  if (!copy("_")) return false;
  add_component();
  return true;
}

bool MangledName::template_arguments() {
  const Deeper deeper(this);
  return deeper && copy("I") && arguments_to_end();
}

bool MangledName::arguments_to_end() {
  while (*at_ != 'E') {
    if (!template_argument()) return false;
  }
  return copy_end();
}

bool MangledName::template_argument() {
  const Deeper deeper(this);
  if (!deeper) return false;
  if (copy("X")) return expression() && copy_end();
  if (*at_ == 'L') return literal();
  if (copy("J")) return arguments_to_end();
  if (*at_ == 'T' && is_one_of(at_[1], "yntp")) return template_parameter_declaration();
  return type();
}

bool MangledName::literal() {
  const Deeper deeper(this);
  if (!deeper || !copy("L")) return false;
  if (copy("_Z")) return encoding(Part::kInner) && copy_end();
  if (!type()) return false;
  copy_all_of("n0123456789abcdef_");
  return copy_end();
}

bool MangledName::expressions_to_end() {
  while (*at_ != 'E') {
    if (!expression()) return false;
  }
  return copy_end();
}

bool MangledName::expression() {
  const Deeper deeper(this);
  if (!deeper) return false;
  if (*at_ == 'L') return literal();
  if (*at_ == 'T') return template_parameter();
  if (is_digit(*at_) || is_at("on") || is_at("dn")) return base_unresolved();
  if (is_at("fp") || (is_at("fL") && is_digit(at_[2]))) return function_parameter();
  if (is_one_of(at_[0], "f") && is_one_of(at_[1], "lrLR")) return fold();
  copy("gs");
  if (is_at("sr")) return unresolved();
  if (is_digit(*at_)) return base_unresolved();
  if (is_at("nw") || is_at("na")) return new_expression();
  if (copy("cl")) return expressions_to_end();
  if (copy("cv")) {
    if (!type()) return false;
    return copy("_") ? expressions_to_end() : expression();
  }
  if (copy("tl")) return type() && arguments_to_end();
  if (copy("il")) return expressions_to_end();
  if (copy("dc") || copy("sc") || copy("cc") || copy("rc")) return type() && expression();
  if (copy("ti") || copy("st") || copy("at")) return type();
  if (copy("sP")) return arguments_to_end();
  if (copy("tr")) return true;
  return operation();
}

bool MangledName::operation() {
  const unsigned count = operands_of(at_);
  if (count == 0) return false;
  // What is after a ++ or -- without it is before it.
  const bool is_step = is_at("pp") || is_at("mm");
  copy(2);
  if (is_step) copy("_");
  for (unsigned i = 0; i < count; ++i) {
    if (!expression()) return false;
  }
  return true;
}

bool MangledName::function_parameter() {
  if (copy("fpT")) return true;
  if (!copy("fp")) {
    if (!copy("fL") || !copy_all_of("0123456789") || !copy("p")) return false;
  }
  copy_all_of("rVK");
  number();
  return copy("_");
}

bool MangledName::new_expression() {
  copy(2);
  while (*at_ != '_') {
    if (!expression()) return false;
  }
  copy(1);
  if (!type()) return false;
  if (copy("pi")) return expressions_to_end();
  return *at_ == 'i' ? expression() : copy_end();
}

bool MangledName::fold() {
  const bool has_two = at_[1] == 'L' || at_[1] == 'R';
  copy(2);
  if (operands_of(at_) != 2) return false;
  copy(2);
  return expression() && (!has_two || expression());
}

bool MangledName::simple_name() {
  bool is_any = false;
  return source_name(&is_any) && (*at_ != 'I' || template_arguments());
}

bool MangledName::base_unresolved() {
  if (copy("on")) return operator_name() && (*at_ != 'I' || template_arguments());
  if (copy("dn")) return is_digit(*at_) ? simple_name() : type();
  return simple_name();
}

// A name behind a scope. Compilers write the scope with an end or without.
bool MangledName::unresolved() {
  copy(2);
  if (copy("N")) {
    if (!is_digit(*at_) && !type()) return false;
    while (*at_ != 'E') {
      if (!simple_name()) return false;
    }
    return copy_end() && base_unresolved();
  }
  if (!is_digit(*at_)) return type() && base_unresolved();
  while (is_digit(*at_)) {
    if (!simple_name()) return false;
  }
  // An end that another part follows is the scope's.
  if (*at_ != 'E' || (!is_digit(at_[1]) && strncmp(at_ + 1, "on", 2) != 0)) return true;
  copy(1);
  return base_unresolved();
}

}  // namespace torchada::kernels
