#include "io/tls_context.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <unistd.h>

namespace sluice {

namespace {
/// With forward secrecy and authenticated encryption only. TLS 1.3 has no others.
constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
constexpr const char* kGroups = "X25519:P-256:P-384";
/// OpenSSL's levels: 2 refuses keys and signatures below 112 bits of security (RSA below 2048 bits, SHA-1).
constexpr int kSecurityLevel = 2;
/// Sessions of TLS 1.2 clients that do not take tickets; about 1 KiB each.
constexpr long kCachedSessions = 4096;
constexpr long kSessionSeconds = 3600;

/// OpenSSL's own reason for what it has just refused, the innermost one; the error queue is empty afterwards.
std::string last_reason() {
    unsigned long code = ERR_peek_error();
    const char* reason = code ? ERR_reason_error_string(code) : nullptr;
    ERR_clear_error();
    return reason ? reason : "unknown error";
}

/// A server has nobody at hand who could type one.
int refuse_passphrase(char*, int, int, void* asked) {
    *static_cast<bool*>(asked) = true;
    return -1;
}

bool check_readable(const char* what, const std::string& path, std::string& error) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    char byte;
    bool readable = fd >= 0 && read(fd, &byte, 1) >= 0;
    if (!readable) error = std::string("Cannot read the ") + what + " " + path + ": " + strerror(errno);
    if (fd >= 0) close(fd);
    return readable;
}

bool load_certificate(SSL_CTX* context, const TlsOptions::Certificate& certificate, std::string& error) {
    if (!check_readable("certificate file", certificate.chain, error) ||
        !check_readable("key file", certificate.key, error)) {
        return false;
    }
    if (SSL_CTX_use_certificate_chain_file(context, certificate.chain.c_str()) != 1) {
        error = "The certificate file " + certificate.chain + " cannot be used: " + last_reason();
        return false;
    }
    bool has_passphrase = false;
    SSL_CTX_set_default_passwd_cb(context, refuse_passphrase);
    SSL_CTX_set_default_passwd_cb_userdata(context, &has_passphrase);
    bool loaded = SSL_CTX_use_PrivateKey_file(context, certificate.key.c_str(), SSL_FILETYPE_PEM) == 1;
    SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
    if (loaded) return true;
    unsigned long code = ERR_peek_error();
    if (has_passphrase) {
        error = "The key file " + certificate.key + " has a passphrase; only a key without one can be used";
        ERR_clear_error();
    } else if (ERR_GET_LIB(code) == ERR_LIB_X509) {
        error = "The key file " + certificate.key + " does not belong to the certificate file " +
                certificate.chain + ": " + last_reason();
    } else {
        error = "The key file " + certificate.key + " cannot be used: " + last_reason();
    }
    return false;
}

bool set_up_client_certificates(SSL_CTX* context, const TlsOptions& options, std::string& error) {
    if (options.client_ca.empty()) return true;
    if (!check_readable("client CA file", options.client_ca, error)) return false;
    STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(options.client_ca.c_str());
    if (!names || SSL_CTX_load_verify_file(context, options.client_ca.c_str()) != 1) {
        sk_X509_NAME_pop_free(names, X509_NAME_free);
        error = "The client CA file " + options.client_ca + " cannot be used: " + last_reason();
        return false;
    }
    SSL_CTX_set_client_CA_list(context, names);
    SSL_CTX_set_verify(
        context, SSL_VERIFY_PEER | (options.require_client_certificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
        nullptr);
    return true;
}

/// A session is resumed only where it began: with this certificate and these rules for clients.
void set_session_id_context(SSL_CTX* context, const TlsOptions& options) {
    std::string all = options.certificates[0].chain + '\n' + options.client_ca + '\n' +
                      (options.require_client_certificate ? "required" : "optional");
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    EVP_Digest(all.data(), all.size(), digest, &size, EVP_sha256(), nullptr);
    SSL_CTX_set_session_id_context(context, digest, std::min<unsigned>(size, SSL_MAX_SID_CTX_LENGTH));
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

/// OpenSSL writes to sockets with write(2), which cannot be told not to raise SIGPIPE.
void survive_broken_pipes() {
    struct sigaction action;
    if (sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);
}
}  // namespace

std::shared_ptr<const TlsContext> TlsContext::create(const TlsOptions& options, std::string& error,
                                                     std::shared_ptr<TicketKeys> tickets) {
    survive_broken_pipes();
    ERR_clear_error();
    std::shared_ptr<TlsContext> self(new TlsContext);
    self->tickets_ = std::move(tickets);
    if (options.certificates.empty()) {
        error = "TLS needs a certificate";
        return nullptr;
    }
    for (const TlsOptions::Certificate& certificate : options.certificates) {
        SSL_CTX* context = SSL_CTX_new(TLS_server_method());
        if (!context) {
            error = "OpenSSL cannot be used: " + last_reason();
            return nullptr;
        }
        self->contexts_.push_back(context);
        self->names_.push_back(lower_case(certificate.name));
        if (self->tickets_) TicketKeys::use(context, *self->tickets_);
        SSL_CTX_set_security_level(context, kSecurityLevel);
        if (!load_certificate(context, certificate, error)) return nullptr;
    }

    // Connections begin with the first one and get only another certificate.
    SSL_CTX* context = self->contexts_[0];
    SSL_CTX_set_min_proto_version(
        context, options.minimum_version == TlsVersion::k1_3 ? TLS1_3_VERSION : TLS1_2_VERSION);
    if (SSL_CTX_set_cipher_list(context, kCiphers) != 1 || SSL_CTX_set1_groups_list(context, kGroups) != 1) {
        error = "OpenSSL does not know the ciphers that Sluice wants: " + last_reason();
        return nullptr;
    }
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
                                     SSL_OP_ENABLE_KTLS);
    // Moving: what waits in the out-queue is gathered anew for each attempt.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_SERVER);
    SSL_CTX_sess_set_cache_size(context, kCachedSessions);
    SSL_CTX_set_timeout(context, kSessionSeconds);
    set_session_id_context(context, options);
    if (!set_up_client_certificates(context, options, error)) return nullptr;
    if (self->contexts_.size() > 1) {
        SSL_CTX_set_tlsext_servername_callback(context, choose_certificate);
        SSL_CTX_set_tlsext_servername_arg(context, self.get());
    }
    for (const std::string& protocol : options.alpn) {
        self->protocols_ += static_cast<char>(protocol.size());
        self->protocols_ += protocol;
    }
    if (!self->protocols_.empty()) SSL_CTX_set_alpn_select_cb(context, choose_protocol, self.get());
    return self;
}

TlsContext::~TlsContext() {
    for (SSL_CTX* context : contexts_)
        SSL_CTX_free(context);
}

SSL* TlsContext::new_connection() const {
    return SSL_new(contexts_[0]);
}

size_t TlsContext::certificate_for(std::string_view host) const {
    std::string wanted = lower_case(host);
    size_t dot = wanted.find('.');
    // A star stands for one label.
    std::string starred = dot == std::string::npos || dot == 0 ? "" : "*" + wanted.substr(dot);
    size_t found = 0;
    for (size_t i = 1; i < names_.size(); ++i) {
        if (names_[i] == wanted) return i;
        if (!starred.empty() && names_[i] == starred) found = i;
    }
    return found;
}

int TlsContext::choose_certificate(SSL* connection, int*, void* context) {
    const TlsContext& self = *static_cast<const TlsContext*>(context);
    const char* host = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
    if (host) SSL_set_SSL_CTX(connection, self.contexts_[self.certificate_for(host)]);
    return SSL_TLSEXT_ERR_OK;
}

int TlsContext::choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_bytes,
                                const unsigned char* offered, unsigned offered_bytes, void* context) {
    const std::string& ours = static_cast<const TlsContext*>(context)->protocols_;
    unsigned char* match = nullptr;
    int outcome =
        SSL_select_next_proto(&match, chosen_bytes, reinterpret_cast<const unsigned char*>(ours.data()),
                              static_cast<unsigned>(ours.size()), offered, offered_bytes);
    *chosen = match;
    // RFC 7301 3.2: a server that supports none of them refuses the handshake.
    return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace sluice
