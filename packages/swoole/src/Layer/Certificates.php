<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\ServerException;
use Sluice\Tls;
use Sluice\TlsVersion;

/** TLS by Swoole's options. */
final class Certificates
{
    /** @param array<string, mixed> $setting */
    public static function of(array $setting): Tls
    {
        $certificate = Options::string($setting, 'ssl_cert_file');
        $key = Options::string($setting, 'ssl_key_file');
        if ($certificate === '' || $key === '') {
            throw new ServerException('SSL error, require ssl_cert_file and ssl_key_file');
        }
        $client = Options::string($setting, 'ssl_client_cert_file') ?: Options::string($setting, 'ssl_cafile') ?: null;
        $protocols = Options::int($setting, 'ssl_protocols');
        $names = [];
        foreach (\is_array($setting['ssl_sni_certs'] ?? null) ? $setting['ssl_sni_certs'] : [] as $name => $files) {
            if (!\is_string($name) || !\is_array($files) || !\is_string($files['ssl_cert_file'] ?? null) || !\is_string($files['ssl_key_file'] ?? null)) {
                throw new ServerException('ssl_sni_certs has ssl_cert_file and ssl_key_file by the names of hosts');
            }
            $names[$name] = [$files['ssl_cert_file'], $files['ssl_key_file']];
        }
        return new Tls(
            $certificate,
            $key,
            names: $names,
            clientCa: $client,
            requireClientCertificate: $client !== null && Options::bool($setting, 'ssl_verify_peer'),
            minimumVersion: $protocols === \SWOOLE_SSL_TLSv1_3 ? TlsVersion::V1_3 : TlsVersion::V1_2,
        );
    }
}
