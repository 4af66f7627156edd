#pragma once

#include <ctime>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/unique_fd.h"

namespace sluice {

/// Tells when files below some folders change, by inotify(7). New folders are watched from their creation on.
/// Hidden folders and files do not count.
class FolderWatch {
  public:
    /// Far below the kernel's limit for a user (fs.inotify.max_user_watches) on most systems.
    static constexpr size_t kMostFolders = 8192;

    /// A path may be a single file. `names` are patterns as of fnmatch(3): files of other names do not count.
    /// Check `operator bool`; errno tells why it failed.
    static FolderWatch on(const std::vector<std::string>& paths, std::vector<std::string> names);

    explicit operator bool() const { return static_cast<bool>(fd_); }
    /// Readable when something may have changed.
    int fd() const { return fd_.get(); }
    /// Takes the pending events; returns the path of a changed file, or an empty string.
    std::string take_change();
    /// A file that has changed after `since`, by CLOCK_REALTIME; empty: none has. For changes from
    /// before this was made.
    std::string changed_since(const timespec& since) const;
    /// The errno for which not all folders are watched; 0: all are.
    int lacks() const { return lacks_; }

  private:
    struct Folder {
        std::string path;
        bool is_whole = false;           ///< files of `names_` count, and folders in it are watched
        std::vector<std::string> files;  ///< these count in any case
    };

    void watch_tree(const std::string& path, std::string* found);
    bool watch_folder(const std::string& path, const std::string& file);
    bool counts(const Folder& folder, std::string_view name) const;

    UniqueFd fd_;
    std::vector<std::string> names_;
    std::unordered_map<int, Folder> folders_;
    int lacks_ = 0;
};

}  // namespace sluice
