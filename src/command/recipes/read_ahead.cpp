#include "src/command/recipes/read_ahead.h"

#include <algorithm>
#include <thread>

namespace torchada::recipes {

ReadAhead::ReadAhead(Maker* maker, Cores* cores, unsigned threads) : maker_(maker), cores_(cores) {
  for (unsigned i = 0; i < threads; ++i) std::thread(&ReadAhead::work, this).detach();
}

void ReadAhead::go_on_from(const std::string& source) {
  const std::vector<std::string>& usual = maker_->sources().usual();
  const auto found = std::find(usual.begin(), usual.end(), source);
  const std::lock_guard<std::mutex> lock(mutex_);
  done_.insert(source);
  if (found != usual.end()) place_ = static_cast<std::size_t>(found - usual.begin());
}

// Empty if all were done.
std::string ReadAhead::next() {
  const std::vector<std::string>& usual = maker_->sources().usual();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t i = 0; i < usual.size(); ++i) {
    const std::string& source = usual[(place_ + i) % usual.size()];
    if (done_.insert(source).second) return source;
  }
  return "";
}

void ReadAhead::work() {
  Cores::Ahead ahead;
  while (cores_->begin_ahead([this] { return next(); }, &ahead)) {
    maker_->read_ahead(ahead.source, &ahead.child);
    cores_->end_ahead(&ahead);
    if (ahead.is_ended) {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_.erase(ahead.source);
    }
  }
}

}  // namespace torchada::recipes
