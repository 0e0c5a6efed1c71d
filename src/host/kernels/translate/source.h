// A CUDA source, parsed, and the C++ that is made of it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "src/host/kernels/translate/clang.h"

namespace kernels {

// What the messages of our headers begin with.
inline constexpr std::string_view kRefused = "torchada: ";

struct Settings {
  std::vector<std::string> compiler_flags;  // -I, -D and the like
  std::string standard = "c++17";
  std::string headers;       // the folder of ours
  std::string resource_dir;  // of clang's own headers, empty: where libclang looks
  int warp_size = 32;

  // For parsing and for compiling.
  std::vector<std::string> flags() const;
};

// What a reader is told about a source: FILE:LINE: text.
struct Message {
  std::string file;
  unsigned int line;
  std::string text;
};

class Source {
 public:
  Source(const Settings& settings, std::string path);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // What hinders the translation; empty if nothing does.
  const std::vector<Message>& errors() const { return errors_; }
  const std::vector<Message>& warnings() const { return warnings_; }
  std::size_t kernel_count() const { return kernels_.size(); }

  // Writes the C++ into the folder, a file for each file of the program, and returns the path of
  // the one to compile.
  std::string write(const std::string& folder) const;

 private:
  // What a function does that matters to the kernels that call it.
  struct Facts {
    std::set<std::string> calls;
    std::vector<Message> refused;
    std::vector<Message> volatile_pointers;
    std::map<std::string, std::size_t> shared;  // sizes of its __shared__ variables
    bool reads_position = false;                // threadIdx
    bool needs_thread = false;                  // more of a thread than that, or nobody knows
  };
  struct Kernel {
    std::string mangled, expression, type, max_threads;
    std::size_t shared_size = 0;
    Message place;
    CXCursor function;
    bool is_plain = true;  // and has a copy, see copies.cpp
  };
  struct Variable {
    std::string mangled, expression;
    bool constant;
  };

  void parse();
  void report_diagnostics();
  void find_files();
  // The name of a file's copy.
  std::string copy_of(const std::string& file) const;
  std::string without_instantiations(const std::string& file, std::string text) const;
  bool is_ours(const std::string& file) const { return contents_.count(file) != 0; }
  bool is_own_header(const std::string& file) const {
    return file.compare(0, settings_.headers.size() + 1, settings_.headers + "/") == 0;
  }

  // Edits of the sources.
  void edit(CXCursor cursor, bool in_function);
  void edit_includes();
  void edit_names(CXCursor cursor);
  bool is_host_code(CXCursor function) const;
  void edit_function(CXCursor function);
  void edit_variable(CXCursor variable);
  void edit_shared(CXCursor declaration, const std::vector<CXCursor>& variables, bool in_function);
  void replace(const std::string& file, unsigned int begin, unsigned int end,
               const std::string& by);
  Place where_included(Place place) const;
  void refuse(const Place& place, const std::string& what);

  // What kernels there are, and what they need.
  void collect(CXCursor cursor, Facts* facts);
  void use_function(CXCursor function);
  void add_kernel(CXCursor function);
  void check_kernels();
  void check_warp_sizes();
  bool may_need_thread(CXCursor cursor) const;
  void copy_plain_kernels();
  bool copy_kernel(CXCursor kernel, const Place& name);

  const Settings& settings_;
  const std::string path_;
  CXIndex index_;
  CXTranslationUnit unit_ = nullptr;
  std::map<std::string, std::string> contents_;  // of the program's own files
  struct Edit {
    unsigned int end;
    std::string by;
  };
  using Edits = std::map<unsigned int, Edit>;                   // by beginning
  std::map<std::string, Edits> edits_;                          // by file
  std::set<std::pair<std::string, unsigned int>> kept_macros_;  // file and offset of their uses
  std::map<std::string, Facts> facts_;                          // by mangled name
  std::vector<Kernel> kernels_;
  std::vector<Variable> variables_;
  std::vector<Message> errors_, warnings_;
  int shared_count_ = 0;
};

}  // namespace kernels
