#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

enum class TlsVersion : uint8_t { k1_2, k1_3 };

/// What a listener speaks TLS with. Files are PEM; paths are absolute, for they are read in other processes.
struct TlsOptions {
    struct Certificate {
        std::string name;   ///< the host it is for, or `*.` and a domain; empty for the first one
        std::string chain;  ///< file: the certificate and what links it to a root that clients know
        std::string key;    ///< file: its private key, without a passphrase

        bool operator==(const Certificate&) const = default;
    };
    std::vector<Certificate> certificates;  ///< the first is for clients that ask for no or another host
    std::string client_ca;  ///< file: who may issue client certificates; empty: none is asked for
    bool require_client_certificate = false;
    TlsVersion minimum_version = TlsVersion::k1_2;
    std::vector<std::string> alpn;  ///< in our order of preference; empty: the client's list is not looked at

    bool operator==(const TlsOptions&) const = default;
};

}  // namespace sluice
