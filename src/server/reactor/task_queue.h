#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace sluice {

/// Tasks that other threads post to this one.
class TaskQueue {
  public:
    using Task = std::function<void()>;

    /// From any thread.
    void add(Task task) {
        std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        has_tasks_.store(true, std::memory_order_seq_cst);
    }
    bool has_tasks() const { return has_tasks_.load(std::memory_order_seq_cst); }
    /// Takes all tasks, in their order.
    std::vector<Task> take() {
        std::vector<Task> tasks;
        if (!has_tasks()) return tasks;
        std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
        has_tasks_.store(false, std::memory_order_relaxed);
        return tasks;
    }

  private:
    std::mutex mutex_;
    std::vector<Task> tasks_;
    std::atomic<bool> has_tasks_ = false;
};

}  // namespace sluice
