#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice::http {

enum class Coding : uint8_t { kIdentity, kGzip, kBrotli, kZstd };

/// The coding's name in Content-Encoding.
std::string_view coding_name(Coding coding);

/// What a request's Accept-Encoding fields say (RFC 9110 12.5.3), as weights in thousandths.
class AcceptedCodings {
  public:
    /// Without any field only identity is acceptable: such a client may not know codings.
    static AcceptedCodings of(std::span<const Field> fields, const char* text);
    /// Adds one field. Malformed elements are ignored.
    void add(std::string_view list);

    /// 0: not acceptable.
    uint16_t weight(Coding coding) const;
    /// The coding in `offered` with the greatest weight, the first one of equal weights; kIdentity when none
    /// is acceptable, or identity was named with a greater weight.
    Coding best_of(std::span<const Coding> offered) const;

  private:
    static constexpr int16_t kUnnamed = -1;
    int16_t weights_[4] = {kUnnamed, kUnnamed, kUnnamed, kUnnamed};
    int16_t any_ = kUnnamed;  ///< of `*`
};

}  // namespace sluice::http
