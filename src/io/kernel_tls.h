#pragma once

#include <string>

namespace sluice {

/// Whether the kernel may encrypt in OpenSSL's place: "used where the cipher allows it", or "not available:"
/// and the reason.
std::string describe_kernel_tls();

/// `OpenSSL 3.0.19`.
std::string describe_openssl();

}  // namespace sluice
