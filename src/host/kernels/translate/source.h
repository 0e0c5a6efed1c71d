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
  std::string headers;  // the folder of ours
  int warp_size = 32;
  // Functions and variables of a source that have no attribute are device code (NVRTC's option).
  bool default_device = false;
  bool at_run_time = false;  // for the device of the architecture alone
  // From this line on, the source's last lines are for libclang alone. 0: there are none.
  unsigned int hidden_line = 0;

  // For parsing and for compiling the program.
  std::vector<std::string> flags() const;
};

// What a reader is told about a source: FILE:LINE:COLUMN: text.
struct Message {
  Place place;
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
  bool is_hidden(const Place& place) const {
    return settings_.hidden_line != 0 && place.line >= settings_.hidden_line && place.file == path_;
  }
  // Of a place in the hidden lines: the number of its line among them, from 0.
  std::size_t hidden_number(const Place& place) const { return place.line - settings_.hidden_line; }
  // What libclang finds wrong there.
  const std::vector<Message>& hidden_errors() const { return hidden_errors_; }
  const std::vector<Message>& warnings() const { return warnings_; }
  std::size_t kernel_count() const { return kernels_.size(); }
  // Whether it has a kernel or a variable of this mangled name.
  bool has(const std::string& mangled) const;
  const std::string& path() const { return path_; }
  // Where the program declares it; no line if it does not.
  Place place_of_function(const std::string& mangled) const;
  // The program's own files, with their texts.
  const std::map<std::string, std::string>& files() const { return contents_; }
  // What libclang has read.
  CXTranslationUnit unit() const { return unit_; }

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
    Place place;
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
  // Its children; of the whole, those in the program's own files.
  std::vector<CXCursor> own_children(CXCursor cursor) const;
  bool is_ours(const std::string& file) const { return contents_.count(file) != 0; }
  bool is_own_header(const std::string& file) const {
    return file.compare(0, settings_.headers.size() + 1, settings_.headers + "/") == 0;
  }

  // Edits of the sources.
  void edit(CXCursor cursor, bool in_function);
  void refuse_assembly(CXCursor declaration);
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
  void cut_hidden_lines();

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
  std::vector<Message> errors_, warnings_, hidden_errors_;
  std::vector<Place> found_wrong_;  // by libclang; it may be mistaken
  int shared_count_ = 0;
};

}  // namespace kernels
