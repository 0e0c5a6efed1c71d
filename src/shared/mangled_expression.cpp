// Expressions in the types of templates.
#include "src/shared/mangled_letters.h"
#include "src/shared/mangled_name.h"

namespace torchada::kernels {

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
