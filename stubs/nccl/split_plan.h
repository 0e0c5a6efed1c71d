// Who is in which part when a communicator is split, from what every rank asked for.
#pragma once

namespace torchada::nccl {

struct SplitWish {
  int color, key;
};

// Receives the wishes of all ranks one by one, in rank order.
class SplitPlan {
 public:
  SplitPlan(SplitWish own, int own_rank) : own_(own), own_rank_(own_rank) {}

  void add(int rank, SplitWish wish) {
    if (wish.color != own_.color) return;
    ++size_;
    if (wish.key < own_.key || (wish.key == own_.key && rank < own_rank_)) ++rank_;
    if (root_ < 0 || wish.key < root_key_) {
      root_ = rank;
      root_key_ = wish.key;
    }
  }

  int size() const { return size_; }  // Of this rank's part.
  int rank() const { return rank_; }  // This rank's number in it.
  int root() const { return root_; }  // The part's rank 0, by its number before the split.

 private:
  SplitWish own_;
  int own_rank_;
  int size_ = 0, rank_ = 0;
  int root_ = -1, root_key_ = 0;
};

}  // namespace torchada::nccl
