#include "stubs/cudart/no_image.h"

#include <errno.h>

#include "stubs/kernels/code.h"
#include "stubs/kernels/demangled.h"
#include "stubs/kernels/files.h"
#include "stubs/reporting/report.h"

namespace torchada {
namespace {

// Leaves room for the name before it and the status behind it.
using Reason = Text<300>;

// Why registered code cannot run.
Reason reason(const RegisteredCode& code, const char* why) {
  Reason out;
  const char* const failure = code.number != 0 ? kernels::failure_of(code.number) : nullptr;
  if (why) {
    out << why;
  } else if (failure) {
    out << "is not made by TORCHADA_KERNELS_FROM: " << failure;
  } else if (!kernels::are_named()) {
    out << "has no MUSA image: " << kernels::kMakeImage;
  } else {
    const auto count = static_cast<int64_t>(kernels::file_count());
    out << "is in none of the " << count
        << " kernel libraries of TORCHADA_KERNELS: " << kernels::kAddImage;
  }
  return out;
}

// Cuts a long name short, so that the line still has room for the returned status.
Line no_image_line(const char* function, const RegisteredCode& code, const char* why,
                   const char* note) {
  const Status& status = torchada_library.status[static_cast<int>(FailureKind::kNoImage)];
  Line line;
  line << function
       << " is not supported: " << (code.kind == CodeKind::kKernel ? "kernel " : "device variable ")
       << kernels::shown_name(code.name).c_str() << " " << why << note << "; returning "
       << status.name << " (" << status.value << ")";
  return line;
}

// Reports line(note) once for the code, up to a limit.
template <typename MakeLine>
void report(const RegisteredCode& code, MakeLine line) {
  const int saved_errno = errno;
  bool is_last = false;
  const bool first = first_report_of(code.host, &is_last);
  if (first || every_refusal_counts()) {
    report_refusal(first, line(is_last ? "; further kernels and variables are not reported" : ""),
                   line(""));
  }
  errno = saved_errno;
}

}  // namespace

void report_no_image(const char* function, const RegisteredCode& code, const char* why) {
  const Reason text = reason(code, why);
  report(code, [&](const char* note) { return no_image_line(function, code, text.c_str(), note); });
}

void report_no_memory(const char* function, const RegisteredCode& code) {
  report(code, [&](const char* note) {
    Line line;
    line << function << " is not supported: managed variable "
         << kernels::shown_name(code.name).c_str() << " has no memory on MUSA" << note
         << "; the program fails where its host code uses it";
    return line;
  });
}

}  // namespace torchada
