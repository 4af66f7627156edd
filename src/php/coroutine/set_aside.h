#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sluice::php {

/// Pieces of memory that somebody else uses, and leaves alone - all bytes 0, or all 0xff - while he does not.
/// What stands in them is taken away as a whole for a while, so that another one finds them unused.
class SetAside {
  public:
    static constexpr size_t kMostFields = 24;
    static constexpr size_t kMostBytes = 320;

    /// What a field holds while nobody uses it. kWithTheOneBefore: zeroes, or something that is not read
    /// while the field added before it is at rest, so that at_rest() need not look at it.
    enum class Rest : uint8_t { kZeroes = 0, kWithTheOneBefore = 1, kOnes = 0xff };

    /// For as long as this is used. Its first eight bytes tell whether it is in use. False when there is no
    /// room for it.
    bool add(void* address, size_t size, Rest rest = Rest::kZeroes) {
        if (count_ == kMostFields || bytes_ + size > kMostBytes) return false;
        fields_[count_++] = {static_cast<char*>(address), static_cast<uint32_t>(size), rest};
        bytes_ += size;
        if (rest != Rest::kWithTheOneBefore)
            watch(reinterpret_cast<uintptr_t>(address), size < kWordBytes ? size : kWordBytes, rest);
        return true;
    }

    /// What take() needs.
    size_t bytes() const { return bytes_; }

    bool at_rest() const {
        uint64_t used = 0;
        for (size_t index = 0; index < word_count_; ++index)
            used |= (*words_[index].word ^ words_[index].rest) & words_[index].mask;
        return used == 0;
    }
    /// Moves what is there to `kept`.
    void take(void* kept) const {
        char* to = static_cast<char*>(kept);
        for (size_t index = 0; index < count_; ++index) {
            const Field& field = fields_[index];
            memcpy(to, field.address, field.size);
            memset(field.address, field.rest == Rest::kOnes ? 0xff : 0, field.size);
            to += field.size;
        }
    }
    /// Whatever is there now is lost.
    void put_back(const void* kept) const {
        const char* from = static_cast<const char*>(kept);
        for (size_t index = 0; index < count_; ++index) {
            memcpy(fields_[index].address, from, fields_[index].size);
            from += fields_[index].size;
        }
    }

  private:
    static constexpr size_t kWordBytes = sizeof(uint64_t);
    /// Eight bytes of whatever type.
    using AnyBytes [[gnu::may_alias]] = uint64_t;

    struct Field {
        char* address;
        uint32_t size;
        Rest rest;
    };
    /// What at_rest() looks at, as it is asked at each switch: whole words, and which bytes of them count.
    struct Word {
        const AnyBytes* word;
        uint64_t mask;
        uint64_t rest;
    };

    void watch(uintptr_t address, size_t size, Rest rest) {
        for (size_t at = 0; at < size; ++at) {
            const uintptr_t byte = address + at;
            Word& word = word_at(byte - byte % kWordBytes);
            reinterpret_cast<uint8_t*>(&word.mask)[byte % kWordBytes] = 0xff;
            reinterpret_cast<uint8_t*>(&word.rest)[byte % kWordBytes] = static_cast<uint8_t>(rest);
        }
    }
    Word& word_at(uintptr_t address) {
        for (size_t index = 0; index < word_count_; ++index)
            if (reinterpret_cast<uintptr_t>(words_[index].word) == address) return words_[index];
        words_[word_count_] = {reinterpret_cast<const AnyBytes*>(address), 0, 0};
        return words_[word_count_++];
    }

    Field fields_[kMostFields] = {};
    Word words_[2 * kMostFields] = {};  ///< a field may lie across two
    size_t count_ = 0;
    size_t word_count_ = 0;
    size_t bytes_ = 0;
};

}  // namespace sluice::php
