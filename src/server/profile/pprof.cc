// profile.proto, written by hand: a few kinds of fields are all of protobuf that it needs.
// https://protobuf.dev/programming-guides/encoding/

#include <algorithm>
#include <array>
#include <map>
#include <zlib.h>

#include "server/profile/profile_formats.h"

namespace sluice {

namespace {

/// Field numbers of profile.proto.
namespace profile_field {
constexpr unsigned kSampleType = 1, kSample = 2, kLocation = 4, kFunction = 5, kStringTable = 6,
                   kTimeNanos = 9, kDurationNanos = 10, kPeriodType = 11, kPeriod = 12, kComment = 13,
                   kDefaultSampleType = 14;
}
namespace value_type_field {
constexpr unsigned kType = 1, kUnit = 2;
}
namespace sample_field {
constexpr unsigned kLocationId = 1, kValue = 2, kLabel = 3;
}
namespace label_field {
constexpr unsigned kKey = 1, kStr = 2;
}
namespace location_field {
constexpr unsigned kId = 1, kLine = 4;
}
namespace line_field {
constexpr unsigned kFunctionId = 1, kLine = 2;
}
namespace function_field {
constexpr unsigned kId = 1, kName = 2, kSystemName = 3, kFilename = 4, kStartLine = 5;
}

/// A message of protobuf.
class Message {
  public:
    /// 0 is the default, which is not written.
    void number(unsigned field, uint64_t value) {
        if (value == 0) return;
        varint(uint64_t{field} << 3);
        varint(value);
    }
    void bytes(unsigned field, std::string_view value) {
        varint(uint64_t{field} << 3 | 2);
        varint(value.size());
        text_ += value;
    }
    void message(unsigned field, const Message& value) { bytes(field, value.text_); }
    template <typename Numbers>
    void packed(unsigned field, const Numbers& values) {
        Message all;
        for (const auto value : values)
            all.varint(static_cast<uint64_t>(value));
        message(field, all);
    }
    void append(const Message& other) { text_ += other.text_; }
    const std::string& text() const { return text_; }

  private:
    void varint(uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            text_ += static_cast<char>(value | 0x80);
        text_ += static_cast<char>(value);
    }

    std::string text_;
};

/// The strings of the profile, and those of its types behind them.
class StringTable {
  public:
    explicit StringTable(const std::vector<std::string>& strings) : strings_(strings) {}

    uint64_t place_of(const std::string& text) {
        if (text.empty()) return 0;
        const auto [place, is_new] = more_.try_emplace(text, strings_.size() + order_.size());
        if (is_new) order_.push_back(&place->first);
        return place->second;
    }
    void write(Message& to) const {
        for (const std::string& text : strings_)
            to.bytes(profile_field::kStringTable, text);
        for (const std::string* text : order_)
            to.bytes(profile_field::kStringTable, *text);
    }

  private:
    const std::vector<std::string>& strings_;
    std::map<std::string, uint64_t> more_;
    std::vector<const std::string*> order_;
};

Message type_message(const ValueType& type, StringTable& strings) {
    Message to;
    to.number(value_type_field::kType, strings.place_of(type.type));
    to.number(value_type_field::kUnit, strings.place_of(type.unit));
    return to;
}

/// Locations and functions; a location is a frame of the profile, and its id that frame's place plus one.
void write_places(const Profile& profile, Message& to) {
    std::map<std::array<uint32_t, 3>, uint64_t> functions;
    Message all_functions;
    uint64_t id = 0;
    for (const Profile::Frame& frame : profile.frames()) {
        const auto [place, is_new] =
            functions.try_emplace({frame.function, frame.file, frame.start_line}, functions.size() + 1);
        if (is_new) {
            Message function;
            function.number(function_field::kId, place->second);
            function.number(function_field::kName, frame.function);
            function.number(function_field::kSystemName, frame.function);
            function.number(function_field::kFilename, frame.file);
            function.number(function_field::kStartLine, frame.start_line);
            all_functions.message(profile_field::kFunction, function);
        }
        Message line;
        line.number(line_field::kFunctionId, place->second);
        line.number(line_field::kLine, frame.line);
        Message location;
        location.number(location_field::kId, ++id);
        location.message(location_field::kLine, line);
        to.message(profile_field::kLocation, location);
    }
    to.append(all_functions);
}

}  // namespace

std::string to_gzip(std::string_view data) {
    constexpr int kGzip = 15 + 16;
    z_stream stream = {};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    std::string to(deflateBound(&stream, data.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(to.data());
    stream.avail_out = static_cast<uInt>(to.size());
    const int result = deflate(&stream, Z_FINISH);
    to.resize(stream.total_out);
    deflateEnd(&stream);
    return result == Z_STREAM_END ? to : std::string();
}

std::string to_pprof(const Profile& profile, const ProfileAbout& about) {
    StringTable strings(profile.strings());
    Message to;
    for (const ValueType& type : profile.types())
        to.message(profile_field::kSampleType, type_message(type, strings));
    for (const Profile::Sample& sample : profile.samples()) {
        const std::span<const int64_t> values(sample.values, profile.types().size());
        if (std::ranges::all_of(values, [](int64_t value) { return value == 0; })) continue;
        Message one;
        std::vector<uint64_t> locations;
        for (const uint32_t frame : sample.stack)
            locations.push_back(uint64_t{frame} + 1);
        one.packed(sample_field::kLocationId, locations);
        one.packed(sample_field::kValue, values);
        for (const Profile::Label& label : sample.labels) {
            Message pair;
            pair.number(label_field::kKey, label.key);
            pair.number(label_field::kStr, label.text);
            one.message(sample_field::kLabel, pair);
        }
        to.message(profile_field::kSample, one);
    }
    write_places(profile, to);
    to.number(profile_field::kTimeNanos, about.begun_ns);
    to.number(profile_field::kDurationNanos, about.duration_ns);
    if (!about.period_type.type.empty()) {
        to.message(profile_field::kPeriodType, type_message(about.period_type, strings));
        to.number(profile_field::kPeriod, about.period);
    }
    for (const std::string& comment : about.comments)
        to.number(profile_field::kComment, strings.place_of(comment));
    if (!profile.types().empty())
        to.number(profile_field::kDefaultSampleType, strings.place_of(profile.types().back().type));
    strings.write(to);
    return to_gzip(to.text());
}

}  // namespace sluice
