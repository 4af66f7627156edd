#include "server/observer/dashboard.h"

#include <cstdio>
#include <sys/random.h>

// Both Makefiles have this object made again when the page changes.
asm(".pushsection .rodata\n"
    "sluice_dashboard:\n"
    ".incbin \"server/observer/dashboard.html\"\n"
    "sluice_dashboard_end:\n"
    ".popsection\n"
    ".globl sluice_dashboard, sluice_dashboard_end\n"
    ".hidden sluice_dashboard, sluice_dashboard_end\n");
extern "C" const char sluice_dashboard[] __attribute__((visibility("hidden")));
extern "C" const char sluice_dashboard_end[] __attribute__((visibility("hidden")));

namespace sluice {

namespace {

/// What no page can guess, so that nothing runs here but the page's own script (Content-Security-Policy).
std::string new_nonce() {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return {};
    std::string text;
    for (const unsigned char byte : bytes) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", byte);
        text += digits;
    }
    return text;
}

void add_nonce(std::string& page, std::string_view tag, const std::string& nonce) {
    const size_t at = page.find(tag);
    if (at != page.npos) page.insert(at + tag.size() - 1, " nonce=\"" + nonce + '"');
}

AdminResponse page_of(uint16_t status) {
    AdminResponse response;
    response.status = status;
    response.type = "text/html; charset=utf-8";
    response.body.assign(sluice_dashboard, sluice_dashboard_end);
    const std::string nonce = new_nonce();
    if (nonce.empty()) return AdminResponse::problem(503, "There is no randomness for the page's nonce");
    add_nonce(response.body, "<style>", nonce);
    add_nonce(response.body, "<script>", nonce);
    response.fields = "Content-Security-Policy: default-src 'none'; script-src 'nonce-" + nonce +
                      "'; style-src 'nonce-" + nonce +
                      "'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";
    return response;
}

}  // namespace

AdminAnswer answer_dashboard(Observer&, const AdminRequest&) {
    return page_of(200);
}

AdminResponse sign_in_page() {
    AdminResponse response = page_of(401);
    response.fields += "WWW-Authenticate: Bearer realm=\"sluice\"\r\n";
    return response;
}

}  // namespace sluice
