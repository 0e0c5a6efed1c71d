#include "src/companion/trace/values.h"

#include <dlfcn.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "src/companion/trace/memory.h"
#include "src/shared/print.h"

namespace torchada::trace {
namespace {

constexpr std::size_t kLongestText = 256;      // Bytes of a text behind a pointer.
constexpr std::size_t kLongestPointee = 8192;  // Bytes of a struct behind a pointer.
constexpr std::uint32_t kShownElements = 16;   // Elements of an array shown in text.

template <typename Number>
Number load(const void* bytes) {
  Number out;
  std::memcpy(&out, bytes, sizeof out);
  return out;
}

std::int64_t signed_value(const void* bytes, std::uint32_t size) {
  switch (size) {
    case 1:
      return load<std::int8_t>(bytes);
    case 2:
      return load<std::int16_t>(bytes);
    case 4:
      return load<std::int32_t>(bytes);
    default:
      return load<std::int64_t>(bytes);
  }
}

std::uint64_t unsigned_value(const void* bytes, std::uint32_t size) {
  switch (size) {
    case 1:
      return load<std::uint8_t>(bytes);
    case 2:
      return load<std::uint16_t>(bytes);
    case 4:
      return load<std::uint32_t>(bytes);
    default:
      return load<std::uint64_t>(bytes);
  }
}

template <typename Number>
void write_floating(Buffer* out, Style style, Number value) {
  if (style == Style::kJson && !std::isfinite(value)) {
    print(out, "\"{}\"", value);
  } else {
    print(out, "{}", value);
  }
}

void write_pointer(Buffer* out, Style style, std::uint64_t value) {
  if (style == Style::kJson) {
    print(out, "\"{:#x}\"", value);
  } else if (value == 0) {
    append(out, "null");
  } else {
    print(out, "{:#x}", value);
  }
}

void write_callback(Buffer* out, Style style, std::uint64_t value) {
  const std::string place = place_of_code(value);
  if (place.empty()) {
    write_pointer(out, style, value);
  } else if (style == Style::kJson) {
    write_quoted(out, style, fmt::format("{:#x} {}", value, place));
  } else {
    print(out, "{:#x} ({})", value, place);
  }
}

// Does not write trailing zeros.
void write_characters(Buffer* out, Style style, const char* text, std::size_t size) {
  while (size > 0 && text[size - 1] == '\0') --size;
  write_quoted(out, style, {text, size});
}

void write_array(Buffer* out, Style style, const ValueType& type, const char* bytes) {
  const ValueType& element = type_at(type.target);
  if (element.kind == ValueKind::kCharacter) return write_characters(out, style, bytes, type.size);
  append(out, "[");
  for (std::uint32_t i = 0; i < type.count; ++i) {
    if (i > 0) append(out, ", ");
    if (style == Style::kText && i == kShownElements) {
      append(out, "...");
      break;
    }
    write_value(out, style, element, bytes + std::size_t{i} * element.size);
  }
  append(out, "]");
}

void write_struct(Buffer* out, Style style, const ValueType& type, const char* bytes) {
  append(out, "{");
  for (std::uint32_t i = 0; i < type.count; ++i) {
    const Member& member = prototype_members[type.first + i];
    if (i > 0) append(out, ", ");
    if (style == Style::kJson) {
      write_quoted(out, style, text_at(member.name));
      append(out, ": ");
    } else {
      print(out, "{}=", text_at(member.name));
    }
    write_value(out, style, type_at(member.type), bytes + member.offset);
  }
  append(out, "}");
}

void write_enumerator(Buffer* out, Style style, const ValueType& type, const void* bytes) {
  // Enumerations with numbers above the signed range keep them unsigned in the table.
  const char* name = enumerator_name(type, load<std::int32_t>(bytes));
  if (!name) name = enumerator_name(type, load<std::uint32_t>(bytes));
  if (!name) return print(out, "{}", load<std::int32_t>(bytes));
  if (style == Style::kJson) return write_quoted(out, style, name);
  append(out, name);
}

}  // namespace

void append(Buffer* out, std::string_view text) {
  out->append(text.data(), text.data() + text.size());
}

void write_quoted(Buffer* out, Style style, std::string_view text) {
  append(out, "\"");
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (c == '\n') {
      append(out, "\\n");
    } else if (byte >= 0x20 && byte < 0x7f) {
      out->push_back(c);
    } else if (style == Style::kJson) {
      print(out, "\\u{:04x}", byte);
    } else {
      print(out, "\\x{:02x}", byte);
    }
  }
  append(out, "\"");
}

