<?php

/** @generate-class-entries */

namespace Sluice;

enum TlsVersion: string
{
    case V1_2 = '1.2';
    case V1_3 = '1.3';
}

/**
 * What a listener speaks TLS with. The files are PEM; they are read and checked here, and read again when the server
 * starts and at each reload: new certificates take effect then, and connections that are open keep the old ones.
 *
 * @strict-properties
 * @not-serializable
 */
final class Tls
{
    /**
     * @param string $certificate file with the certificate, then those that link it to a root
     * @param string $key file with its private key, without a passphrase
     * @param array<string, array{string, string}> $names further certificates by the host that a client asks for (SNI),
     *              each as [certificate file, key file]; `*.example.org` is for every host right below that domain
     * @param string|null $clientCa file with the certificates of those who may issue client certificates; null: clients
     *                              are not asked for one
     * @param bool $requireClientCertificate refuse clients without a certificate; a wrong one is refused in any case
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
