// The edits that make C++ of a source: host code goes, __shared__ variables become the block's.
#include <algorithm>
#include <cctype>
#include <utility>

#include "src/host/kernels/translate/source.h"

namespace kernels {
namespace {

bool is_for_device(CXCursor cursor) {
  return has_child(cursor, CXCursor_CUDAGlobalAttr) || has_child(cursor, CXCursor_CUDADeviceAttr);
}

bool contain(const std::vector<Token>& tokens, std::initializer_list<std::string> words) {
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](const Token& token) { return is_one_of(token.text, words); });
}

// Where the initialisers of a constructor begin; otherwise where the body does.
unsigned int begin_of_body(const std::vector<Token>& tokens, unsigned int body) {
  int depth = 0;
  bool parameters = false;
  for (const Token& token : tokens) {
    if (token.begin >= body) break;
    if (token.text == "(" || token.text == "{") ++depth;
    if (token.text == ")" || token.text == "}") parameters = --depth == 0 || parameters;
    if (depth == 0 && parameters && token.text == ":") return token.begin;
  }
  return body;
}

// The template heads before a member function template that is defined outside of its class.
// libclang takes only the last one for a part of it.
unsigned int begin_with_templates(const std::string& text, unsigned int begin) {
  constexpr std::size_t kSize = 8;  // of "template"
  const auto skip_spaces = [&](std::size_t at) {
    while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])) != 0) --at;
    return at;
  };
  std::size_t at = skip_spaces(begin);
  if (at == 0 || text[at - 1] != '>') return begin;
  int depth = 0;
  do {
    --at;
    depth += text[at] == '>' ? 1 : text[at] == '<' ? -1 : 0;
  } while (at > 0 && depth != 0);
  at = skip_spaces(at);
  if (at < kSize || text.substr(at - kSize, kSize) != "template") return begin;
  return begin_with_templates(text, static_cast<unsigned int>(at - kSize));
}

}  // namespace

bool Source::is_host_code(CXCursor function) const {
  if (is_for_device(function)) return false;
  if (settings_.default_device) return has_child(function, CXCursor_CUDAHostAttr);
  for (const Token& token : tokens_of(unit_, function)) {
    if (token.text == "constexpr") return false;
    if (token.text == "{") break;  // What the body has does not matter.
  }
  return true;
}

void Source::edit(CXCursor cursor, bool in_function) {
  std::vector<CXCursor> shared;
  const auto children = own_children(cursor);
  for (const CXCursor& child : children) {
    const Place start = start_of(child);
    if (start.in_macro && !(is_function(child) && is_host_code(child))) {
      kept_macros_.insert({start.file, start.offset});
    }
  }
  for (const CXCursor& child : children) {
    if (is_function(child)) {
      edit_function(child);
    } else if (kind_of(child) == CXCursor_VarDecl) {
      if (has_child(child, CXCursor_CUDASharedAttr)) {
        if (!in_function && !shared.empty() && start_of(shared[0]) != start_of(child)) {
          edit_shared(cursor, std::exchange(shared, {}), false);
        }
        shared.push_back(child);
      } else if (!in_function &&
                 clang_getCursorSemanticParent(child).kind != CXCursor_FunctionDecl) {
        edit_variable(child);
      }
      edit(child, in_function);
    } else if (!in_function && kind_of(child) == CXCursor_UnexposedDecl) {
      refuse_assembly(child);
      edit(child, in_function);
    } else {
      edit(child, in_function || kind_of(child) == CXCursor_LambdaExpr);
    }
  }
  if (!shared.empty()) edit_shared(cursor, shared, in_function);
}

// Outside of functions it would be the CPU's, and could read files (.incbin).
void Source::refuse_assembly(CXCursor declaration) {
  const auto tokens = tokens_of(unit_, declaration);
  if (!tokens.empty() && is_one_of<std::string>(tokens[0].text, {"asm", "__asm__", "__asm"})) {
    refuse(start_of(declaration), "assembly outside of functions");
  }
}

// The built-in variables are macros. What a program names like them gets another name.
void Source::edit_names(CXCursor cursor) {
  for (const CXCursor& child : own_children(cursor)) edit_names(child);
  const std::string name = name_of(cursor);
  if (!is_one_of<std::string>(name, {"threadIdx", "blockIdx", "blockDim", "gridDim"})) return;
  const CXCursor named = clang_getCursorReferenced(cursor);
  const bool declares = clang_isDeclaration(kind_of(cursor)) != 0;
  const bool built_in = !is_ours(name_place(declares ? cursor : named).file);
  const Place begin = start_of(cursor);
  const Place at = name_place(cursor);
  if (at.in_macro) return;
  if (built_in) return replace(begin.file, begin.offset, at.offset, "");  // ::
  const auto end = at.offset + static_cast<unsigned int>(name.size());
  replace(at.file, at.offset, end, name + "__torchada");
}

