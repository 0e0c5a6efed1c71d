#include "src/inspect/python_source.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace torchada {
namespace {

// A longer statement is a table of data. Its first tokens say what it is.
constexpr std::size_t kMostTokens = 4096;
constexpr std::size_t kLongestName = 4096;
constexpr int kTabWidth = 8;
// Further functions count as not called when the source is imported.
constexpr std::size_t kMostCalls = 65536;
constexpr std::size_t kMostFunctions = 4096;

bool starts_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         static_cast<unsigned char>(letter) >= 0x80;
}
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool in_name(char letter) { return starts_name(letter) || is_digit(letter); }

struct Token {
  enum class Kind { kName, kString, kFormatted, kOther };
  Kind kind = Kind::kOther;
  std::string_view text;  // Of a string: the contents as written.
  int line = 0;
  bool is(std::string_view word) const {
    return (kind == Kind::kName || kind == Kind::kOther) && text == word;
  }
};

template <std::size_t Count>
bool one_of(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Statements whose body may follow on the same line.
constexpr std::array<std::string_view, 14> kCompound = {
    "if",      "elif", "else", "for",   "while", "try",  "except",
    "finally", "with", "def",  "class", "async", "case", "match"};
// Calls whose argument is the name of a library's file.
constexpr std::array<std::string_view, 5> kOpeners = {"CDLL", "PyDLL", "LoadLibrary", "dlopen",
                                                      "DynamicLibrary"};
constexpr std::array<std::string_view, 2> kImporters = {"import_module", "__import__"};
// Calls whose argument is the name of a package whose directory they return.
constexpr std::array<std::string_view, 2> kLocators = {"find_spec", "resource_filename"};

// Calls that tell whether a file exists.
constexpr std::array<std::string_view, 6> kFileTests = {"exists", "lexists", "access",
                                                        "stat",   "glob",    "is_char_device"};

// "/dev/nvidia0", "/dev/nvidia[0-9]*", "/dev/nvidiactl": there is a GPU of NVIDIA where they are.
// Others, such as /dev/nvidia-caps, tell what it can do.
bool is_nvidia_gpu(std::string_view path) {
  constexpr std::string_view kBegin = "/dev/nvidia";
  if (path.size() <= kBegin.size() || !path.starts_with(kBegin)) return false;
  const std::string_view rest = path.substr(kBegin.size());
  return rest == "ctl" ||
         (rest[0] != '-' && rest.find_first_not_of("0123456789-[]*?") == std::string_view::npos);
}

bool is_prefix(std::string_view word) {
  return word.size() <= 2 && word.find_first_not_of("rRbBuUfFtT") == std::string_view::npos;
}

bool contains(std::string_view word, std::string_view part) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return std::search(word.begin(), word.end(), part.begin(), part.end(), same) != word.end();
}

// find_library, load_nvidia_dynamic_lib, _preload_library
bool may_take_stem(std::string_view function) {
  return contains(function, "lib") || contains(function, "dll") || contains(function, "dlopen");
}

