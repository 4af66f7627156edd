#include "protocol/http/accept_encoding.h"

#include <algorithm>
#include <optional>

#include "protocol/http/accept.h"
#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

constexpr std::string_view kNames[] = {"identity", "gzip", "br", "zstd"};

}  // namespace

std::string_view coding_name(Coding coding) {
    return kNames[static_cast<size_t>(coding)];
}

AcceptedCodings AcceptedCodings::of(std::span<const Field> fields, const char* text) {
    AcceptedCodings accepted;
    for (const Field& field : fields)
        if (field.name.in(text) == "accept-encoding") accepted.add(field.value.in(text));
    return accepted;
}

void AcceptedCodings::add(std::string_view list) {
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        const std::string_view element = trim_blanks(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
        const size_t semicolon = std::min(element.find(';'), element.size());
        std::string_view name = trim_blanks(element.substr(0, semicolon));
        std::optional<uint16_t> weight = 1000;
        if (semicolon < element.size()) {
            const std::string_view parameter = trim_blanks(element.substr(semicolon + 1));
            if (parameter.size() < 2 || to_lower(parameter[0]) != 'q' || parameter[1] != '=') continue;
            weight = read_weight(parameter.substr(2));
        }
        if (!weight) continue;
        if (name == "*") {
            any_ = static_cast<int16_t>(*weight);
            continue;
        }
        if (equals_caseless(name, "x-gzip")) name = "gzip";  // RFC 9110 8.4.1.3
        for (size_t i = 0; i < std::size(kNames); ++i)
            if (equals_caseless(name, kNames[i])) weights_[i] = static_cast<int16_t>(*weight);
    }
}

uint16_t AcceptedCodings::weight(Coding coding) const {
    const int16_t own = weights_[static_cast<size_t>(coding)];
    if (own != kUnnamed) return static_cast<uint16_t>(own);
    if (any_ != kUnnamed) return static_cast<uint16_t>(any_);
    return coding == Coding::kIdentity ? 1 : 0;  // chosen when no other is acceptable
}

Coding AcceptedCodings::best_of(std::span<const Coding> offered) const {
    Coding best = Coding::kIdentity;
    // When only `*` covers identity, identity gets no preference over the codings that are named.
    const int16_t named = weights_[static_cast<size_t>(Coding::kIdentity)];
    int weight_of_best = std::max<int>(named, 1) - 1;
    for (const Coding coding : offered) {
        const int its = weight(coding);
        if (its == 0 || its <= weight_of_best) continue;
        best = coding;
        weight_of_best = its;
    }
    return best;
}

}  // namespace sluice::http