void Source::edit_function(CXCursor function) {
  CXCursor body = clang_getNullCursor();
  for (const CXCursor& child : children_of(function)) {
    if (kind_of(child) == CXCursor_CompoundStmt) body = child;
  }
  const auto tokens = tokens_of(unit_, function);
  if (!is_host_code(function)) {
    for (const Token& token : tokens) {
      if (token.text != "<<<") continue;
      Place place = start_of(function);
      const std::string& text = contents_.at(place.file);
      place.line += static_cast<unsigned int>(
          std::count(text.begin() + place.offset, text.begin() + token.begin, '\n'));
      refuse(place, "a launch from device code (dynamic parallelism)");
    }
    return edit(function, true);
  }
  const Place start = start_of(function);
  // A macro may make something that is needed as well.
  if (!is_ours(start.file) || kept_macros_.count({start.file, start.offset}) != 0) return;
  const std::string& text = contents_.at(start.file);
  const CXCursor parent = clang_getCursorSemanticParent(function);
  const bool is_inside = clang_equalCursors(parent, clang_getCursorLexicalParent(function)) != 0;
  const bool is_member = is_inside && kind_of(parent) != CXCursor_TranslationUnit &&
                         kind_of(parent) != CXCursor_Namespace;
  if (!is_member && (!is_inside || start.in_macro || clang_isInvalidDeclaration(function) != 0)) {
    return replace(start.file, begin_with_templates(text, start.offset), end_of(function).offset,
                   "");
  }
  // Others stay, declared: what is needed may name them.
  if (clang_Cursor_isNull(body) != 0) return;
  const Place begin = start_of(body);
  const Place end = end_of(body);
  if (begin.file != end.file || begin.file != start.file || text[begin.offset] != '{') return;
  replace(start.file, begin_of_body(tokens, begin.offset), end.offset, ";");
}

// Variables of host code go: what initialises them may be host code. Constants that a compiler can
// compute stay, as kernels may use them.
void Source::edit_variable(CXCursor variable) {
  const bool by_default = settings_.default_device && !is_hidden(start_of(variable)) &&
                          clang_isConstQualifiedType(clang_getCursorType(variable)) == 0 &&
                          !is_one_of(kind_of(clang_getCursorSemanticParent(variable)),
                                     {CXCursor_ClassDecl, CXCursor_StructDecl});
  if (by_default || has_child(variable, CXCursor_CUDADeviceAttr) ||
      has_child(variable, CXCursor_CUDAConstantAttr)) {
    const bool declared = clang_Cursor_getStorageClass(variable) == CX_SC_Extern &&
                          clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(variable)) != 0;
    if (declared || clang_isCursorDefinition(variable) == 0) return;
    std::string name = name_of(variable);
    for (CXCursor outer = clang_getCursorSemanticParent(variable);
         outer.kind != CXCursor_TranslationUnit; outer = clang_getCursorSemanticParent(outer)) {
      const std::string spelled = name_of(outer);
      if (kind_of(outer) == CXCursor_ClassTemplate) return;
      if (!spelled.empty() && spelled.front() != '(') name = spelled + "::" + name;
    }
    variables_.push_back(
        {mangled_name(variable), "::" + name, has_child(variable, CXCursor_CUDAConstantAttr)});
    return;
  }
  const CXCursorKind parent = kind_of(clang_getCursorLexicalParent(variable));
  if (!is_one_of(parent, {CXCursor_TranslationUnit, CXCursor_Namespace, CXCursor_LinkageSpec})) {
    return;
  }
  const auto tokens = tokens_of(unit_, variable);
  if (contain(tokens, {"constexpr", "template"})) return;
  if (clang_isConstQualifiedType(clang_getCursorType(variable)) != 0) {
    CXEvalResult value = clang_Cursor_Evaluate(variable);
    const CXEvalResultKind kind =
        value == nullptr ? CXEval_UnExposed : clang_EvalResult_getKind(value);
    if (value != nullptr) clang_EvalResult_dispose(value);
    if (kind == CXEval_Int || kind == CXEval_Float) return;
  }
  const Place start = start_of(variable);
  const Place end = end_of(variable);
  const bool defines_type = contain(tokens, {"struct", "class", "enum", "union"});
  if (start.in_macro || end.in_macro || defines_type) return;
  replace(start.file, start.offset, end.offset, "");
}

// `__shared__ float a[N], b;` becomes `typedef float a__t[N], b__t; ...; a__t& a = ...`.
void Source::edit_shared(CXCursor declaration, const std::vector<CXCursor>& variables,
                         bool in_function) {
  const CXCursor first = variables.front();
  const Place start = start_of(in_function ? declaration : first);
  if (start.in_macro) return refuse(start, "a __shared__ variable in a macro");
  const auto tokens = tokens_of(unit_, in_function ? declaration : first);
  bool done = false, is_extern = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.text == "alignas") {  // All shared memory is aligned to 128 bytes.
      i = after_brackets(tokens, i + 1) - 1;
      replace(start.file, token.begin, tokens[i].end, "");
    } else if (token.text == "__shared__") {
      replace(start.file, token.begin, token.end, done ? "" : "typedef");
      done = true;
    } else if (is_one_of<std::string>(token.text, {"extern", "static", "__device__"})) {
      is_extern = is_extern || token.text == "extern";
      replace(start.file, token.begin, token.end, "");
    }
  }
  if (!done) return refuse(start, "a __shared__ variable whose __shared__ comes from a macro");
  std::string after;
  for (const CXCursor variable : variables) {
    const std::string name = name_of(variable);
    const Place at = name_place(variable);
    const std::string type = name + "__torchada_t";
    replace(at.file, at.offset, at.offset + static_cast<unsigned int>(name.size()), type);
    if (!in_function) {
      after += " static torchada::DynamicShared<std::remove_extent_t<" + type + ">> " + name + ";";
    } else if (is_extern) {
      after += " " + type + "& " + name + " = torchada::dynamic_shared<" + type + ">();";
    } else {
      const std::string tag = name + "__torchada_tag_" + std::to_string(shared_count_++);
      after += " struct " + tag + " {}; " + type + "& " + name + " = torchada::shared<" + type +
               ", " + tag + ">();";
    }
  }
  if (!in_function && !is_extern) {
    return refuse(start, "a __shared__ variable outside of functions");
  }
  const auto end = contents_.at(start.file).find(';', end_of(variables.back()).offset);
  replace(start.file, static_cast<unsigned>(end), static_cast<unsigned>(end + 1), ";" + after);
}

}  // namespace kernels
