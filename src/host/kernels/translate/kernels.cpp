// Which kernels a source has, and what they need.
#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "src/host/kernels/translate/source.h"

namespace kernels {
namespace {

constexpr std::size_t kSharedAlignment = 128;

// What a header of ours says of a function that device code cannot have here.
std::string refusal_of(CXCursor function) {
  for (const CXCursor& child : children_of(function)) {
    const std::string text = name_of(child);
    if (kind_of(child) == CXCursor_AnnotateAttr && text.rfind(kRefused, 0) == 0) {
      return text.substr(kRefused.size());
    }
  }
  return "";
}

// The instantiation `name<arguments>` in what libclang prints for it. Packs of arguments are
// printed with brackets of their own.
std::string expression_in(const std::string& printed, const std::string& name) {
  std::smatch found;
  const std::regex named("(^|[ (])(([^ (]*:)?" + name + ")[<(]");
  if (!std::regex_search(printed, found, named)) return "";
  std::string out = found[2];
  std::vector<bool> dropped;  // of the brackets that are open
  char before = '\0';
  for (auto at = found[2].second; *at == '<' || !dropped.empty(); ++at) {
    if (*at == '<') dropped.push_back(dropped.size() == 1 && (before == ',' || before == '<'));
    if ((*at != '<' && *at != '>') || !dropped.back()) out += *at;
    if (*at == '>') dropped.pop_back();
    if (*at != ' ') before = *at;
  }
  // An empty pack leaves a comma.
  for (std::size_t comma; (comma = out.find(", >")) != std::string::npos;) out.erase(comma, 2);
  return out;
}

}  // namespace

void Source::use_function(CXCursor function) {
  if (kind_of(function) == CXCursor_FunctionTemplate) return;
  CXCursor defined = clang_getCursorDefinition(function);
  if (clang_Cursor_isNull(defined) != 0) defined = function;
  const std::string name = mangled_name(defined);
  const std::string file = name_place(defined).file;
  // A template of the system's may call what the program gave it.
  const bool may_call_back =
      is_own_header(file) || clang_Cursor_isNull(clang_getSpecializedCursorTemplate(defined)) == 0;
  if (!(is_ours(file) || may_call_back) || facts_.count(name) != 0) return;
  if (clang_CXXMethod_isDefaulted(defined) != 0 || name.rfind("__builtin_", 0) == 0) return;
  Facts& facts = facts_[name];
  Facts found;
  found.needs_thread = clang_isCursorDefinition(defined) == 0;
  for (const CXCursor& child : children_of(defined)) collect(child, &found);
  // The mark of sources that count on the lockstep of a warp.
  const auto sync = found.calls.lower_bound("_Z10__syncwarp");
  const bool syncs = sync != found.calls.end() && sync->rfind("_Z10__syncwarp", 0) == 0;
  if (!syncs && !found.volatile_pointers.empty()) {
    warnings_.push_back(found.volatile_pointers.front());
  }
  facts = std::move(found);
  if (has_child(defined, CXCursor_CUDAGlobalAttr) && clang_isCursorDefinition(defined) != 0) {
    add_kernel(defined);
  }
}

// Whether it uses a thread's state, or may hide what does.
bool Source::may_need_thread(CXCursor cursor) const {
  const CXCursorKind kind = kind_of(cursor);
  const std::string name = name_of(cursor);
  if (kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl) return true;  // its functions
  if (kind == CXCursor_DeclRefExpr) return name == "torchada_here" || name == "__assert_fail";
  if (kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(cursor) != CX_SC_None) return true;
  if (kind == CXCursor_CallExpr && !is_function(clang_getCursorReferenced(cursor)) &&
      !is_own_header(start_of(cursor).file)) {
    return true;  // through a pointer
  }
  if (kind != CXCursor_CallExpr && kind != CXCursor_VarDecl) return false;
  if (has_child(cursor, CXCursor_CUDASharedAttr)) return true;
  // Destructors are not shown.
  const CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  if (is_one_of(type.kind, {CXType_Void, CXType_LValueReference, CXType_RValueReference}) ||
      clang_isPODType(type) != 0) {
    return false;
  }
  const std::string file = name_place(clang_getTypeDeclaration(type)).file;
  return file.empty() || is_ours(file);
}

void Source::collect(CXCursor cursor, Facts* facts) {
  const CXCursorKind kind = kind_of(cursor);
  if (is_one_of(kind, {CXCursor_FunctionTemplate, CXCursor_ClassTemplate,
                       CXCursor_ClassTemplatePartialSpecialization})) {
    return;  // Its instantiations are looked at where they are used.
  }
  if (is_function(cursor)) return use_function(cursor);
  facts->needs_thread = facts->needs_thread || may_need_thread(cursor);
  const Place place = start_of(cursor);
  if (kind == CXCursor_AsmStmt || kind == CXCursor_MSAsmStmt) {
    const auto tokens = tokens_of(unit_, cursor);
    const bool empty = std::any_of(tokens.begin(), tokens.end(),
                                   [](const Token& token) { return token.text == "\"\""; });
    if (!empty) facts->refused.push_back({place, "inline assembly (PTX)"});
  }
  const CXType pointee = clang_getPointeeType(clang_getCursorType(cursor));
  if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) &&
      clang_isVolatileQualifiedType(pointee) != 0) {
    facts->volatile_pointers.push_back(
        {place,
         "a volatile pointer: if threads of a warp exchange values through it without __syncwarp, "
         "the result is wrong, because they do not run in lockstep"});
  }
  if (kind == CXCursor_VarDecl && has_child(cursor, CXCursor_CUDASharedAttr)) {
    const long long size = clang_Type_getSizeOf(clang_getCursorType(cursor));
    if (size > 0) {
      facts->shared[place.file + std::to_string(name_place(cursor).offset)] =
          (static_cast<std::size_t>(size) + kSharedAlignment - 1) / kSharedAlignment *
          kSharedAlignment;
    }
  }
  if (is_one_of(kind, {CXCursor_CallExpr, CXCursor_DeclRefExpr, CXCursor_MemberRefExpr})) {
    const CXCursor used = clang_getCursorReferenced(cursor);
    if (is_function(used)) {
      use_function(used);
      facts->calls.insert(mangled_name(used));
    }
    facts->reads_position = facts->reads_position || name_of(cursor) == "threadIdx";
    const std::string refused = refusal_of(used);
    if (!refused.empty()) facts->refused.push_back({place, refused});
  }
  for (const CXCursor& child : children_of(cursor)) collect(child, facts);
}

