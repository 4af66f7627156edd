#pragma once

#include <cstdint>
#include <nghttp2/nghttp2.h>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::http2 {

/// The fields of a response as nghttp2 wants them: names in lower case, in memory that lives as long as this.
class FieldList {
  public:
    /// Copies. Names are put into lower case.
    void add(std::string_view name, std::string_view value);
    /// Whole "Name: value\r\n" lines. Those that only a connection of HTTP/1.1 has are left out (RFC 9113
    /// section 8.2.2).
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
