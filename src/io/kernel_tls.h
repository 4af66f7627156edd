#pragma once

#include <string>

namespace sluice {

/// Whether the kernel may encrypt in OpenSSL's place: "available", or why not: "this kernel has none (module
/// tls)". Where it is available it still depends on each connection's cipher.
std::string describe_kernel_tls();

/// `OpenSSL 3.0.19`.
std::string describe_openssl();

}  // namespace sluice
