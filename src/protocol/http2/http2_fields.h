#pragma once

#include <cstdint>
#include <nghttp2/nghttp2.h>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::http2 {

/// A response's fields for nghttp2: names in lower case, in memory that lives as long as this object.
class FieldList {
  public:
    /// Copies. Names are put into lower case.
    void add(std::string_view name, std::string_view value);
    /// Adds whole "Name: value\r\n" lines, except connection-specific fields of HTTP/1.1 (RFC 9113 section
    /// 8.2.2).
    void add_lines(std::string_view lines);

    bool empty() const { return places_.empty(); }
    /// Valid until the next add().
    std::vector<nghttp2_nv> as_nv();

  private:
    struct Place {
        size_t name, name_bytes, value, value_bytes;
    };
    std::string text_;
    std::vector<Place> places_;
};

}  // namespace sluice::http2
