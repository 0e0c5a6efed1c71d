// A mangled name (Itanium C++ ABI, 5.1), read from its begin to its end once and written again
// while it is read: the levels that only nvcc has are left out, the references behind them are
// renumbered, and what is declared static is marked. Needs libc alone, and no memory.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "src/shared/name_text.h"

namespace torchada::kernels {

inline constexpr const char kUnnamed[] = "_GLOBAL__N_";
inline constexpr const char kInternal[] = "_INTERNAL_";

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

class MangledName {
 public:
  // Writes to `out`, which has `room`.
  MangledName(const char* name, char* out, size_t room) : at_(name), out_(out, room) {}

  // Marks the whole name's last part, and of the functions inside it number `inner` from 1; with
  // one number more than is counted, kAllInner, all of them.
  static constexpr unsigned kAllInner = 7;
  void mark_static(bool last, unsigned inner) {
    mark_last_ = last;
    inner_ = inner;
  }
  // False if it is no name of this kind, if it is nested too deeply, or if there is nothing to mark
  // where it should be marked.
  bool rewrite();

  bool is_internal() const { return is_internal_; }
  size_t length() { return out_.end(); }

 private:
  // Whether the name is a component of the outermost one, of a function in it, or of a type.
  enum class Part : uint8_t { kType, kLast, kInner };
  // One level further in, while it lives.
  class Deeper {
   public:
    explicit Deeper(MangledName* name) : name_(name) { ++name->depth_; }
    ~Deeper() { --name_->depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    explicit operator bool() const { return name_->depth_ <= kDeepest; }

   private:
    static constexpr unsigned kDeepest = 160;  // Names of PyTorch's kernels need a third of it.
    MangledName* name_;
  };

  bool is_at(const char* text) const;
  void copy(size_t count);
  bool copy(const char* text);
  bool copy_all_of(const char* letters);
  bool copy_end() { return copy("E"); }
  void number();
  void add_component() { ++components_; }

  bool encoding(Part part);
  bool name(Part part);
  bool unscoped(Part part);
  bool nested(Part part);
  bool local();
  bool discriminator();
  bool unqualified(bool* is_unnamed);
  bool operator_name();
  bool unnamed_type();
  bool template_parameter_declaration();
  bool source_name(bool* is_unnamed);
  bool tags();
  bool reference(bool* is_left_out);
  // The component to which the reference at `at_` leads. kNone if it is none, or has a letter.
  static constexpr size_t kNone = ~size_t{0};
  size_t referred(const char** end) const;
  void note_unscoped(size_t component);
  bool is_unscoped(size_t component) const;
  bool standard();
  bool type();
  bool type_named_by_letter();
  bool types();
  bool wrapped_type();
  bool function_type();
  bool type_of_d();
  bool array_type();
  bool template_parameter();
  bool template_arguments();
  bool template_argument();
  bool arguments_to_end();
  bool literal();
  bool expression();
  bool expressions_to_end();
  bool operation();
  bool function_parameter();
  bool new_expression();
  bool fold();
  bool unresolved();
  bool base_unresolved();
  bool simple_name();
  void mark(Part part, size_t at, bool is_settled);

  const char* at_;
  NameText out_;
  unsigned depth_ = 0;
  bool is_internal_ = false;

  bool mark_last_ = false;
  bool is_last_marked_ = false;
  unsigned inner_ = 0;
  unsigned inner_count_ = 0;

  // Components to which references lead, as numbered in the name that is read.
  size_t components_ = 0;
  static constexpr size_t kMostLeftOut = 16;
  size_t left_out_[kMostLeftOut] = {};
  size_t left_out_count_ = 0;
  // Those that are templates in no namespace.
  static constexpr size_t kMostUnscoped = 16;
  size_t unscoped_[kMostUnscoped] = {};
  size_t unscoped_count_ = 0;
};

inline bool MangledName::is_at(const char* text) const {
  return strncmp(at_, text, strlen(text)) == 0;
}

inline void MangledName::copy(size_t count) {
  out_.add(at_, count);
  at_ += count;
}

inline bool MangledName::copy(const char* text) {
  if (!is_at(text)) return false;
  copy(strlen(text));
  return true;
}

inline bool MangledName::copy_all_of(const char* letters) {
  const size_t count = strspn(at_, letters);
  copy(count);
  return count != 0;
}

}  // namespace torchada::kernels
