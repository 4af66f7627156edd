#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/shared_memory.h"

namespace sluice {

/// Memory that the application has under names: made while the script boots, shared by all that is forked
/// from then on, and found again by the boots that follow. One for the process, and one thread.
class NamedMemories {
  public:
    static constexpr size_t kMost = 100;
    static constexpr size_t kMostNameBytes = 64;

    static NamedMemories& of_this_process();

    enum class Result : uint8_t {
        kNew,    ///< zeroed
        kFound,  ///< as it was left, here or by the boot before
        kOther,  ///< this script has one of that name and another shape
        kTooMany,
        kTooLate,  ///< after seal()
        kFailed,   ///< errno
    };
    struct Opened {
        Result result;
        std::span<char> memory;
        /// The boot before had one of that name and another shape, whose content is not to be had any more.
        bool reshaped = false;
    };
    /// `shape` says all that the content depends on; two of different shapes are different memories.
    Opened open(std::string_view name, std::string_view shape, size_t bytes);
    struct Item {
        std::string name;
        UniqueFd fd;
    };
    /// What the boot before has left. Nobody but open() knows it.
    void inherit(Item item);
    /// All that this script has opened, with descriptors that stay this object's.
    struct Named {
        std::string_view name;
        int fd;
    };
    std::vector<Named> opened() const;
    /// In a process that is one of several which are to share what there is: nothing new can be opened.
    void seal() { sealed_ = true; }
    /// In a process that does not run the script any more.
    void forget();

  private:
    /// In front of each memory.
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
