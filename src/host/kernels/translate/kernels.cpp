// Which kernels a source has, and what they need.
#include <algorithm>
#include <cctype>

#include "src/host/kernels/translate/source.h"

namespace kernels {
namespace {

constexpr std::size_t kSharedAlignment = 128;

// Functions that device code cannot have here, by the beginning of their names.
struct Refused {
  const char* name;
  const char* what;
};
constexpr Refused kRefused[] = {
    {"tex1D", "a texture in a kernel"},         {"tex2D", "a texture in a kernel"},
    {"tex3D", "a texture in a kernel"},         {"surf2D", "a surface in a kernel"},
    {"this_grid", "grid-wide synchronisation"}, {"this_cluster", "a cluster"},
};

void remove_all(std::string* text, const std::string& word) {
  for (std::size_t at = 0; (at = text->find(word, at)) != std::string::npos;) {
    text->erase(at, word.size());
  }
}

bool starts_name(char before) { return before == ' ' || before == '(' || before == '\0'; }

// The instantiation `name<arguments>` in what libclang prints for it. Packs of arguments are
// printed with brackets of their own.
std::string expression_in(const std::string& printed, const std::string& name) {
  std::size_t at = 0;
  while ((at = printed.find(name, at)) != std::string::npos) {
    const char before = at == 0 ? '\0' : printed[at - 1];
    const char after = at + name.size() < printed.size() ? printed[at + name.size()] : '\0';
    if ((starts_name(before) || before == ':') && (after == '<' || after == '(')) break;
    ++at;
  }
  if (at == std::string::npos) return "";
  std::size_t begin = at;
  while (begin > 0 && !starts_name(printed[begin - 1])) --begin;
  std::string out = printed.substr(begin, at + name.size() - begin);
  std::size_t next = at + name.size();
  if (next >= printed.size() || printed[next] != '<') return out;
  int depth = 0;
  std::vector<bool> dropped;
  do {
    const char c = printed[next];
    if (c == '<') {
      std::size_t back = next - 1;
      while (printed[back] == ' ') --back;
      dropped.push_back(depth == 1 && (printed[back] == ',' || printed[back] == '<'));
      if (!dropped.back()) out += c;
      ++depth;
    } else if (c == '>') {
      --depth;
      if (!dropped.back()) out += c;
      dropped.pop_back();
    } else {
      out += c;
    }
    ++next;
  } while (depth != 0 && next < printed.size());
  // An empty pack leaves a comma.
  for (std::size_t comma; (comma = out.find(", >")) != std::string::npos;) out.erase(comma, 2);
  return out;
}

std::string signature(CXCursor function) { return text_of(clang_Cursor_getMangling(function)); }

}  // namespace

void Source::use_function(CXCursor function) {
  if (kind_of(function) == CXCursor_FunctionTemplate) return;
  CXCursor defined = clang_getCursorDefinition(function);
  if (clang_Cursor_isNull(defined) != 0) defined = function;
  const std::string name = signature(defined);
  if (!is_ours(place_of(clang_getCursorLocation(defined)).file) || facts_.count(name) != 0) return;
  Facts& facts = facts_[name];
  Facts found;
  for_each_child(defined, [&](CXCursor child) { collect(child, &found); });
  facts = std::move(found);
  if (has_child(defined, CXCursor_CUDAGlobalAttr) && clang_isCursorDefinition(defined) != 0) {
    add_kernel(defined);
  }
}

void Source::collect(CXCursor cursor, Facts* facts) {
  const CXCursorKind kind = kind_of(cursor);
  if (is_function_template(cursor) || kind == CXCursor_ClassTemplate ||
      kind == CXCursor_ClassTemplatePartialSpecialization) {
    return;  // Its instantiations are looked at where they are used.
  }
  if (is_function(cursor)) return use_function(cursor);
  const Place place = start_of(cursor);
  if (kind == CXCursor_AsmStmt || kind == CXCursor_MSAsmStmt) {
    const auto tokens = tokens_of(unit_, cursor);
    const bool empty = std::any_of(tokens.begin(), tokens.end(),
                                   [](const Token& token) { return token.text == "\"\""; });
    if (!empty) facts->refused.push_back({place.file, place.line, "inline assembly (PTX)"});
  }
  if (kind == CXCursor_VarDecl && has_child(cursor, CXCursor_CUDASharedAttr)) {
    const long long size = clang_Type_getSizeOf(clang_getCursorType(cursor));
    if (size > 0) {
      facts->shared[place.file + std::to_string(place_of(clang_getCursorLocation(cursor)).offset)] =
          (static_cast<std::size_t>(size) + kSharedAlignment - 1) / kSharedAlignment *
          kSharedAlignment;
    }
  }
  if (kind == CXCursor_CallExpr || kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr) {
    const CXCursor used = clang_getCursorReferenced(cursor);
    if (is_function(used)) {
      use_function(used);
      facts->calls.insert(signature(used));
    }
    const std::string name = text_of(clang_getCursorSpelling(cursor));
    const bool theirs = is_function(used) && is_ours(start_of(used).file);
    for (const Refused& refused : kRefused) {
      if (!theirs && name.rfind(refused.name, 0) == 0) {
        facts->refused.push_back({place.file, place.line, refused.what});
        break;
      }
    }
  }
  for_each_child(cursor, [&](CXCursor child) { collect(child, facts); });
}

void Source::add_kernel(CXCursor function) {
  Kernel kernel;
  const Place place = place_of(clang_getCursorLocation(function));
  kernel.place = {place.file, place.line, ""};
  kernel.mangled = signature(function);
  CXPrintingPolicy policy = clang_getCursorPrintingPolicy(function);
  clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
  clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_FullyQualifiedName, 1);
  std::string printed = text_of(clang_getCursorPrettyPrinted(function, policy));
  clang_PrintingPolicy_dispose(policy);
  kernel.type =
      text_of(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(function))));
  for (std::string* text : {&printed, &kernel.type}) {
    remove_all(text, "(anonymous namespace)::");
    remove_all(text, "__attribute__((global))");
  }
  kernel.expression = expression_in(printed, text_of(clang_getCursorSpelling(function)));
  if (kernel.expression.empty() || kernel.expression.find('(') != std::string::npos ||
      kernel.type.find("(lambda") != std::string::npos ||
      kernel.type.find("(unnamed") != std::string::npos) {
    const bool cast = kernel.expression.find("(lambda") == std::string::npos &&
                      kernel.expression.find("(unnamed") == std::string::npos &&
                      kernel.type.find("(lambda") == std::string::npos &&
                      kernel.type.find("(unnamed") == std::string::npos;
    if (!cast || kernel.expression.empty()) {
      return refuse(place, "a kernel made for a lambda or a type without a name");
    }
  }
  // __launch_bounds__, if it does not depend on the template's arguments.
  kernel.max_threads = "0";
  const auto tokens = tokens_of(unit_, function);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "__launch_bounds__") continue;
    const std::string& bound = tokens[i + 2].text;
    const bool ends =
        i + 3 < tokens.size() && (tokens[i + 3].text == ")" || tokens[i + 3].text == ",");
    if (ends && std::isdigit(static_cast<unsigned char>(bound.front())) != 0) {
      kernel.max_threads = bound;
    }
    break;
  }
  kernels_.push_back(std::move(kernel));
}

