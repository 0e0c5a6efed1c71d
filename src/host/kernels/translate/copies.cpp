// Copies of plain kernels: those that need nothing of a thread but its position. The loop over the
// threads of a block (torchada_threads.h) calls a copy in place of the kernel, with a state of its
// own. So a compiler can keep the position in a register and compute several threads at once.
//
// Most kernels begin by asking whether their thread has any work, as in `if (i < n)`, which would
// hinder that. So the copy can be asked these questions alone, and then takes the answers for
// granted.
#include <algorithm>

#include "src/host/kernels/translate/source.h"

namespace kernels {
namespace {

// Whether this may be computed earlier and once more: it changes nothing and calls nothing.
bool is_pure(CXCursor cursor) {
  const CXTypeKind type = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
  const bool is_number = type >= CXType_Bool && type <= CXType_LongDouble;
  const auto children = children_of(cursor);
  return is_one_of(kind_of(cursor),
                   {CXCursor_VarDecl, CXCursor_DeclStmt, CXCursor_DeclRefExpr,
                    CXCursor_MemberRefExpr, CXCursor_IntegerLiteral, CXCursor_FloatingLiteral,
                    CXCursor_ParenExpr, CXCursor_UnexposedExpr, CXCursor_CStyleCastExpr,
                    CXCursor_CXXStaticCastExpr, CXCursor_BinaryOperator, CXCursor_UnaryOperator,
                    CXCursor_UnaryExpr, CXCursor_CXXFunctionalCastExpr, CXCursor_TypeRef,
                    CXCursor_TemplateRef, CXCursor_NamespaceRef}) &&
         (kind_of(cursor) != CXCursor_VarDecl || is_number) &&
         std::all_of(children.begin(), children.end(), is_pure);
}

bool only_returns(CXCursor statement) {
  const auto children = children_of(statement);
  return kind_of(statement) == CXCursor_ReturnStmt ||
         (kind_of(statement) == CXCursor_CompoundStmt && children.size() == 1 &&
          only_returns(children.front()));
}

}  // namespace

void Source::copy_plain_kernels() {
  std::map<std::pair<std::string, unsigned int>, bool> copied;
  for (Kernel& kernel : kernels_) {
    if (!kernel.is_plain) continue;
    CXCursor definition = clang_getSpecializedCursorTemplate(kernel.function);
    definition = clang_Cursor_isNull(definition) != 0 ? kernel.function
                                                      : clang_getCursorDefinition(definition);
    const Place place = name_place(definition);
    const Place own = name_place(kernel.function);
    // A specialisation has a definition of its own.
    kernel.is_plain = !place.in_macro && place.file == own.file && place.offset == own.offset;
    if (!kernel.is_plain) continue;
    const auto [found, is_new] = copied.try_emplace({place.file, place.offset}, false);
    if (is_new) found->second = copy_kernel(definition, place);
    kernel.is_plain = found->second;
  }
}

// Writes the copy behind the kernel. False if that cannot be.
bool Source::copy_kernel(CXCursor kernel, const Place& name) {
  const Place end = end_of(kernel);
  const CXCursor body = children_of(kernel).back();
  const auto tokens = tokens_of(unit_, kernel);
  if (kind_of(body) != CXCursor_CompoundStmt || end.file != name.file || end.in_macro ||
      start_of(body).in_macro) {
    return false;
  }
  const unsigned int begin = tokens.front().begin;
  // The compiler would tell of each error twice.
  const bool is_wrong =
      std::any_of(found_wrong_.begin(), found_wrong_.end(), [&](const Place& place) {
        return place.file == name.file && place.offset >= begin && place.offset <= end.offset;
      });
  if (is_wrong) return false;
  const auto edit = edits_[name.file].lower_bound(begin);
  if (edit != edits_[name.file].end() && edit->first <= end.offset) return false;

  std::map<unsigned int, std::string> added;  // by offset
  const auto at = [&](unsigned int offset) {
    return std::find_if(tokens.begin(), tokens.end(),
                        [&](const Token& token) { return token.begin >= offset; });
  };
  // `static void NAME__torchada_copy(torchada_state* torchada_self, ...`
  const auto named = at(name.offset);
  std::string linkage = "static ";
  unsigned int result = 0;
  for (auto token = tokens.begin(); token != named; ++token) {
    if (token->text == "void") result = token->begin;
    if (token->text == "extern") return false;
    if (token->text == "static" || token->text.find("inline") != std::string::npos) linkage = "";
  }
  if (result == 0 || named[1].text != "(" || named[2].text == "void") return false;
  added[result] = linkage + "__attribute__((always_inline)) ";
  added[named->end] = "__torchada_copy";
  added[named[1].end] =
      std::string("torchada_state* torchada_self, torchada::Asked* torchada_asked") +
      (named[2].text == ")" ? "" : ", ");

  unsigned int asked = start_of(body).offset + 1;  // where the questions end
  const auto statements = children_of(body);
  for (const CXCursor& statement : statements) {
    const Place start = start_of(statement);
    const auto parts = children_of(statement);
    if (start.in_macro) break;
    if (kind_of(statement) == CXCursor_DeclStmt && is_pure(statement)) continue;
    if (kind_of(statement) != CXCursor_IfStmt || parts.size() != 2 || !is_pure(parts.front()))
      break;
    const bool returns = only_returns(parts.back());
    const auto open = at(start.offset) + 1;
    const auto close =
        tokens.begin() + static_cast<std::ptrdiff_t>(after_brackets(tokens, open - tokens.begin()));
    for (auto token = open; token != close; ++token) {
      if (is_one_of<std::string>(token->text, {"=", "++", "--"})) return false;
    }
    if (open->text != "(" || !(returns || clang_equalCursors(statement, statements.back()) != 0))
      break;
    added[open->begin] = returns ? "(torchada_asked->returns" : "(torchada_asked->works";
    added[close[-1].end] = ")";
    asked = end_of(statement).offset;
    const auto next = at(asked);
    asked = !returns ? 0 : next->text == ";" ? next->end : asked;
  }
  if (asked != 0) added[asked] = " if (torchada_asked->asks) return; ";

  const std::string line = " \"" + name.file + "\"\n";
  std::string copy = "\n#line " + std::to_string(start_of(kernel).line) + line;
  const std::string& text = contents_.at(name.file);
  unsigned int from = begin;
  for (const auto& [offset, more] : added) {
    copy += text.substr(from, offset - from) + more;
    from = offset;
  }
  copy += text.substr(from, end.offset - from) + "\n#line " + std::to_string(end.line) + line;
  replace(name.file, end.offset, end.offset, copy);
  return true;
}

}  // namespace kernels