bool is_file_name(std::string_view text) {
  return text.size() < kLongestName && text.find(".so") != std::string_view::npos &&
         text.find_first_of(" \t\n*%{}\\") == std::string_view::npos;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && text.size() < 64 && starts_name(text[0]) &&
         std::all_of(text.begin(), text.end(), in_name);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  PythonSource read() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    while (at_ < text_.size()) logical_line();
    find_deferred();
    if (!tests_files_) out_.nvidia_devices.clear();
    return std::move(out_);
  }

 private:
  static constexpr int kModule = -1;  // In no function.

  struct Block {
    enum class Kind { kFunction, kClass, kTry, kTypes };
    int indent;
    Kind kind;
    int function = kModule;  // Of kFunction: its place in functions_.
  };

  struct Function {
    std::string_view name;  // Empty if nobody calls it by its name alone.
    int outer;              // The function in which it is defined, or kModule.
    bool called = false;    // When the source is imported, by what is run then.
  };

  char here(std::size_t after = 0) const {
    return at_ + after < text_.size() ? text_[at_ + after] : '\0';
  }

  void skip_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end;
  }

  void logical_line() {
    int indent = 0;
    for (; here() == ' ' || here() == '\t' || here() == '\f'; ++at_) {
      indent = here() == '\t' ? (indent / kTabWidth + 1) * kTabWidth : indent + 1;
    }
    if (here() == '#') skip_line();
    if (here() == '\r') ++at_;
    if (at_ >= text_.size()) return;
    if (here() == '\n') {
      ++at_;
      ++line_;
      return;
    }
    while (!blocks_.empty() && blocks_.back().indent >= indent) blocks_.pop_back();
    depth_ = 0;
    inline_ = 0;
    tokens_.clear();
    while (at_ < text_.size()) {
      if (!step(indent)) break;
    }
    end_statement();
  }

  // False at the end of the logical line.
  bool step(int indent) {
    const char letter = here();
    if (letter == '\n') {
      ++at_;
      ++line_;
      return depth_ > 0;
    }
    if (letter == '\\' && (here(1) == '\n' || (here(1) == '\r' && here(2) == '\n'))) {
      at_ += here(1) == '\n' ? 2 : 3;
      ++line_;
    } else if (letter == '#') {
      skip_line();
    } else if (letter == '"' || letter == '\'') {
      string(false);
    } else if (starts_name(letter)) {
      name();
    } else if (is_digit(letter)) {
      while (in_name(here()) || here() == '.') ++at_;
      add({Token::Kind::kOther, "0", line_});
    } else if (letter == ' ' || letter == '\t' || letter == '\r' || letter == '\f') {
      ++at_;
    } else {
      mark(letter, indent);
    }
    return true;
  }

  void mark(char letter, int indent) {
    if (letter == '(' || letter == '[' || letter == '{') ++depth_;
    if ((letter == ')' || letter == ']' || letter == '}') && depth_ > 0) --depth_;
    const Token token = {Token::Kind::kOther, text_.substr(at_, 1), line_};
    ++at_;
    if (depth_ == 0 && letter == ';') {
      end_statement();
    } else if (depth_ == 0 && letter == ':' && !tokens_.empty() &&
               tokens_[0].kind == Token::Kind::kName && one_of(tokens_[0].text, kCompound)) {
      open_block(indent + inline_);
      ++inline_;
      tokens_.clear();
      last_ = before_ = Token();
    } else {
      add(token);
    }
  }

  void name() {
    const std::size_t first = at_;
    while (in_name(here())) ++at_;
    const std::string_view word = text_.substr(first, at_ - first);
    if ((here() == '"' || here() == '\'') && is_prefix(word)) {
      string(contains(word, "f") || contains(word, "t"));
    } else {
      add({Token::Kind::kName, word, line_});
    }
  }

  void string(bool formatted) {
    const char quote = here();
    const bool triple = here(1) == quote && here(2) == quote;
    const int line = line_;
    at_ += triple ? 3 : 1;
    const std::size_t first = at_;
    std::size_t end = text_.size();
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (letter == '\\' && at_ + 1 < text_.size()) {
        line_ += text_[at_ + 1] == '\n';
        at_ += 2;
        continue;
      }
      if (letter == '\n' && !triple) {  // Not terminated.
        end = at_;
        break;
      }
      if (letter == quote && (!triple || (here(1) == quote && here(2) == quote))) {
        end = at_;
        at_ += triple ? 3 : 1;
        break;
      }
      line_ += letter == '\n';
      ++at_;
    }
    const auto kind = formatted ? Token::Kind::kFormatted : Token::Kind::kString;
    add({kind, text_.substr(first, end - first), line});
  }

  // In a call, the function and its first argument.
  void add(const Token& token) {
    const bool argument = last_.is("(") && before_.kind == Token::Kind::kName &&
                          !earlier_.is("def") && !earlier_.is("class");
    if (argument) first_argument(token);
    if (token.is("(") && last_.kind == Token::Kind::kName && !before_.is(".") &&
        !before_.is("def") && !before_.is("class") && calls_.size() < kMostCalls) {
      calls_.emplace(innermost(), last_.text);
    }
    tests_files_ |= token.is("(") && one_of(last_.text, kFileTests);
    if (token.kind == Token::Kind::kString && is_nvidia_gpu(token.text)) {
      out_.nvidia_devices.push_back({std::string(token.text), token.line});
    }
    if (token.kind == Token::Kind::kString && last_.is("=") && before_.is("group")) {
      out_.plugin_groups.emplace_back(token.text);
    }
    if (token.kind == Token::Kind::kString && is_file_name(token.text)) {
      keep_library(token, argument && one_of(before_.text, kOpeners), false);
    }
    earlier_ = before_;
    before_ = last_;
    last_ = token;
    if (tokens_.size() < kMostTokens) tokens_.push_back(token);
  }

  void first_argument(const Token& token) {
    const std::string_view function = before_.text;
    const bool literal = token.kind == Token::Kind::kString;
    if (literal && one_of(function, kLocators)) {
      out_.located.emplace_back(token.text);
    } else if (one_of(function, kImporters)) {
      if (literal) {
        imported_by_call(token);
      } else if (!token.is(")") && !types() && !imported_by_pattern(token)) {
        out_.computed_imports.push_back(token.line);
      }
    } else if (literal && is_identifier(token.text) && may_take_stem(function)) {
      keep_library(token, one_of(function, kOpeners), true);
    } else if (!literal && one_of(function, kOpeners) && !token.is(")") && !token.is("None")) {
      out_.computed_libraries.push_back(token.line);
    }
  }

  void imported_by_call(const Token& token) {
    PythonImport import = begin_import(token.line);
    std::string_view rest = token.text;
    for (; rest.starts_with('.'); rest.remove_prefix(1)) ++import.level;
    import.module = std::string(rest);
    keep(import);
  }

  // f"a.b.{name}": false if nothing before the brace tells the package.
  bool imported_by_pattern(const Token& token) {
    if (token.kind != Token::Kind::kFormatted) return false;
    std::string_view known = token.text.substr(0, token.text.find('{'));
    const std::size_t dot = known.rfind('.');
    if (dot == std::string_view::npos) return false;
    PythonImport import = begin_import(token.line);
    import.computed = true;
    import.begins = std::string(known.substr(dot + 1));
    known = known.substr(0, dot + 1);
    for (; known.starts_with('.'); known.remove_prefix(1)) ++import.level;
    import.module = std::string(known.substr(0, known.size() - (known.empty() ? 0 : 1)));
    keep(import);
    return true;
  }

  void keep_library(const Token& token, bool opened, bool stem) {
    PythonLibrary library;
    library.text = std::string(token.text);
    library.line = token.line;
    library.opened = opened;
    library.stem = stem;
    library.optional = optional();
    out_.libraries.push_back(library);
    library_functions_.push_back(innermost());
  }

  // The function that contains this place.
  int innermost() const {
    const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(), [](const Block& block) {
      return block.kind == Block::Kind::kFunction;
    });
    return found == blocks_.rend() ? kModule : found->function;
  }

  // Finds the functions that are called when the source is imported: by their names, from outside
  // of all functions or from one that is called.
  void find_deferred() {
    std::multimap<std::string_view, int> by_name;
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      if (!functions_[i].name.empty()) by_name.emplace(functions_[i].name, static_cast<int>(i));
    }
    std::vector<int> run = {kModule};
    while (!run.empty()) {
      const int caller = run.back();
      run.pop_back();
      auto call = calls_.lower_bound({caller, std::string_view()});
      for (; call != calls_.end() && call->first == caller; ++call) {
        const auto [first, last] = by_name.equal_range(call->second);
        for (auto named = first; named != last; ++named) {
          Function& function = functions_[static_cast<std::size_t>(named->second)];
          if (function.called || !is_run(function.outer)) continue;
          function.called = true;
          run.push_back(named->second);
        }
      }
    }
    for (std::size_t i = 0; i < out_.imports.size(); ++i) {
      out_.imports[i].deferred = !is_run(import_functions_[i]);
    }
    for (std::size_t i = 0; i < out_.libraries.size(); ++i) {
      out_.libraries[i].deferred = !is_run(library_functions_[i]);
    }
  }

  // Whether the body of a function is run when the source is imported.
  bool is_run(int function) const {
    return function == kModule || functions_[static_cast<std::size_t>(function)].called;
  }

  bool within(Block::Kind kind) const {
    return std::any_of(blocks_.begin(), blocks_.end(),
                       [kind](const Block& block) { return block.kind == kind; });
  }
  bool optional() const { return within(Block::Kind::kTry); }
  bool types() const { return within(Block::Kind::kTypes); }

  void open_block(int indent) {
    // The same statement, on the line that its predecessor in a chain began: "if x: a".
    const auto has = [this](std::string_view word) {
      return std::any_of(tokens_.begin(), tokens_.end(),
                         [word](const Token& token) { return token.is(word); });
    };
    const auto has_string = [this](std::string_view text) {
      return std::any_of(tokens_.begin(), tokens_.end(), [text](const Token& token) {
        return token.kind == Token::Kind::kString && token.text == text;
      });
    };
    const std::string_view first = tokens_[0].text;
    if (first == "try" || first == "except" || (first == "with" && has("suppress"))) {
      blocks_.push_back({indent, Block::Kind::kTry});
    } else if (first == "def" || (first == "async" && has("def"))) {
      const std::size_t at = first == "def" ? 1 : 2;
      const bool method = !blocks_.empty() && blocks_.back().kind == Block::Kind::kClass;
      open_function(indent, method || at >= tokens_.size() ? "" : tokens_[at].text);
    } else if (first == "class") {
      blocks_.push_back({indent, Block::Kind::kClass});
    } else if (first == "if" && has("__name__") && has_string("__main__")) {
      open_function(indent, "");  // Run only if the source is the program.
    } else if (first == "if" && has("TYPE_CHECKING") && !has("not")) {
      blocks_.push_back({indent, Block::Kind::kTypes});
    }
  }

  void open_function(int indent, std::string_view name) {
    const int outer = innermost();
    if (functions_.size() < kMostFunctions) functions_.push_back({name, outer});
    if (functions_.size() == kMostFunctions) functions_.back().name = "";
    blocks_.push_back({indent, Block::Kind::kFunction, static_cast<int>(functions_.size()) - 1});
  }

  PythonImport begin_import(int line) const {
    PythonImport out;
    out.line = line;
    out.optional = optional();
    return out;
  }

  void keep(const PythonImport& import) {
    if (types()) return;
    out_.imports.push_back(import);
    import_functions_.push_back(innermost());
  }

  void end_statement() {
    if (!tokens_.empty() && tokens_[0].kind == Token::Kind::kName) {
      if (tokens_[0].text == "import" || tokens_[0].text == "cimport") import_statement();
      if (tokens_[0].text == "from") from_statement();
    }
    tokens_.clear();
    last_ = before_ = earlier_ = Token();
  }

  // "a.b.c" from tokens_[at]; moves `at` behind it.
  std::string dotted(std::size_t& at) const {
    std::string out;
    while (at < tokens_.size() && tokens_[at].kind == Token::Kind::kName) {
      out += tokens_[at++].text;
      if (at + 1 >= tokens_.size() || !tokens_[at].is(".") ||
          tokens_[at + 1].kind != Token::Kind::kName) {
        break;
      }
      out += '.';
      ++at;
    }
    return out;
  }

  // Behind "as x" and the comma.
  void next_name(std::size_t& at) const {
    while (at < tokens_.size() && !tokens_[at].is(",")) ++at;
    ++at;
  }

  void import_statement() {
    for (std::size_t at = 1; at < tokens_.size(); next_name(at)) {
      PythonImport import = begin_import(tokens_[at].line);
      import.module = dotted(at);
      if (!import.module.empty()) keep(import);
    }
  }

  void from_statement() {
    PythonImport import = begin_import(tokens_[0].line);
    std::size_t at = 1;
    for (; at < tokens_.size() && tokens_[at].is("."); ++at) ++import.level;
    if (at < tokens_.size() && !tokens_[at].is("import") && !tokens_[at].is("cimport")) {
      import.module = dotted(at);
    }
    if (at >= tokens_.size() || (!tokens_[at].is("import") && !tokens_[at].is("cimport"))) return;
    ++at;
    if (at < tokens_.size() && tokens_[at].is("(")) ++at;
    for (; at < tokens_.size(); next_name(at)) {
      if (tokens_[at].kind == Token::Kind::kName) import.names.emplace_back(tokens_[at].text);
    }
    if (import.level > 0 || !import.module.empty()) keep(import);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int depth_ = 0;   // Open brackets.
  int inline_ = 0;  // Statements before this one on the line: "try: import x".
  std::vector<Block> blocks_;
  std::vector<Token> tokens_;  // Of the statement so far.
  Token last_, before_, earlier_;
  bool tests_files_ = false;
  std::vector<Function> functions_;
  std::set<std::pair<int, std::string_view>> calls_;  // By a name alone, in which function.
  // The functions that contain out_.imports and out_.libraries.
  std::vector<int> import_functions_, library_functions_;
  PythonSource out_;
};

}  // namespace

PythonSource read_python(std::string_view text) { return Reader(text).read(); }

}  // namespace torchada
