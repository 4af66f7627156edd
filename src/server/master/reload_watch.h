#pragma once

#include <cstdint>
#include <string>

#include "io/folder_watch.h"
#include "server/config/watching.h"

namespace sluice {

/// Decides when changed files lead to a reload: once no file has changed for `quiet_ms`. A boot
/// that changes watched files itself would reload for ever, so each such boot doubles the quiet
/// time.
class ReloadWatch {
  public:
    static constexpr uint64_t kLongestQuietMs = 10'000;

    /// False with errno set, and nothing is watched, on failure.
    bool watch(const Watching& watching);
    /// -1: nothing is watched.
    int fd() const { return folders_ ? folders_.fd() : -1; }
    /// The errno for which not all is watched; 0: all is.
    int lacks() const { return folders_.lacks(); }
    const Watching& watching() const { return watching_; }

    /// Call it when fd() is readable; `booting`: a reload is under way.
    void look(uint64_t now_ms, bool booting);
    /// As look(), for what the boot that now ends may have read before anything was watched: files that have
    /// changed after `since`.
    void look_back(const timespec& since, uint64_t now_ms);
    /// When to reload; 0: nothing has changed.
    uint64_t due_ms() const { return due_ms_; }
    /// The changed file, once, when it is time to reload; else empty.
    std::string take_due(uint64_t now_ms);
    void boot_ended();
    /// For how long nothing has changed before the last reload.
    uint64_t waited_ms() const { return waited_ms_; }

  private:
    void note(std::string changed, uint64_t now_ms, bool booting);

    Watching watching_;
    FolderWatch folders_;
    std::string changed_;
    uint64_t quiet_ms_ = 0;
    uint64_t due_ms_ = 0;
    uint64_t waited_ms_ = 0;
    bool changed_while_booting_ = false;
};

}  // namespace sluice
