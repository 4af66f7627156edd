#include "io/kernel_tls.h"

#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include "core/unique_fd.h"

namespace sluice {

std::string describe_kernel_tls() {
#ifdef OPENSSL_NO_KTLS
    return "not available: OpenSSL is built without it";
#else
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    // Only a kernel that knows the protocol refuses an unconnected socket by ENOTCONN.
    constexpr char kName[] = "tls";
    bool refused = setsockopt(fd.get(), IPPROTO_TCP, TCP_ULP, kName, sizeof kName - 1) != 0;
    if (!refused || errno == ENOTCONN) return "used where the cipher allows it";
    return "not available: the kernel has no module tls";
#endif
}

std::string describe_openssl() {
    return std::string("OpenSSL ") + OpenSSL_version(OPENSSL_VERSION_STRING);
}

}  // namespace sluice
