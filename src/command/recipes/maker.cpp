#include "src/command/recipes/maker.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "src/command/command.h"
#include "src/command/files.h"
#include "src/command/recipes/fetched.h"
#include "src/command/recipes/folders.h"
#include "src/command/recipes/say.h"
#include "src/command/recipes/source_lock.h"
#include "src/host/shared/files.h"

namespace torchada::recipes {
namespace {

std::string key_of(const Wanted& wanted) { return wanted.kind + " " + wanted.name; }

bool is_variable(const Wanted& wanted) { return wanted.kind == "variable"; }

}  // namespace

Maker::Maker(const Recipe& recipe, const std::string& arch)
    : recipe_(recipe),
      sources_(recipe),
      compiler_(arch, compiler_flags(recipe), objects_folder()),
      keeper_(recipe, arch, compiler_.folder(), compiler_.missing().empty()) {
  if (!keeper_.unusable().empty()) {
    throw Failure(objects_folder() + " is not used: " + keeper_.unusable());
  }
}

Maker::State& Maker::state_of(const std::string& source) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<State>& state = states_[source];
  if (state == nullptr) state = std::make_unique<State>();
  return *state;
}

// Another process may have made something meanwhile.
void Maker::look_again(const std::string& source, State* state) {
  std::optional<Record> record = keeper_.find(source);
  const std::lock_guard<std::mutex> lock(mutex_);
  state->is_read = record.has_value();
  state->record = record ? std::move(*record) : Record();
  state->is_known = true;
}

bool Maker::has_kernel(const std::string& image, const Wanted& wanted) {
  std::unique_ptr<KernelLibraries>& library = whole_[image];
  if (library == nullptr) library = std::make_unique<KernelLibraries>("kernels", image);
  return !library->find({wanted.name, "", {}}, {wanted.source}).path.empty();
}

// Empty if there is none. `is_only`: no other source can be meant.
std::string Maker::kept_image(const std::string& source, const Wanted& wanted, bool is_only) {
  State& state = state_of(source);
  std::unique_lock<std::mutex> lock(mutex_);
  if (!state.is_known) {
    lock.unlock();
    look_again(source, &state);
    lock.lock();
  }
  const auto found = state.record.images.find(key_of(wanted));
  if (found != state.record.images.end()) return found->second;
  const std::string& whole = state.record.whole;
  const bool has_it = !whole.empty() && (is_variable(wanted) ? is_only : has_kernel(whole, wanted));
  return has_it ? whole : "";
}

std::string Maker::why_no_source(const std::string& told) const {
  if (!is_complete(recipe_)) {
    return sources_missing(recipe_, recipe_.name);
  }
  if (!told.empty()) return "recipe " + recipe_.name + " has no source for " + told;
  return "the program does not tell its source, and recipe " + recipe_.name +
         " names none for such kernels (exceptions: '')";
}

Answer Maker::make(const Wanted& wanted, const Around& around) {
  const std::vector<std::string> candidates = sources_.named(wanted.source);
  if (candidates.empty()) return {Answer::kNone, why_no_source(wanted.source)};
  const bool is_only = candidates.size() == 1;
  for (const std::string& source : candidates) {
    const std::string image = kept_image(source, wanted, is_only);
    if (!image.empty()) return {Answer::kImage, image, true};
  }
  Answer answer;
  around.wait();
  for (const std::string& source : candidates) {
    const Answer next = make_of(source, wanted, is_only, around);
    // The first failure says most.
    if (answer.text.empty() || next.kind == Answer::kImage ||
        (next.kind == Answer::kFailed && answer.kind == Answer::kNone)) {
      answer = next;
    }
    if (next.kind == Answer::kImage) break;
  }
  around.waited();
  return answer;
}

Answer Maker::make_of(const std::string& source, const Wanted& wanted, bool is_only,
                      const Around& around) {
  State& state = state_of(source);
  const std::lock_guard<std::mutex> busy(state.busy);
  const SourceLock owner(keeper_.file_for(source, ".lock"));
  if (!owner.try_lock()) {
    say("waiting for another process, which compiles " + base_name_of(source));
    owner.lock();
  }
  look_again(source, &state);
  if (const std::string image = kept_image(source, wanted, is_only); !image.empty()) {
    return {Answer::kImage, image, true};
  }
  Order order;
  order.source = source;
  (is_variable(wanted) ? order.variables : order.kernels).push_back(wanted.name);
  std::atomic<int> child{0};
  return compile(source, order, around, &child);
}

