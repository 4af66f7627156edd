#include "io/folder_watch.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fnmatch.h>
#include <memory>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sluice {

namespace {

constexpr uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;

bool is_folder(const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

FolderWatch FolderWatch::on(const std::vector<std::string>& paths, std::vector<std::string> names) {
    FolderWatch watch;
    watch.fd_.reset(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (!watch.fd_) return watch;
    watch.names_ = std::move(names);
    for (const std::string& path : paths) {
        if (is_folder(path)) {
            watch.watch_tree(path, nullptr);
            continue;
        }
        // An editor replaces a file by a new one, so its folder is watched.
        const size_t slash = path.rfind('/');
        watch.watch_folder(slash == std::string::npos ? "." : path.substr(0, std::max<size_t>(slash, 1)),
                           slash == std::string::npos ? path : path.substr(slash + 1));
    }
    return watch;
}

/// `file`: one that counts; empty: the whole folder does. False when it is watched so already, or cannot be
/// watched.
bool FolderWatch::watch_folder(const std::string& path, const std::string& file) {
    if (folders_.size() == kMostFolders) {
        lacks_ = ENOSPC;
        return false;
    }
    const int watch = inotify_add_watch(fd_.get(), path.c_str(), kEvents);
    if (watch < 0) {
        if (errno != ENOENT && errno != ENOTDIR) lacks_ = errno;
        return false;
    }
    Folder& folder = folders_.try_emplace(watch, Folder{path, false, {}}).first->second;
    if (file.empty()) return !std::exchange(folder.is_whole, true);
    folder.files.push_back(file);
    return true;
}

/// Watches a folder with all below it; `found` gets the path of a file that counts, if there is one. Symbolic
/// links are followed: a loop of links ends at a folder that is watched already.
void FolderWatch::watch_tree(const std::string& path, std::string* found) {
    std::vector<std::string> ahead{path};
    while (!ahead.empty()) {
        const std::string here = std::move(ahead.back());
        ahead.pop_back();
        if (!watch_folder(here, "")) continue;
        const std::unique_ptr<DIR, CloseFolder> entries(opendir(here.c_str()));
        while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
            if (entry->d_name[0] == '.') continue;
            const std::string inside = here + "/" + entry->d_name;
            if (entry->d_type == DT_DIR || (entry->d_type != DT_REG && is_folder(inside))) {
                ahead.push_back(inside);
            } else if (found && counts({here, true, {}}, entry->d_name)) {
                *found = inside;
            }
        }
    }
}

bool FolderWatch::counts(const Folder& folder, std::string_view name) const {
    if (std::ranges::find(folder.files, name) != folder.files.end()) return true;
    if (!folder.is_whole || name.empty() || name.front() == '.') return false;
    const std::string text(name);
    return std::any_of(names_.begin(), names_.end(), [&text](const std::string& pattern) {
        return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
    });
}

std::string FolderWatch::changed_since(const timespec& since) const {
    for (const auto& [watch, folder] : folders_) {
        const std::unique_ptr<DIR, CloseFolder> entries(opendir(folder.path.c_str()));
        while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
            struct stat info;
            if (!counts(folder, entry->d_name) ||
                fstatat(dirfd(entries.get()), entry->d_name, &info, 0) != 0 || S_ISDIR(info.st_mode))
                continue;
            // Not the modification time, which a file that takes another one's place may have from before.
            const timespec& changed = info.st_ctim;
            if (changed.tv_sec != since.tv_sec ? changed.tv_sec > since.tv_sec
                                               : changed.tv_nsec > since.tv_nsec)
                return folder.path + "/" + entry->d_name;
        }
    }
    return {};
}

std::string FolderWatch::take_change() {
    std::string changed;
    alignas(inotify_event) char buffer[16384];
    for (ssize_t bytes; (bytes = read(fd_.get(), buffer, sizeof buffer)) > 0;) {
        for (ssize_t at = 0; at < bytes;) {
            const auto& event = *reinterpret_cast<const inotify_event*>(buffer + at);
            at += static_cast<ssize_t>(sizeof event + event.len);
            if (event.mask & IN_Q_OVERFLOW) {
                changed = "(too many to tell)";
                continue;
            }
            const auto found = folders_.find(event.wd);
            if (found == folders_.end()) continue;
            if (event.mask & IN_IGNORED) {  // the folder has gone, or its file system
                folders_.erase(found);
                continue;
            }
            const std::string name(event.len ? event.name : "",
                                   event.len ? strnlen(event.name, event.len) : 0);
            const Folder folder = found->second;
            const std::string path = folder.path + "/" + name;
            // A symbolic link may lead to a folder.
            const bool is_new = event.mask & (IN_CREATE | IN_MOVED_TO);
            if (folder.is_whole && !name.empty() && name.front() != '.' &&
                ((event.mask & IN_ISDIR) || (is_new && is_folder(path)))) {
                if (is_new) {
                    watch_tree(path, &changed);
                } else {
                    changed = path;
                }
            } else if (counts(folder, name)) {
                changed = path;
            }
        }
    }
    return changed;
}

}  // namespace sluice
