#include "server/master/reload_watch.h"

#include <algorithm>

namespace sluice {

bool ReloadWatch::watch(const Watching& watching) {
    watching_ = watching;
    quiet_ms_ = watching.quiet_ms;
    due_ms_ = 0;
    folders_ = {};
    if (watching.paths.empty()) return true;
    folders_ = FolderWatch::on(watching.paths, watching.names);
    return static_cast<bool>(folders_);
}

void ReloadWatch::look(uint64_t now_ms, bool booting) {
    note(folders_.take_change(), now_ms, booting);
}

void ReloadWatch::look_back(const timespec& since, uint64_t now_ms) {
    if (folders_) note(folders_.changed_since(since), now_ms, true);
}

void ReloadWatch::note(std::string changed, uint64_t now_ms, bool booting) {
    if (changed.empty()) return;
    changed_ = std::move(changed);
    due_ms_ = now_ms + quiet_ms_;
    waited_ms_ = quiet_ms_;
    changed_while_booting_ |= booting;
}

std::string ReloadWatch::take_due(uint64_t now_ms) {
    if (!due_ms_ || due_ms_ > now_ms) return {};
    due_ms_ = 0;
    return std::exchange(changed_, {});
}

void ReloadWatch::boot_ended() {
    quiet_ms_ = changed_while_booting_ ? std::min(std::max<uint64_t>(quiet_ms_, 1) * 2, kLongestQuietMs)
                                       : uint64_t{watching_.quiet_ms};
    changed_while_booting_ = false;
}

}  // namespace sluice
