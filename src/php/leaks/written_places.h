#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace sluice::php {

/// Where the code of a request has written to what may outlive the request: a few lines of code for each
/// thing.
class WrittenPlaces {
  public:
    static constexpr size_t kMostPlaces = 3;  ///< of one thing: the last ones
    static constexpr size_t kMostThings = 100'000;

    void add(uint64_t thing, std::string_view file, uint32_t line) {
        if (things_.size() >= kMostThings && !things_.contains(thing)) return;
        const Place place{keep(file), line};
        Places& places = things_[thing];
        // The latest one is the last. It takes its own former place, an empty one, or that of the oldest.
        auto at = std::find(places.begin(), places.end(), place);
        if (at == places.end()) at = std::find(places.begin(), places.end(), Place{});
        if (at == places.end()) at = places.begin();
        for (; at + 1 != places.end() && (at + 1)->file; ++at)
            *at = *(at + 1);
        *at = place;
    }

    /// `/a.php:3, /b.php:5`, in the order of writing; empty: the thing was not written to.
    std::string of(uint64_t thing) const {
        std::string text;
        const auto found = things_.find(thing);
        if (found == things_.end()) return text;
        for (const Place& place : found->second) {
            if (place.file)
                text += (text.empty() ? "" : ", ") + *place.file + ":" + std::to_string(place.line);
        }
        return text;
    }

    void clear() {
        things_.clear();
        files_.clear();
        last_file_ = nullptr;
    }

  private:
    struct Place {
        const std::string* file = nullptr;
        uint32_t line = 0;

        bool operator==(const Place&) const = default;
    };
    using Places = std::array<Place, kMostPlaces>;

    /// Most writes follow one from the same file.
    const std::string* keep(std::string_view file) {
        if (!last_file_ || *last_file_ != file) last_file_ = &*files_.emplace(file).first;
        return last_file_;
    }

    std::unordered_map<uint64_t, Places> things_;
    std::unordered_set<std::string> files_;
    const std::string* last_file_ = nullptr;
};

}  // namespace sluice::php
