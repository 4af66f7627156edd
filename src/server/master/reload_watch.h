#pragma once

#include <cstdint>
#include <string>

#include "io/folder_watch.h"
#include "server/config/watching.h"

namespace sluice {

/// When the script is to be booted anew since files have changed: once nothing has changed for a moment. A
/// boot that changes what is watched itself would be followed by another one for ever, so after each such
/// boot the moment is twice as long.
class ReloadWatch {
  public:
    static constexpr uint64_t kLongestQuietMs = 10'000;

    /// False with errno set when it cannot be watched; nothing is, then.
    bool watch(const Watching& watching);
    /// -1: nothing is watched.
    int fd() const { return folders_ ? folders_.fd() : -1; }
    /// Why not all of it is watched, as of errno; 0: it is.
    int lacks() const { return folders_.lacks(); }
    const Watching& watching() const { return watching_; }

    /// fd() is readable; `booting`: a reload is under way.
    void look(uint64_t now_ms, bool booting);
    /// 0: nothing has changed.
    uint64_t due_ms() const { return due_ms_; }
    /// What has changed, when it is time to reload, once; empty otherwise.
    std::string take_due(uint64_t now_ms);
    void boot_ended();

  private:
    Watching watching_;
    FolderWatch folders_;
    std::string changed_;
    uint64_t quiet_ms_ = 0;
    uint64_t due_ms_ = 0;
    bool changed_while_booting_ = false;
};

}  // namespace sluice
