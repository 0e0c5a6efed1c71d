#include "src/companion/trace/tracer.h"

#include <fnmatch.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>

#include "src/companion/trace/ffi_types.h"
#include "src/companion/trace/report.h"
#include "src/companion/trace/thread.h"
#include "src/shared/trace_summary.h"

namespace torchada::trace {
namespace {

Care care_of(const ValueType& type, bool is_recorded) {
  if (type.kind == ValueKind::kCallback) return is_recorded ? Care::kCallback : Care::kNone;
  if (type.kind != ValueKind::kPointer) return Care::kNone;
  if (!type.is_const && type_at(type.target).kind == ValueKind::kCallback) {
    return is_recorded ? Care::kCallbackOut : Care::kNone;
  }
  if (!is_recorded || !has_pointee(type)) return Care::kNone;
  return type.is_const ? Care::kBefore : Care::kAfter;
}

}  // namespace

Tracer& Tracer::get() {
  static Tracer* const tracer = new Tracer;
  return *tracer;
}

Tracer::Tracer()
    : options_(read_options()),
      output_(options_.format == Format::kNone ? Format::kText : options_.format, options_.file) {
  if (options_.status) Output::loss_is_a_status();
  if (!options_.complaint.empty()) Output::complain(options_.complaint);
  pthread_atfork(
      before_fork, [] { after_fork(false); }, [] { after_fork(true); });
}

bool Tracer::is_asked_for(const char* function) const {
  return options_.names.empty() ||
         std::any_of(options_.names.begin(), options_.names.end(), [&](const std::string& pattern) {
           return fnmatch(pattern.c_str(), function, 0) == 0;
         });
}

void* Tracer::wrap(const char* library, const char* function, void* address, Handler handler) {
  const bool is_asked = is_asked_for(function);
  const AllocationRule* allocation = options_.memory ? allocation_rule(function) : nullptr;
  if (!is_asked && !allocation) return address;
  const FunctionPrototype* prototype = find_prototype(library, function);
  if (!prototype) {
    remark(std::string(function) + " of " + library +
           ": its calls are not traced, because its prototype is not known");
    return address;
  }
  const std::lock_guard lock(mutex_);
  void*& wrapped = wrapped_[{prototype, address}];
  if (wrapped) return wrapped;
  std::unique_ptr<Traced> traced = describe(library, *prototype, address);
  wrapped = traced ? closure(traced->interface, handler, traced.get()) : nullptr;
  if (!wrapped) {
    remark(std::string(function) + " of " + library +
           ": its calls are not traced, because no wrapper could be made for it");
    return wrapped = address;
  }
  traced.release();  // NOLINT(bugprone-unused-return-value): lives as long as the closure.
  return wrapped;
}

std::unique_ptr<Traced> Tracer::describe(const char* library, const FunctionPrototype& prototype,
                                         void* address) {
  auto out = std::make_unique<Traced>();
  out->library = library;
  out->prototype = &prototype;
  out->target = address;
  out->interface = call_interface(prototype.returns, prototype.first, prototype.count);
  if (!out->interface || prototype.count > kMostParameters) return nullptr;
  std::unique_ptr<Count>& count = counts_[&prototype];
  if (!count) {
    count = std::make_unique<Count>();
    count->library = library;
    count->function = out->name();
  }
  out->counters = &count->counters;
  out->is_recorded = options_.format != Format::kNone && is_asked_for(out->name());
  out->allocation = options_.memory ? allocation_rule(out->name()) : nullptr;
  out->returns_status = type_at(prototype.returns).kind == ValueKind::kEnum;
  for (std::uint32_t i = 0; i < prototype.count; ++i) {
    out->cares.push_back(care_of(out->type_of(i), out->is_recorded));
  }
  return out;
}

void Tracer::announce() {
  if (has_told_process_.load(std::memory_order_acquire)) return;
  Buffer process;
  write_process(&process, options_.format);
  if (process.size() > 0) output_.write_head({process.data(), process.size()});
  has_told_process_.store(true, std::memory_order_release);
}

void Tracer::write(const Buffer& record) {
  announce();
  output_.write({record.data(), record.size()});
}

void Tracer::remark(const std::string& text) {
  Buffer out;
  // If calls get no records, users read the remark, so it is text.
  write_remark(&out, options_.format == Format::kNone ? Format::kText : options_.format, text);
  write(out);
}

void Tracer::finish() {
  if (is_finished_.exchange(true)) return;
  const Work work;
  const bool is_json = options_.format == Format::kJson;
  if (options_.summary) {
    std::vector<FunctionTotal> totals;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [prototype, count] : counts_) {
        const Counters& counters = count->counters;
        totals.push_back({count->library, count->function, counters.calls, counters.errors,
                          counters.nanoseconds, counters.longest});
      }
    }
    Buffer out;
    if (is_json) {
      write_summary_json(&out, getpid(), std::move(totals));
      append(&out, "\n");
    } else {
      write_summary(&out, "process " + std::to_string(getpid()), std::move(totals));
    }
    write_report(out);
  }
  if (options_.memory) {
    Buffer out;
    write_memory(&out, is_json, allocations_.report());
    write_report(out);
  }
}

void Tracer::write_report(const Buffer& report) {
  // Chrome's event format has no place for the report.
  if (options_.format != Format::kChrome) return write(report);
  Output standard_error(Format::kText, "");
  standard_error.write({report.data(), report.size()});
}

void Tracer::before_fork() {
  Tracer& tracer = get();
  tracer.mutex_.lock();
  tracer.allocations_.before_fork();
  tracer.callbacks_.before_fork();
  tracer.output_.before_fork();
}

void Tracer::after_fork(bool is_child) {
  Tracer& tracer = get();
  if (is_child) {
    forget_other_threads();
    if (ThreadState* const state = known_thread_state()) {
      state->id = 0;
      state->innermost = nullptr;
    }
    tracer.has_told_process_ = false;
    for (auto& [prototype, count] : tracer.counts_) {
      Counters& counters = count->counters;
      counters.calls = counters.errors = counters.nanoseconds = counters.longest = 0;
    }
  }
  tracer.output_.after_fork(is_child);
  tracer.callbacks_.after_fork();
  tracer.allocations_.after_fork(is_child);
  tracer.mutex_.unlock();
}

}  // namespace torchada::trace