void Source::add_kernel(CXCursor function) {
  Kernel kernel;
  kernel.place = name_place(function);
  kernel.mangled = mangled_name(function);
  CXPrintingPolicy policy = clang_getCursorPrintingPolicy(function);
  clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
  clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_FullyQualifiedName, 1);
  std::string printed = text_of(clang_getCursorPrettyPrinted(function, policy));
  clang_PrintingPolicy_dispose(policy);
  kernel.type =
      text_of(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(function))));
  const std::regex unwritten(R"(\(anonymous namespace\)::|__attribute__\(\(global\)\))");
  for (std::string* text : {&printed, &kernel.type}) {
    *text = std::regex_replace(*text, unwritten, "");
  }
  kernel.expression = expression_in(printed, name_of(function));
  const std::string both = kernel.expression + kernel.type;
  if (kernel.expression.empty() || both.find("(lambda") != std::string::npos ||
      both.find("(unnamed") != std::string::npos) {
    return refuse(kernel.place, "a kernel made for a lambda or a type without a name");
  }
  // __launch_bounds__, if it does not depend on the template's arguments.
  kernel.max_threads = "0";
  const auto tokens = tokens_of(unit_, function);
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const std::string& bound = tokens[i + 2].text;
    const bool ends = tokens[i + 3].text == ")" || tokens[i + 3].text == ",";
    const bool is_number = std::isdigit(static_cast<unsigned char>(bound.front())) != 0;
    if (tokens[i].text == "__launch_bounds__" && ends && is_number) kernel.max_threads = bound;
  }
  kernel.function = function;
  kernels_.push_back(std::move(kernel));
}

// Everything that a kernel reaches counts for it.
void Source::check_kernels() {
  for (Kernel& kernel : kernels_) {
    std::set<std::string> seen{kernel.mangled};
    std::vector<std::string> left{kernel.mangled};
    std::map<std::string, std::size_t> shared;
    while (!left.empty()) {
      const auto facts = facts_.find(left.back());
      left.pop_back();
      if (facts == facts_.end()) continue;
      kernel.is_plain = kernel.is_plain && !facts->second.needs_thread &&
                        (facts->first == kernel.mangled || !facts->second.reads_position);
      for (const Message& message : facts->second.refused) refuse(message.place, message.text);
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
  if (settings_.at_run_time && settings_.warp_size == 32) return;
  const std::regex about("warp|lane|threadidx|_sync\\(", std::regex::icase);
  const std::regex number("(^|[^\\w.])(32|31|0x1f|0xffffffffu?)([^\\w.]|$)", std::regex::icase);
  for (const auto& [file, text] : contents_) {
    std::istringstream lines(text);
    unsigned int line = 0;
    unsigned int first = 0;
    int count = 0;
    for (std::string words; std::getline(lines, words);) {
      ++line;
      words.resize(std::min(words.find("//"), words.size()));
      if (!std::regex_search(words, about) || !std::regex_search(words, number)) continue;
      if (count++ == 0) first = line;
    }
    if (count == 0) continue;
    warnings_.push_back({{file, first},
                         "this takes a warp for 32 threads (" + std::to_string(count) +
                             (count == 1 ? " line" : " lines") +
                             "); on mp_21 and mp_22 it has 128: use warpSize"});
  }
}

bool Source::has(const std::string& mangled) const {
  const auto is_it = [&](const auto& symbol) { return symbol.mangled == mangled; };
  return std::any_of(kernels_.begin(), kernels_.end(), is_it) ||
         std::any_of(variables_.begin(), variables_.end(), is_it);
}

}  // namespace kernels
