#pragma once

#include <string>
#include <sys/types.h>

#include "core/unique_fd.h"

namespace sluice {

/// A listening socket of the Unix domain and the file that clients find it by. Destroying it closes the
/// socket and leaves the file: forked processes have copies of this. Whoever has opened it says when it is
/// over.
class UnixListener {
  public:
    UnixListener() = default;

    /// Opens it, non-blocking; `mode` are the file's permissions from its first moment. A socket that nobody
    /// listens on any more, left by a process that was killed, is replaced; anything else that stands there
    /// is not. On failure it is empty and `error` is a sentence.
    static UnixListener open(const std::string& path, mode_t mode, std::string& error);

    /// One that another process has opened. With `owns_file` this one is to remove the file.
    static UnixListener adopt(UniqueFd fd, const std::string& path, bool owns_file);

    explicit operator bool() const { return static_cast<bool>(fd_); }
    int fd() const { return fd_.get(); }
    /// The permissions from now on, as far as the file is still ours.
    void change_mode(mode_t mode);
    /// Changes the file's owner, as far as it is still ours.
    void change_owner(uid_t user, gid_t group);
    /// Leaves the file to the process that has adopted it.
    void disown_file() { inode_ = 0; }
    /// Closes it, and removes the file unless somebody else's stands there by now.
    void remove();

  private:
    bool owns_file() const;

    UniqueFd fd_;
    std::string path_;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace sluice
