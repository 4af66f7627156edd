#include "protocol/http/error_page.h"

#include <algorithm>
#include <cstring>

#include "core/utf8.h"
#include "protocol/http/accept.h"
#include "protocol/http/http1_response.h"
#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

constexpr std::string_view kHtmlPage =
    "<!doctype html>\n"
    "<html lang=\"en\">\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>{status} {reason}</title>\n"
    "<style>\n"
    ":root { color-scheme: light dark }\n"
    "body { margin: 0; min-height: 100vh; display: grid; place-items: center; "
    "font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }\n"
    "main { box-sizing: border-box; width: min(100%, 36rem); padding: 2rem }\n"
    "h1 { margin: 0; font-size: 1.5rem; font-weight: 600 }\n"
    "h1 span { margin-right: .5rem; padding-right: .75rem; border-right: 1px solid; font-weight: 400 }\n"
    "p { margin: 1rem 0 0; opacity: .75; white-space: pre-wrap; overflow-wrap: anywhere }\n"
    "</style>\n"
    "<main>\n"
    "<h1><span>{status}</span> {reason}</h1>\n"
    "<p>{detail}</p>\n"
    "</main>\n"
    "</html>\n";

/// The part of the HTML page that is left out when there is no detail.
constexpr std::string_view kHtmlDetail = "<p>{detail}</p>\n";

/// kAny for a type that no error page has.
ErrorFormat format_of(std::string_view type) {
    // The types differ in length, and most requests name other types: compare lengths first.
    switch (type.size()) {
        case 9: return equals_caseless(type, "text/html") ? ErrorFormat::kHtml : ErrorFormat::kAny;
        case 10: return equals_caseless(type, "text/plain") ? ErrorFormat::kText : ErrorFormat::kAny;
        case 16: return equals_caseless(type, "application/json") ? ErrorFormat::kJson : ErrorFormat::kAny;
        case 24:
            return equals_caseless(type, "application/problem+json") ? ErrorFormat::kJson : ErrorFormat::kAny;
        default: return ErrorFormat::kAny;
    }
}

/// Returns the text before `mark`, without blanks around it, and leaves the rest in `text`.
std::string_view cut(std::string_view& text, char mark) {
    const size_t end = std::min(text.find(mark), text.size());
    const std::string_view first = trim_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return first;
}

uint16_t weight_of(std::string_view parameters) {
    while (!parameters.empty()) {
        const std::string_view parameter = cut(parameters, ';');
        if (parameter.size() > 2 && to_lower(parameter[0]) == 'q' && parameter[1] == '=')
            return read_weight(parameter.substr(2)).value_or(0);
    }
    return 1000;
}

void append_html(std::string& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
}

/// Appends the text, escaped for a JSON string.
void append_json(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (static_cast<uint8_t>(c) < 0x20) {
            out += "\\u00";
            out += "01"[c >> 4];
            out += "0123456789abcdef"[c & 15];
        } else {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
    }
}

/// With a capital letter and a full stop.
std::string sentence(std::string_view detail) {
    std::string text(detail);
    if (text.empty()) return text;
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    if (!strchr(".!?", text.back())) text += '.';
    return text;
}

struct Values {
    uint16_t number;
    std::string status;
    std::string_view reason;
    std::string detail;
    std::string request;
};

std::string fill(std::string_view page, const Values& values,
                 void (*append)(std::string&, std::string_view)) {
    const struct {
        std::string_view mark, value;
    } marks[] = {{"{status}", values.status},
                 {"{reason}", values.reason},
                 {"{detail}", values.detail},
                 {"{request}", values.request}};
    std::string out;
    for (size_t from = 0;;) {
        const size_t brace = std::min(page.find('{', from), page.size());
        out += page.substr(from, brace - from);
        if (brace == page.size()) return out;
        from = brace;
        for (const auto& [mark, value] : marks) {
            if (!page.substr(brace).starts_with(mark)) continue;
            append(out, value);
            from += mark.size();
            break;
        }
        if (from == brace) out += page[from++];
    }
}

const std::string* find_page(const ErrorPages::ByStatus& pages, uint16_t status) {
    auto found = pages.find(status);
    if (found == pages.end()) found = pages.find(0);
    return found == pages.end() ? nullptr : &found->second;
}

std::string html_page(const ErrorPages* pages, const Values& values) {
    if (const std::string* own = pages ? find_page(pages->html, values.number) : nullptr)
        return fill(*own, values, append_html);
    std::string page(kHtmlPage);
    if (values.detail.empty()) page.erase(page.find(kHtmlDetail), kHtmlDetail.size());
    return fill(page, values, append_html);
}

std::string json_page(const ErrorPages* pages, const Values& values) {
    if (const std::string* own = pages ? find_page(pages->json, values.number) : nullptr)
        return fill(*own, values, append_json);
    return fill(values.detail.empty()
                    ? R"({"type":"about:blank","title":"{reason}","status":{status}})"
                      "\n"
                    : R"({"type":"about:blank","title":"{reason}","status":{status},"detail":"{detail}"})"
                      "\n",
                values, append_json);
}

}  // namespace

// A named type's own weight counts before that of wildcards, so one pass is enough; it runs for each request.
// Quoted strings are not parsed, as none of these types has parameters.
ErrorFormat wanted_format(std::span<const Field> fields, const char* text) {
    constexpr std::string_view kName = "accept";
    ErrorFormat best = ErrorFormat::kAny;
    uint16_t best_weight = 0;
    for (const Field& field : fields) {
        if (field.name.length != kName.size() || field.name.in(text) != kName) continue;
        std::string_view list = field.value.in(text);
        while (!list.empty()) {
            std::string_view element = cut(list, ',');
            const ErrorFormat format = format_of(cut(element, ';'));
            if (format == ErrorFormat::kAny) continue;
            const uint16_t weight = weight_of(element);
            if (weight <= best_weight) continue;
            best = format;
            best_weight = weight;
        }
    }
    return best;
}

ErrorPage make_error_page(const ErrorPages* pages, ErrorFormat wanted, const ErrorCase& error) {
    auto [status, detail, request] = error;
    if (wanted == ErrorFormat::kAny) wanted = pages ? pages->otherwise : ErrorFormat::kText;
    if (!is_utf8(detail)) detail = {};
    Values values{status, std::to_string(status), http1::reason_phrase(status), std::string(detail),
                  std::to_string(request)};
    if (values.reason.empty()) values.reason = status < 500 ? "Client Error" : "Server Error";
    ErrorPage page;
    switch (wanted) {
        case ErrorFormat::kHtml:
            values.detail = sentence(detail);
            page.fields = "content-type: text/html; charset=utf-8\r\n";
            page.body = html_page(pages, values);
            break;
        case ErrorFormat::kJson:
            page.fields = "content-type: application/problem+json\r\n";
            page.body = json_page(pages, values);
            break;
        default:
            page.fields = "content-type: text/plain; charset=utf-8\r\n";
            page.body.append(values.status).append(" ").append(values.reason);
            if (!values.detail.empty()) page.body.append(": ").append(values.detail);
            page.body += '\n';
    }
    page.fields += "vary: accept\r\n";
    return page;
}

}  // namespace sluice::http
