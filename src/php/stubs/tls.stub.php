<?php

/** @generate-class-entries */

namespace Sluice;

/** A version of TLS. */
enum TlsVersion: string
{
    /** TLS 1.2 (RFC 5246). */
    case V1_2 = '1.2';
    /** TLS 1.3 (RFC 8446). */
    case V1_3 = '1.3';
}

/**
 * The certificates and versions of a listener with TLS. The files are PEM. The constructor reads and checks them. They are read again
 * when the server starts and at each reload; open connections keep the old certificates.
 *
 * @strict-properties
 * @not-serializable
 */
final class Tls
{
    /**
     * @param string $certificate file with the certificate, followed by the intermediate certificates
     * @param string $key file with the private key of the certificate, without a passphrase
     * @param array<string, array{string, string}> $names further certificates by the host name that a client asks for (SNI),
     *     each as [certificate file, key file]; `*.example.org` is for every name with one more label
     * @param string|null $clientCa file with the certificates of the authorities that issue client certificates; null: clients are
     *     not asked for a certificate
     * @param bool $requireClientCertificate refuse clients without a certificate. An invalid certificate is always refused
     * @param TlsVersion $minimumVersion refuse clients that support only older versions
     * @throws \ValueError naming the file and what is wrong with it
     */
    public function __construct(
        string $certificate,
        string $key,
        array $names = [],
        ?string $clientCa = null,
        bool $requireClientCertificate = false,
        TlsVersion $minimumVersion = TlsVersion::V1_2,
    ) {}
}
