#pragma once

#include <string>

#include "core/unique_fd.h"

namespace sluice {

/// A file with this process's number, held locked: a second server with this file finds out that the first
/// one runs. The lock belongs to the process: its children do not inherit it, and it ends with the process,
/// even by a crash.
class PidFile {
  public:
    /// False, and `error` is a sentence, when the file cannot be written or another process has it.
    bool claim(const std::string& path, std::string& error);
    /// Another file from now on, or the same one by another name. False: the file that it had stays.
    bool move_to(const std::string& path, std::string& error);
    /// Call it in the process that called `claim()`.
    void remove();
    /// Leaves the file as it is to the process that takes it over, which may claim it from now on.
    void hand_over() { file_.reset(); }

  private:
    std::string path_;
    UniqueFd file_;
};

}  // namespace sluice
