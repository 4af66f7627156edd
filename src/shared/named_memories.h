#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/shared_memory.h"

namespace sluice {

/// Named shared memories of the application: made while the script boots, shared by all processes forked from
/// then on, and found again by later boots. One object for the process; not thread-safe.
class NamedMemories {
  public:
    static constexpr size_t kMost = 100;
    static constexpr size_t kMostOwn = 1;  ///< Sluice's own, beside them: their names begin with a slash
    static constexpr size_t kMostNameBytes = 64;

    /// What the shapes of tables and counters begin with.
    static constexpr char kTableShape[] = "a table of ";
    static constexpr char kCounterShape[] = "a counter";

    static NamedMemories& of_this_process();

    enum class Result : uint8_t {
        kNew,      ///< zeroed
        kFound,    ///< with the content that this boot or the previous one has left
        kOther,    ///< this boot has opened one of that name with another shape
        kTooMany,  ///< kMost
        kTooLate,  ///< after seal()
        kFailed,   ///< errno
    };
    struct Opened {
        Result result;
        std::span<char> memory;
        /// The previous boot had a memory of that name with another shape; its content is lost.
        bool reshaped = false;
    };
    /// `shape` describes the layout of the content; one name with another shape is another memory.
    Opened open(std::string_view name, std::string_view shape, size_t bytes);
    struct Item {
        std::string name;
        UniqueFd fd;
    };
    /// Adds a memory that the previous boot has left. Only open() finds it.
    void inherit(Item item);
    /// What this script has opened, before seal(); the descriptors stay this object's.
    struct Named {
        std::string_view name;
        int fd;
    };
    std::vector<Named> opened() const;
    /// For workers: from now on nothing new can be opened, as the other workers would not share it. Closes the
    /// descriptors, which processes that the application forks need not have.
    void seal();
    /// A memory as a process sees it that has not opened it. Any process of the server may write to it at any
    /// time, its shape, too.
    struct Seen {
        std::string shape;
        std::span<const char> content;
    };
    static Seen look(const SharedMemory& memory);
    /// To be called in a process that does not run the script any more. The memory called `but` stays.
    void forget(std::string_view but = {});

  private:
    /// Bytes for the shape, at the start of each memory.
    static constexpr size_t kShapeBytes = 64;
    struct Open {
        std::string name;
        SharedMemory memory;
        std::span<char> content;
        std::string_view shape() const;
    };

    Open* find_open(std::string_view name);
    static Open make(std::string_view name, SharedMemory memory);

    std::vector<Item> inherited_;
    std::vector<Open> open_;
    bool sealed_ = false;
};

}  // namespace sluice
