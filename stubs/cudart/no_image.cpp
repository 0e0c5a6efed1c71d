#include "stubs/cudart/no_image.h"

#include <errno.h>

#include "stubs/kernels/demangled.h"
#include "stubs/kernels/files.h"
#include "stubs/report.h"

namespace torchada {
namespace {

// Why registered code cannot run.
Text<200> reason(const char* why) {
  Text<200> out;
  if (why) {
    out << why;
  } else if (!kernels::are_given()) {
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
  const Text<200> text = reason(why);
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
