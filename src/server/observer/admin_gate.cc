#include "server/observer/admin_gate.h"

#include "io/listen_address.h"

namespace sluice {

namespace {

bool is_loopback(const Address& address) {
    if (address.family == AF_INET) return address.ip[0] == 127;
    return address.ip_string() == "::1";
}

/// As a client on this machine writes it: with or without a port.
bool names_loopback(std::string_view host) {
    const bool is_bracketed = host.starts_with('[');
    const std::string_view name = host.substr(0, host.find(is_bracketed ? ']' : ':'));
    if (name == "localhost") return true;
    const std::optional<Address> ip = Address::parse_ip(is_bracketed ? name.substr(1) : name);
    return ip && is_loopback(*ip);
}

/// In a time that tells nothing of where they differ.
bool are_equal(std::string_view given, std::string_view secret) {
    size_t differences = given.size() ^ secret.size();
    for (size_t i = 0; i < secret.size(); ++i)
        differences |= static_cast<unsigned char>((i < given.size() ? given[i] : 0) ^ secret[i]);
    return differences == 0;
}

}  // namespace

bool is_local(const AdminSpec& spec) {
    const std::optional<ListenAddress> address = ListenAddress::parse(spec.address);
    return address && (address->is_unix() || is_loopback(address->ip));
}

AdminGate::AdminGate(const AdminSpec& spec)
    : token_(spec.token), is_unix_(spec.address.starts_with("unix:")) {}

bool AdminGate::has_token(const AdminRequest& request) const {
    if (token_.empty()) return true;
    constexpr std::string_view kScheme = "Bearer ";
    const std::string_view given = request.field("authorization");
    return given.starts_with(kScheme) && are_equal(given.substr(kScheme.size()), token_);
}

std::optional<AdminResponse> AdminGate::refuse(const AdminRequest& request) const {
    if (!has_token(request)) {
        AdminResponse refused =
            AdminResponse::problem(401, "The admin listener's token is demanded: Authorization: Bearer …");
        refused.fields = "WWW-Authenticate: Bearer realm=\"sluice\"\r\n";
        return refused;
    }
    if (token_.empty() && !is_unix_ && !names_loopback(request.host))
        return AdminResponse::problem(
            421, "Without a token the admin listener is asked by a loopback address only");
    if (request.method != http::Method::kPost) return std::nullopt;
    if (token_.empty())
        return AdminResponse::problem(403, "Actions demand a token: give the admin listener one");
    const std::string_view origin = request.field("origin");
    if (!origin.empty() &&
        (!origin.starts_with("http") || !origin.ends_with("://" + std::string(request.host))))
        return AdminResponse::problem(403, "Actions are not taken from pages of another origin");
    return std::nullopt;
}

}  // namespace sluice
