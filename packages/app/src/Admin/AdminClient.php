<?php

declare(strict_types=1);

namespace Sluice\App\Admin;

use Sluice\App\Config;

/** Asks the admin listener of a server. */
final class AdminClient
{
    /**
     * @param string $address as `Server::admin()` takes it
     * @param string|null $token null: none
     */
    public function __construct(private readonly string $address, private readonly ?string $token) {}

    /** @throws \RuntimeException when the project has no admin listener */
    public static function of(Config $config): self
    {
        return new self($config->admin ?? throw new \RuntimeException('The server has no admin listener: give sluice.php an address for admin, or set SLUICE_ADMIN'), $config->adminToken);
    }

    /**
     * @param float $seconds for connecting, and for each part of the answer
     * @return array{int, string} status and body
     * @throws \RuntimeException when nobody answers
     */
    public function get(string $path, float $seconds = 5.0): array
    {
        $isUnix = \str_starts_with($this->address, 'unix:');
        $socket = @\stream_socket_client($isUnix ? 'unix://' . \substr($this->address, 5) : "tcp://$this->address", $code, $error, $seconds);
        if ($socket === false) {
            throw new \RuntimeException("The admin listener $this->address does not answer: $error");
        }
        \stream_set_timeout($socket, (int) \ceil($seconds));
        $token = $this->token === null ? '' : "Authorization: Bearer $this->token\r\n";
        \fwrite($socket, "GET $path HTTP/1.0\r\nHost: " . ($isUnix ? 'localhost' : $this->address) . "\r\n$token\r\n");
        $answer = (string) \stream_get_contents($socket);
        \fclose($socket);
        if (\preg_match('~^HTTP/1\.[01] (\d{3}) .*?\r\n\r\n~s', $answer, $found) !== 1) {
            throw new \RuntimeException("The admin listener $this->address does not answer in time");
        }
        return [(int) $found[1], \substr($answer, \strlen($found[0]))];
    }

    /**
     * The body of a path that answers 200.
     *
     * @throws \RuntimeException when it does not
     */
    public function read(string $path): string
    {
        [$status, $body] = $this->get($path);
        if ($status !== 200) {
            throw new \RuntimeException("The admin listener $this->address answers $path with $status: " . \trim($body));
        }
        return $body;
    }
}
