#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sluice {

/// Appends lines to a file from a thread of its own, so that callers never wait for a disk. Several processes
/// may write to one file: each writes whole lines.
class LineWriter {
  public:
    /// `path`: a file, which is created if need be, a FIFO, or "php://stdout" or "php://stderr". No more than
    /// `most_bytes` wait to be written. nullptr with errno when it cannot be opened.
    static std::shared_ptr<LineWriter> open(const std::string& path, size_t most_bytes);

    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;
    /// Writes what is pending; gives up after a second if the file takes nothing.
    ~LineWriter();

    /// `line` ends in LF. False when too much is pending: the line is dropped, counted and reported in the
    /// server's log. From any thread.
    bool append(std::string_view line);

    /// Closes the file once all lines appended so far are written, and opens its path anew: for log rotation,
    /// which has renamed the file. From any thread.
    void reopen();

    uint64_t dropped() const;

  private:
    struct Shared;
    LineWriter() = default;
    bool begin_thread();

    std::shared_ptr<Shared> shared_;
};

}  // namespace sluice
