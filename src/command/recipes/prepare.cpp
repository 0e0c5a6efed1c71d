#include "src/command/recipes/prepare.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "src/command/check/check.h"
#include "src/command/command.h"
#include "src/command/files.h"
#include "src/command/installation.h"
#include "src/command/recipes/arch.h"
#include "src/command/recipes/fetched.h"
#include "src/command/recipes/folders.h"
#include "src/command/recipes/maker.h"
#include "src/command/recipes/program_check.h"
#include "src/command/recipes/say.h"
#include "src/shared/processor_count.h"

namespace torchada::recipes {
namespace {

// One source and the kernels that are wanted of it; none: all.
struct Task {
  std::string source;
  std::vector<std::string> kernels;
};

// Reads lines SOURCE<TAB>NAME.
std::map<std::string, std::set<std::string>> read_list(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw UsageError("--list=" + file + ": it cannot be read");
  std::map<std::string, std::set<std::string>> out;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || tab + 1 == line.size()) {
      throw UsageError(file + ":" + std::to_string(number) +
                       ": expected a source, a tab, and the name of a kernel");
    }
    out[line.substr(0, tab)].insert(line.substr(tab + 1));
  }
  return out;
}

// The sources that the kernels of these files tell.
NameSet sources_told_by(const std::vector<std::string>& files, const Recipe& recipe) {
  for (const std::string& file : files) {
    if (const std::string why = wrong_file(recipe, file); !why.empty()) throw Failure(why);
  }
  const check::Standings standings(installation_root());
  check::Options options;
  options.kernels = true;
  NameSet out;
  for (const check::Report& report :
       check::examine_paths(files, standings, options, processor_count()).reports) {
    if (report.verdict == check::Verdict::kUnreadable) {
      throw Failure(report.path + ": " +
                    (report.reasons.empty() ? "unreadable" : report.reasons[0]));
    }
    out.insert(report.device.sources.begin(), report.device.sources.end());
    for (const check::Kernel& kernel : report.device.kernels) {
      for (const std::string& name : kernel.kernel.sources) out.insert(told_name(name + ".cu"));
    }
  }
  if (recipe.exceptions.contains("")) out.insert("");  // What no file tells.
  return out;
}

void add(std::vector<Task>* tasks, const Task& task) {
  const bool is_there = std::any_of(tasks->begin(), tasks->end(), [&](const Task& each) {
    return each.source == task.source && each.kernels.empty();
  });
  if (!is_there) tasks->push_back(task);
}

// In the order in which programs need them.
std::vector<Task> tasks_of(const PrepareRequest& request, const Recipe& recipe,
                           const SourceList& sources) {
  std::vector<Task> out;
  if (request.all) {
    for (const std::string& source : sources.usual()) add(&out, {source, {}});
    for (const std::string& source : sources.all()) add(&out, {source, {}});
  }
  std::vector<std::string> unknown;
  if (!request.programs.empty()) {
    for (const std::string& told : sources_told_by(request.programs, recipe)) {
      const std::vector<std::string> named = sources.named(told);
      if (named.empty()) unknown.push_back(told);
      for (const std::string& source : named) add(&out, {source, {}});
    }
  }
  if (!request.list.empty()) {
    for (const auto& [told, names] : read_list(request.list)) {
      const std::vector<std::string> named = sources.named(told);
      if (named.empty()) unknown.push_back(told);
      for (const std::string& source : named) add(&out, {source, {names.begin(), names.end()}});
    }
  }
  if (!unknown.empty()) {
    say("recipe " + recipe.name + " has no source for " + std::to_string(unknown.size()) +
        " names, such as " + unknown.front());
  }
  return out;
}

// Works on all tasks, some at a time.
class Workshop {
 public:
  Workshop(Maker* maker, std::vector<Task> tasks) : maker_(maker), tasks_(std::move(tasks)) {}

  // Returns whether all were made.
  bool work(unsigned jobs) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < jobs; ++i) threads.emplace_back(&Workshop::work_on, this);
    for (std::thread& thread : threads) thread.join();
    return failed_ == 0;
  }
  std::string summary() const {
    return std::to_string(made_) + " made, " + std::to_string(kept_) + " there already, " +
           std::to_string(without_) + " without such a kernel, " + std::to_string(failed_) +
           " failed";
  }

 private:
  void work_on() {
    for (;;) {
      const std::size_t number = next_++;
      if (number >= tasks_.size()) return;
      std::atomic<int> child{0};
      Answer answer;
      try {
        answer = make(tasks_[number], &child);
      } catch (const std::exception& error) {
        answer = {Answer::kFailed, error.what()};
      }
      tell(number, answer);
    }
  }

  // A name may stand for several files, and each of its kernels is in one of them.
  Answer make(const Task& task, std::atomic<int>* child) {
    if (task.kernels.empty()) return maker_->make_all(task.source, {}, child);
    Answer out{Answer::kNone, ""};
    const Answer all = maker_->make_all(task.source, task.kernels, child);
    if (all.kind != Answer::kNone) return all;
    for (const std::string& kernel : task.kernels) {
      const Answer one = maker_->make_all(task.source, {kernel}, child);
      if (one.kind == Answer::kFailed) return one;
      if (one.kind == Answer::kImage) out = one;
    }
    return out;
  }

  void tell(std::size_t number, const Answer& answer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::string line = std::to_string(number + 1) + " of " + std::to_string(tasks_.size()) + ": " +
                       base_name_of(tasks_[number].source);
    if (answer.kind == Answer::kImage && answer.was_kept) {
      line += " (there already)";
      ++kept_;
    } else if (answer.kind == Answer::kImage) {
      ++made_;
    } else if (answer.kind == Answer::kNone) {
      line += " (no such kernel)";
      ++without_;
    } else {
      line += " failed: " + answer.text;
      ++failed_;
    }
    say(line);
  }

  Maker* const maker_;
  const std::vector<Task> tasks_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  int made_ = 0, kept_ = 0, without_ = 0, failed_ = 0;
};

}  // namespace

int prepare(const PrepareRequest& request) {
  const Recipe recipe = read_recipe(request.recipe);
  if (!is_complete(recipe)) throw Failure(sources_missing(recipe, request.recipe));
  std::vector<Task> tasks = tasks_of(request, recipe, SourceList(recipe));
  if (tasks.empty()) throw Failure("recipe " + recipe.name + " has no source for any of them");
  make_own_folder(objects_folder());
  enter_objects_folder();  // Now that relative paths of the request were read.
  Maker maker(recipe, image_arch());
  if (!maker.why_no_compiler().empty()) throw Failure(maker.why_no_compiler());
  const unsigned most = processor_count();
  Workshop workshop(&maker, std::move(tasks));
  const bool is_good =
      workshop.work(request.jobs > 0 ? std::min(static_cast<unsigned>(request.jobs), most) : most);
  say(workshop.summary());
  return is_good ? kExitOk : kExitNo;
}

}  // namespace torchada::recipes
