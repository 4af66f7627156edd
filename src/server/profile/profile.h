#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sluice {

/// What one value of a sample counts: `{"samples", "count"}`, `{"cpu", "nanoseconds"}`.
struct ValueType {
    std::string type;
    std::string unit;

    bool operator==(const ValueType&) const = default;
};

/// A place on a stack: a function, and the line that it has come to.
struct ProfileFrame {
    std::string_view function;
    std::string_view file;    ///< empty for PHP's own functions
    uint32_t line = 0;        ///< 0: unknown
    uint32_t start_line = 0;  ///< of the function
};

struct ProfileLabel {
    std::string_view key;
    std::string_view text;
};

/// Samples of stacks, added up by stack and labels. Bounded: what finds no room is added up in one sample
/// whose only frame says so.
class Profile {
  public:
    static constexpr size_t kMostValues = 4;
    static constexpr size_t kMostDepth = 512;
    static constexpr size_t kMostLabels = 16;
    /// The function of the sample that has what found no room.
    static constexpr std::string_view kFull = "[the profile is full]";

    struct Frame {
        uint32_t function, file;  ///< in strings()
        uint32_t line, start_line;
    };
    struct Label {
        uint32_t key, text;  ///< in strings()
    };
    struct Sample {
        std::vector<uint32_t> stack;  ///< in frames(), leaf first
        std::vector<Label> labels;
        int64_t values[kMostValues];
    };

    /// `most_bytes`: how long record() may become.
    explicit Profile(std::vector<ValueType> types, size_t most_bytes);

    /// Adds to the sample of this stack, leaf first, and these labels; one value for each type. The sample's
    /// place, for add_to().
    size_t add(std::span<const ProfileFrame> stack, std::span<const ProfileLabel> labels,
             std::span<const int64_t> values);

    void add_to(size_t sample, std::span<const int64_t> values);

    const std::vector<ValueType>& types() const { return types_; }
    /// The first one is empty.
    const std::vector<std::string>& strings() const { return strings_; }
    const std::vector<Frame>& frames() const { return frames_; }
    const std::vector<Sample>& samples() const { return samples_; }

    /// The samples as they travel between processes.
    std::string record() const;
    /// Adds what another process has written. False when that is no record of a profile with these types, or
    /// refers to what it does not have: then nothing was added.
    bool add_record(std::string_view record, std::span<const ProfileLabel> labels);

  private:
    uint32_t intern(std::string_view text);
    uint32_t intern(const ProfileFrame& frame);
    size_t bytes_of(std::span<const ProfileFrame> stack, std::span<const ProfileLabel> labels) const;
    size_t add_ids(const std::vector<uint32_t>& stack, const std::vector<Label>& labels,
                 std::span<const int64_t> values);

    std::vector<ValueType> types_;
    size_t most_bytes_;
    size_t bytes_;
    std::vector<std::string> strings_;
    std::vector<Frame> frames_;
    std::vector<Sample> samples_;
    std::unordered_map<std::string, uint32_t> by_text_;
    std::unordered_map<std::string, uint32_t> by_frame_;  ///< by the bytes of a Frame
    std::unordered_map<std::string, size_t> by_stack_;    ///< by the numbers of a stack and its labels
};

}  // namespace sluice
