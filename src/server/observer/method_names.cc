#include "server/observer/method_names.h"

namespace sluice {

std::string_view name_of(http::Method method) {
    using enum http::Method;
    switch (method) {
        case kGet: return "GET";
        case kHead: return "HEAD";
        case kPost: return "POST";
        case kPut: return "PUT";
        case kDelete: return "DELETE";
        case kConnect: return "CONNECT";
        case kOptions: return "OPTIONS";
        case kTrace: return "TRACE";
        case kPatch: return "PATCH";
        case kOther: break;
    }
    return "_OTHER";
}

}  // namespace sluice
