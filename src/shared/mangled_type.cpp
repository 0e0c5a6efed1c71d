// Types, and the parameters and arguments of templates.
#include "src/shared/mangled_letters.h"
#include "src/shared/mangled_name.h"

namespace torchada::kernels {

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

}  // namespace torchada::kernels
