#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::http {

/// qvalue of RFC 9110 12.4.2, in thousandths.
std::optional<uint16_t> read_weight(std::string_view text);

/// A media type as a server offers it: `type/subtype`, perhaps with parameters.
bool is_media_type(std::string_view text);
/// A language tag as a server offers it (RFC 5646): letters and digits in parts of 1 to 8, joined by hyphens.
bool is_language_tag(std::string_view text);

/// How much a request wants one thing that a server offers. The range that fits most closely decides, even
/// over several fields. Malformed elements are ignored.
class Preference {
  public:
    /// One field of Accept (RFC 9110 12.5.1).
    void add_types(std::string_view list, std::string_view offered);
    /// One field of Accept-Language (RFC 9110 12.5.4): a range fits its own tag and longer ones (RFC 4647
    /// 3.3.1); failing that, it fits the offered tag if it begins with it, as `de-AT` fits `de` (3.4).
    void add_languages(std::string_view list, std::string_view offered);

    /// In thousandths; 0: not acceptable. A request without such a field takes anything.
    uint16_t weight() const { return is_told_ ? weight_ : 1000; }

  private:
    void note(int closeness, uint16_t weight);

    bool is_told_ = false;  ///< there was an element
    int closeness_ = 0;     ///< of the range that has decided; 0: no range fits
    uint16_t weight_ = 0;
};

}  // namespace sluice::http
