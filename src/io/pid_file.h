#pragma once

#include <string>

#include "core/unique_fd.h"

namespace sluice {

/// A file with this process's number, which it holds locked: a second server that is told to use it finds out
/// that the first one runs. The lock is the process's own: its children do not inherit it, and it ends with
/// the process, however that ends.
class PidFile {
  public:
    /// False and a sentence when the file cannot be written, or another process has it.
    bool claim(const std::string& path, std::string& error);
    /// To be called where `claim()` was.
    void remove();

  private:
    std::string path_;
    UniqueFd file_;
};

}  // namespace sluice