void write_value(Buffer* out, Style style, const ValueType& type, const void* bytes) {
  switch (type.kind) {
    case ValueKind::kVoid:
    case ValueKind::kOpaque:
      return append(out, style == Style::kJson ? "null" : "void");
    case ValueKind::kSigned:
      return print(out, "{}", signed_value(bytes, type.size));
    case ValueKind::kUnsigned:
      return print(out, "{}", unsigned_value(bytes, type.size));
    case ValueKind::kFloating:
      if (type.size == 4) return write_floating(out, style, load<float>(bytes));
      return write_floating(out, style, load<double>(bytes));
    case ValueKind::kCharacter:
      return write_quoted(out, style, {static_cast<const char*>(bytes), 1});
    case ValueKind::kEnum:
      return write_enumerator(out, style, type, bytes);
    case ValueKind::kPointer:
    case ValueKind::kHandle:
      return write_pointer(out, style, load<std::uint64_t>(bytes));
    case ValueKind::kCallback:
      return write_callback(out, style, load<std::uint64_t>(bytes));
    case ValueKind::kArray:
      return write_array(out, style, type, static_cast<const char*>(bytes));
    case ValueKind::kStruct:
      return write_struct(out, style, type, static_cast<const char*>(bytes));
  }
}

bool has_pointee(const ValueType& type) {
  if (type.kind != ValueKind::kPointer) return false;
  const ValueType& target = type_at(type.target);
  return target.kind != ValueKind::kVoid && target.kind != ValueKind::kOpaque &&
         target.size <= kLongestPointee;
}

bool write_pointee(Buffer* out, Style style, const ValueType& type, std::uint64_t address) {
  if (!has_pointee(type) || address == 0) return false;
  const ValueType& target = type_at(type.target);
  std::string text;
  bool is_cut = false;
  if (target.kind == ValueKind::kCharacter) {
    if (!read_text(address, kLongestText, &text, &is_cut)) return false;
    write_quoted(out, style, text);
    if (is_cut && style == Style::kText) append(out, "...");
    return true;
  }
  std::vector<char> bytes(target.size);
  if (!read_memory(address, bytes.data(), bytes.size())) return false;
  // Behind a pointer to a pointer, the text is what the reader wants to see.
  if (target.kind == ValueKind::kPointer && type_at(target.target).kind == ValueKind::kCharacter &&
      write_pointee(out, style, target, load<std::uint64_t>(bytes.data()))) {
    return true;
  }
  write_value(out, style, target, bytes.data());
  return true;
}

std::string place_of_code(std::uint64_t address) {
  Dl_info info;
  if (address == 0 || dladdr(reinterpret_cast<void*>(address), &info) == 0 || !info.dli_fname) {
    return "";
  }
  const char* slash = std::strrchr(info.dli_fname, '/');
  std::string out = slash ? slash + 1 : info.dli_fname;
  out += fmt::format("+{:#x}", address - reinterpret_cast<std::uint64_t>(info.dli_fbase));
  if (!info.dli_sname) return out;
  const std::uint64_t inside = address - reinterpret_cast<std::uint64_t>(info.dli_saddr);
  return out + " " + info.dli_sname + (inside == 0 ? "" : fmt::format("+{:#x}", inside));
}

}  // namespace torchada::trace
