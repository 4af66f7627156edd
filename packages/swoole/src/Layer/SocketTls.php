<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** TLS of a socket, over a stream of its descriptor. Nothing here waits: what gives null is to be tried again when the descriptor is ready. */
final class SocketTls
{
    private readonly int $method;

    /**
     * @param resource $stream
     * @param array<string, mixed> $settings Swoole's options
     * @param string $host whom a client asks for
     */
    public function __construct(private $stream, bool $asServer, array $settings, string $host)
    {
        $this->method = $asServer ? \STREAM_CRYPTO_METHOD_TLS_SERVER : \STREAM_CRYPTO_METHOD_TLS_CLIENT;
        if ($asServer && isset($settings['ssl_client_cert_file'])) {
            $settings['ssl_cafile'] = $settings['ssl_client_cert_file'];
        }
        \stream_set_blocking($stream, false);
        \stream_set_read_buffer($stream, 0);
        \stream_context_set_option($stream, ['ssl' => Wire::tls($host, $settings)]);
    }

    /** False: the other side speaks no TLS, or refuses the certificate, or this side refuses its. */
    public function handshake(): ?bool
    {
        $done = @\stream_socket_enable_crypto($this->stream, true, $this->method);
        return $done === 0 ? null : $done === true;
    }

    /** '' once the other side has closed. */
    public function read(int $most): ?string
    {
        $data = @\fread($this->stream, \max(1, $most));
        if ($data === false || ($data === '' && \feof($this->stream))) {
            return '';
        }
        return $data === '' ? null : $data;
    }

    /** Try again with the same string: a part of it may be on its way. */
    public function write(string $data): int|false|null
    {
        $written = @\fwrite($this->stream, $data);
        return $written === 0 ? null : $written;
    }
}
