#include "server/profile/profile.h"

#include <algorithm>
#include <cstring>

#include "core/utf8.h"

namespace sluice {

namespace {

constexpr uint32_t kMagic = 0x50464c53;  // "SLFP"
constexpr size_t kLongestText = 4096;

void put(std::string& to, uint32_t number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void put(std::string& to, int64_t number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void put(std::string& to, std::string_view text) {
    put(to, static_cast<uint32_t>(text.size()));
    to += text;
}

/// Reads what put() has written. After the first read past the end all reads give 0, and `good` is false.
struct Reader {
    std::string_view left;
    bool good = true;

    template <typename Number>
    Number number() {
        Number value = 0;
        if (left.size() < sizeof value) {
            good = false;
            left = {};
            return 0;
        }
        memcpy(&value, left.data(), sizeof value);
        left.remove_prefix(sizeof value);
        return value;
    }
    std::string_view text() {
        const uint32_t size = number<uint32_t>();
        if (size > left.size() || size > kLongestText) {
            good = false;
            left = {};
            return {};
        }
        const std::string_view text = left.substr(0, size);
        left.remove_prefix(size);
        return text;
    }
    /// A count of things of at least so many bytes each.
    uint32_t count(size_t least_bytes) {
        const uint32_t count = number<uint32_t>();
        if (count > left.size() / least_bytes) good = false;
        return good ? count : 0;
    }
};

std::string_view bounded(std::string_view text) {
    return text.substr(0, kLongestText);
}

/// All formats demand UTF-8; PHP's names may be anything.
std::string as_utf8(std::string_view text) {
    std::string valid(text);
    if (!is_utf8(text))
        for (char& byte : valid)
            if (static_cast<signed char>(byte) < 0) byte = '?';
    return valid;
}

template <typename T>
std::string bytes_of_value(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

size_t bytes_of_sample(size_t depth, size_t labels, size_t values) {
    return 8 + 4 * depth + 8 * labels + 8 * values;
}

}  // namespace

Profile::Profile(std::vector<ValueType> types, size_t most_bytes)
    : types_(std::move(types)), most_bytes_(most_bytes) {
    if (types_.size() > kMostValues) types_.resize(kMostValues);
    strings_.emplace_back();
    by_text_.emplace(std::string(), 0);
    // The sample of what finds no room is made before anything else, so that it has room itself.
    const ProfileFrame full{kFull, {}, 0, 0};
    const int64_t none[kMostValues] = {};
    bytes_ = 20;
    for (const ValueType& type : types_)
        bytes_ += 8 + type.type.size() + type.unit.size();
    add_ids({intern(full)}, {}, {none, types_.size()});
}

uint32_t Profile::intern(std::string_view text) {
    text = bounded(text);
    const auto [place, is_new] = by_text_.try_emplace(std::string(text), strings_.size());
    if (is_new) {
        strings_.push_back(as_utf8(text));
        bytes_ += 4 + text.size();
    }
    return place->second;
}

uint32_t Profile::intern(const ProfileFrame& frame) {
    const Frame one{intern(frame.function), intern(frame.file), frame.line, frame.start_line};
    const auto [place, is_new] = by_frame_.try_emplace(bytes_of_value(one), frames_.size());
    if (is_new) {
        frames_.push_back(one);
        bytes_ += sizeof one;
    }
    return place->second;
}

/// How much longer the record may become by this sample.
size_t Profile::bytes_of(std::span<const ProfileFrame> stack, std::span<const ProfileLabel> labels) const {
    size_t bytes = bytes_of_sample(stack.size(), labels.size(), types_.size());
    auto add_text = [&](std::string_view text) {
        if (!by_text_.contains(std::string(bounded(text)))) bytes += 4 + bounded(text).size();
    };
    for (const ProfileFrame& frame : stack) {
        bytes += sizeof(Frame);
        add_text(frame.function);
        add_text(frame.file);
    }
    for (const ProfileLabel& label : labels) {
        add_text(label.key);
        add_text(label.text);
    }
    return bytes;
}

size_t Profile::add(std::span<const ProfileFrame> stack, std::span<const ProfileLabel> labels,
                  std::span<const int64_t> values) {
    stack = stack.first(std::min(stack.size(), kMostDepth));
    labels = labels.first(std::min(labels.size(), kMostLabels));
    if (bytes_ + bytes_of(stack, labels) > most_bytes_) {
        add_to(0, values);
        return 0;
    }
    std::vector<uint32_t> ids;
    ids.reserve(stack.size());
    for (const ProfileFrame& frame : stack)
        ids.push_back(intern(frame));
    std::vector<Label> label_ids;
    for (const ProfileLabel& label : labels)
        label_ids.push_back({intern(label.key), intern(label.text)});
    return add_ids(ids, label_ids, values);
}

size_t Profile::add_ids(const std::vector<uint32_t>& stack, const std::vector<Label>& labels,
                      std::span<const int64_t> values) {
    std::string key;
    put(key, static_cast<uint32_t>(stack.size()));
    for (const uint32_t frame : stack)
        put(key, frame);
    for (const Label& label : labels) {
        put(key, label.key);
        put(key, label.text);
    }
    const auto [place, is_new] = by_stack_.try_emplace(std::move(key), samples_.size());
    if (is_new) {
        samples_.push_back({stack, labels, {}});
        bytes_ += bytes_of_sample(stack.size(), labels.size(), types_.size());
    }
    add_to(place->second, values);
    return place->second;
}

void Profile::add_to(size_t sample, std::span<const int64_t> values) {
    for (size_t index = 0; index < types_.size(); ++index)
        samples_[sample].values[index] += values[index];
}

std::string Profile::record() const {
    std::string to;
    to.reserve(bytes_);
    put(to, kMagic);
    put(to, static_cast<uint32_t>(types_.size()));
    for (const ValueType& type : types_) {
        put(to, type.type);
        put(to, type.unit);
    }
    put(to, static_cast<uint32_t>(strings_.size() - 1));
    for (size_t index = 1; index < strings_.size(); ++index)
        put(to, strings_[index]);
    put(to, static_cast<uint32_t>(frames_.size()));
    for (const Frame& frame : frames_)
        for (const uint32_t number : {frame.function, frame.file, frame.line, frame.start_line})
            put(to, number);
    put(to, static_cast<uint32_t>(samples_.size()));
    for (const Sample& sample : samples_) {
        put(to, static_cast<uint32_t>(sample.stack.size()));
        put(to, static_cast<uint32_t>(sample.labels.size()));
        for (const uint32_t frame : sample.stack)
            put(to, frame);
        for (const Label& label : sample.labels) {
            put(to, label.key);
            put(to, label.text);
        }
        for (size_t index = 0; index < types_.size(); ++index)
            put(to, sample.values[index]);
    }
    return to;
}

bool Profile::add_record(std::string_view record, std::span<const ProfileLabel> more_labels) {
    Reader reader{record};
    if (reader.number<uint32_t>() != kMagic || reader.number<uint32_t>() != types_.size()) return false;
    for (const ValueType& type : types_)
        if (reader.text() != type.type || reader.text() != type.unit) return false;
    std::vector<std::string_view> strings(1);
    for (uint32_t count = reader.count(4); count > 0; --count)
        strings.push_back(reader.text());
    std::vector<ProfileFrame> frames;
    for (uint32_t count = reader.count(sizeof(Frame)); count > 0; --count) {
        const uint32_t function = reader.number<uint32_t>(), file = reader.number<uint32_t>();
        if (function >= strings.size() || file >= strings.size()) return false;
        const uint32_t line = reader.number<uint32_t>(), start_line = reader.number<uint32_t>();
        frames.push_back({strings[function], strings[file], line, start_line});
    }
    struct Read {
        std::vector<ProfileFrame> stack;
        std::vector<ProfileLabel> labels;
        int64_t values[kMostValues];
    };
    std::vector<Read> samples;
    for (uint32_t count = reader.count(8); count > 0; --count) {
        const uint32_t depth = reader.number<uint32_t>(), labels = reader.number<uint32_t>();
        if (depth > kMostDepth || labels > kMostLabels) return false;
        Read& one = samples.emplace_back();
        for (uint32_t index = 0; index < depth; ++index) {
            const uint32_t frame = reader.number<uint32_t>();
            if (frame >= frames.size()) return false;
            one.stack.push_back(frames[frame]);
        }
        for (uint32_t index = 0; index < labels; ++index) {
            const uint32_t key = reader.number<uint32_t>(), text = reader.number<uint32_t>();
            if (key >= strings.size() || text >= strings.size()) return false;
            one.labels.push_back({strings[key], strings[text]});
        }
        for (size_t index = 0; index < types_.size(); ++index) {
            one.values[index] = reader.number<int64_t>();
            if (one.values[index] < 0) return false;
        }
    }
    if (!reader.good || !reader.left.empty()) return false;
    for (Read& one : samples) {
        const std::span<const int64_t> values(one.values, types_.size());
        if (std::ranges::all_of(values, [](int64_t value) { return value == 0; })) continue;
        one.labels.insert(one.labels.end(), more_labels.begin(), more_labels.end());
        add(one.stack, one.labels, values);
    }
    return true;
}

}  // namespace sluice
