#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace sluice {

/// Packs values for a control message between processes of one server (same machine, same build).
class WireWriter {
  public:
    template <typename T>
    void put(T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put_string(std::string_view text) {
        put(static_cast<uint32_t>(text.size()));
        bytes_.append(text);
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

/// Unpacks what a WireWriter has packed. After reading past the end everything is zero and `ok()` is false.
class WireReader {
  public:
    explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

    template <typename T>
    T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        if (bytes_.size() < sizeof value) {
            ok_ = false;
            bytes_ = {};
            return value;
        }
        memcpy(&value, bytes_.data(), sizeof value);
        bytes_.remove_prefix(sizeof value);
        return value;
    }
    std::string get_string() {
        uint32_t size = get<uint32_t>();
        if (size > bytes_.size()) {
            ok_ = false;
            bytes_ = {};
            return {};
        }
        std::string text(bytes_.substr(0, size));
        bytes_.remove_prefix(size);
        return text;
    }
    bool ok() const { return ok_; }

  private:
    std::string_view bytes_;
    bool ok_ = true;
};

}  // namespace sluice