std::string Maker::new_file(const std::string& source) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return keeper_.file_for(source, ".") + std::to_string(getpid()) + "." +
         std::to_string(++made_files_);
}

// By the owner of the source's lock.
Answer Maker::compile(const std::string& source, Order order, const Around& around,
                      std::atomic<int>* child) {
  if (!compiler_.missing().empty()) {
    return {Answer::kNone, base_name_of(source) + " cannot be compiled: " + compiler_.missing()};
  }
  if (!std::filesystem::exists(source)) return {Answer::kNone, source + " does not exist"};
  order.output = new_file(source);
  around.begin(source, !state_of(source).is_read);
  const timespec begin = host::now();
  const Outcome outcome = compiler_.run(order, child);
  around.end(source, outcome);
  if (outcome.kind == Outcome::kFailed) return failed(source, outcome);
  if (outcome.kind == Outcome::kHasNone) {
    const std::vector<std::string>& names = order.kernels.empty() ? order.variables : order.kernels;
    return {Answer::kNone, base_name_of(source) + " has no " +
                               (order.kernels.empty() ? "variable " : "kernel ") +
                               (names.empty() ? "" : names.front())};
  }
  return keep_made(source, order, outcome, begin);
}

Answer Maker::failed(const std::string& source, const Outcome& outcome) {
  const std::string log = keeper_.file_for(source, ".log");
  const bool has_more = outcome.messages.find('\n') + 1 < outcome.messages.size();
  const bool is_written = has_more && host::write_file(log, outcome.messages);
  return {Answer::kFailed, outcome.error + (is_written ? " (all messages: " + log + ")" : "")};
}

Answer Maker::keep_made(const std::string& source, const Order& order, const Outcome& outcome,
                        const timespec& begin) {
  std::string image;
  if (!order.front_end_only) {
    image = keeper_.take_image(source, order.output);
    if (image.empty()) {
      const std::string why = std::strerror(errno);
      unlink(order.output.c_str());
      return {Answer::kFailed,
              "what was made of " + base_name_of(source) + " cannot be kept: " + why};
    }
  }
  State& state = state_of(source);
  std::unique_lock<std::mutex> lock(mutex_);
  if (outcome.is_whole || (order.kernels.empty() && order.variables.empty() && !image.empty())) {
    // A variable must not be there twice: the first image that has all stays the one.
    if (state.record.whole.empty()) state.record.whole = image;
    image = state.record.whole;
  }
  for (const std::string& name : order.kernels) state.record.images["kernel " + name] = image;
  for (const std::string& name : order.variables) state.record.images["variable " + name] = image;
  const Record record = state.record;
  lock.unlock();
  // Without the list of files nobody would see that one has changed.
  if (!outcome.files.empty()) keeper_.keep(source, record, outcome.files, begin);
  return {Answer::kImage, image};
}

bool Maker::read_ahead(const std::string& source, std::atomic<int>* child) {
  State& state = state_of(source);
  const std::unique_lock<std::mutex> busy(state.busy, std::try_to_lock);
  if (!busy || !compiler_.missing().empty()) return false;
  const SourceLock owner(keeper_.file_for(source, ".lock"));
  if (!owner.try_lock()) return false;
  look_again(source, &state);
  if (state.is_read) return false;
  Order order;
  order.source = source;
  order.front_end_only = true;
  return compile(source, order, {}, child).kind == Answer::kImage;
}

Answer Maker::make_all(const std::string& source, const std::vector<std::string>& kernels,
                       std::atomic<int>* child) {
  State& state = state_of(source);
  const std::lock_guard<std::mutex> busy(state.busy);
  const SourceLock owner(keeper_.file_for(source, ".lock"));
  if (!owner.try_lock()) owner.lock();
  look_again(source, &state);
  Order order;
  order.source = source;
  for (const std::string& name : kernels) {
    if (kept_image(source, {told_name(source), "kernel", name}, true).empty()) {
      order.kernels.push_back(name);
    }
  }
  const std::string& whole = state.record.whole;
  if (kernels.empty() && !whole.empty()) return {Answer::kImage, whole, true};
  if (!kernels.empty() && order.kernels.empty()) return {Answer::kImage, "", true};
  return compile(source, order, {}, child);
}

}  // namespace torchada::recipes
