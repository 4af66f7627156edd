#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/unique_fd.h"

namespace sluice {

/// Tells when files below some folders change, by inotify(7). A folder that is made later is watched, too;
/// hidden ones are not, and hidden files do not count.
class FolderWatch {
  public:
    /// Far below what the kernel allows a user (fs.inotify.max_user_watches) on most systems.
    static constexpr size_t kMostFolders = 8192;

    /// A path may be a single file. `names` are patterns as of fnmatch(3): files of other names do not count.
    /// Check `operator bool`; errno tells why not.
    static FolderWatch on(const std::vector<std::string>& paths, std::vector<std::string> names);

    explicit operator bool() const { return static_cast<bool>(fd_); }
    /// Readable when something may have changed.
    int fd() const { return fd_.get(); }
    /// Takes what has happened; the path of a file that has changed, or empty when none has.
    std::string take_change();
    /// Why not all folders are watched, as of errno; 0: they are.
    int lacks() const { return lacks_; }

  private:
    struct Folder {
        std::string path;
        std::string only;  ///< the one name that counts; empty: `names_`
    };

    void watch_tree(const std::string& path, std::string* found);
    bool watch_folder(const std::string& path, const std::string& only);
    bool counts(const Folder& folder, std::string_view name) const;

    UniqueFd fd_;
    std::vector<std::string> names_;
    std::unordered_map<int, Folder> folders_;
    int lacks_ = 0;
};

}  // namespace sluice