// Everything that a kernel reaches counts for it.
void Source::check_kernels() {
  std::set<std::pair<std::string, unsigned int>> told;
  for (Kernel& kernel : kernels_) {
    std::set<std::string> seen{kernel.mangled};
    std::vector<std::string> left{kernel.mangled};
    std::map<std::string, std::size_t> shared;
    while (!left.empty()) {
      const auto facts = facts_.find(left.back());
      left.pop_back();
      if (facts == facts_.end()) continue;
      for (const Message& message : facts->second.refused) {
        if (told.insert({message.file, message.line}).second) {
          refuse({message.file, message.line, 0, false}, message.text);
        }
      }
      shared.insert(facts->second.shared.begin(), facts->second.shared.end());
      for (const std::string& called : facts->second.calls) {
        if (seen.insert(called).second) left.push_back(called);
      }
    }
    for (const auto& [place, size] : shared) kernel.shared_size += size;
  }
}

// A source that writes 32 where it means the size of a warp.
void Source::check_warp_sizes() {
  for (const auto& [file, text] : contents_) {
    unsigned int line = 0;
    unsigned int first = 0;
    int count = 0;
    for (std::size_t at = 0; at < text.size();) {
      ++line;
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string words = text.substr(at, end - at);
      at = end + 1;
      if (const auto comment = words.find("//"); comment != std::string::npos)
        words.resize(comment);
      std::transform(words.begin(), words.end(), words.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const bool about =
          words.find("warp") != std::string::npos || words.find("lane") != std::string::npos ||
          words.find("threadidx") != std::string::npos || words.find("_sync(") != std::string::npos;
      const auto has = [&](const std::string& number) {
        for (std::size_t i = 0; (i = words.find(number, i)) != std::string::npos; ++i) {
          const char before = i == 0 ? ' ' : words[i - 1];
          const char after = i + number.size() < words.size() ? words[i + number.size()] : ' ';
          if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_' &&
              before != '.' && std::isalnum(static_cast<unsigned char>(after)) == 0 &&
              after != '_' && after != '.') {
            return true;
          }
        }
        return false;
      };
      if (!about ||
          !(has("32") || has("31") || has("0x1f") || has("0xffffffff") || has("0xffffffffu"))) {
        continue;
      }
      if (count++ == 0) first = line;
    }
    if (count == 0) continue;
    warnings_.push_back({file, first,
                         "this takes a warp for 32 threads (" + std::to_string(count) +
                             (count == 1 ? " line" : " lines") +
                             "); on mp_21 and mp_22 it has 128: use warpSize"});
  }
}

}  // namespace kernels
