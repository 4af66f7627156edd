#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice {

enum class ProfileKind : uint32_t {
    kCpu = 1,        ///< where PHP code computes
    kWait = 2,       ///< what coroutines wait for
    kHeap = 3,       ///< what allocates
    kCoroutine = 4,  ///< the live coroutines of one moment
};
/// A heap profile has a sample for each so many allocated bytes.
constexpr uint64_t kHeapSampleBytes = 65536;

/// Where one worker is asked for a profile, and answers: a part of the server's shared memory. Whoever asks
/// need not trust the worker: it copies the record before it reads it. A worker that dies does not answer,
/// and whoever asks must have a deadline. One question is open at a time.
struct alignas(4096) ProfileDesk {
    static constexpr size_t kMostRecordBytes = 1 << 20;
    static constexpr uint32_t kKinds = 8;  ///< more than there are; a power of two

    std::atomic<uint32_t> asked;     ///< the last question: its number and its kind; a futex for the worker
    std::atomic<uint32_t> answered;  ///< the question of the last answer
    std::atomic<uint32_t> bytes;     ///< of the answer; 0: the worker cannot tell
    std::atomic<uint64_t> until_ms;  ///< of the monotonic clock: when the worker is to answer
    alignas(4096) char record[kMostRecordBytes];

    /// What a question asks for: its number and its kind are one word, so that a worker that is slow to look
    /// never takes one question for another.
    static ProfileKind kind_of(uint32_t question) { return static_cast<ProfileKind>(question % kKinds); }

    /// For whoever asks: the question.
    uint32_t ask(ProfileKind what, uint64_t until);
    /// Whether the answer to this question is there. It is untrusted, and may change until forget().
    bool has_answer(uint32_t question) const { return answered.load(std::memory_order_acquire) == question; }
    std::string_view answer() const;
    /// Ends the question if it is open, and gives the memory of the answer back.
    void forget();

    /// For the worker: waits until the last question is not `known`, or for so long.
    void wait_for_question(uint32_t known, uint32_t most_ms);
    /// Ends its wait, though no question has been asked.
    void wake();
    /// For the worker. Nobody reads it when another question has been asked meanwhile.
    void give_answer(uint32_t question, std::string_view text);
};

}  // namespace sluice
