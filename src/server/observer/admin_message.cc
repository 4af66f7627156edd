#include "server/observer/admin_message.h"

#include "server/observer/json_text.h"

namespace sluice {

std::string_view AdminRequest::field(std::string_view name) const {
    for (const http::Field& field : fields)
        if (field.name.in(base) == name) return field.value.in(base);
    return {};
}

std::string_view AdminRequest::parameter(std::string_view name) const {
    for (std::string_view rest = query; !rest.empty();) {
        const size_t end = rest.find('&');
        const std::string_view pair = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        if (pair.starts_with(name) && pair.size() > name.size() && pair[name.size()] == '=')
            return pair.substr(name.size() + 1);
    }
    return {};
}

AdminResponse AdminResponse::problem(uint16_t status, std::string_view sentence) {
    return json(status, "{\"error\":" + json_text(sentence) + "}\n");
}

}  // namespace sluice
