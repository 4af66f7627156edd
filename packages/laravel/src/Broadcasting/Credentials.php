<?php

declare(strict_types=1);

namespace Sluice\Laravel\Broadcasting;

use Illuminate\Contracts\Config\Repository;

/** The key that clients name, and the secret by which the application signs what they may subscribe to. */
final class Credentials
{
    public function __construct(public readonly string $key, #[\SensitiveParameter] private readonly string $secret) {}

    /** Those of `sluice.broadcasting`; a secret that is not named follows from the application's key. */
    public static function of(Repository $config): self
    {
        $key = $config->get('sluice.broadcasting.key');
        $secret = $config->get('sluice.broadcasting.secret');
        $appKey = $config->get('app.key');
        if (!\is_string($secret) || $secret === '') {
            $secret = \is_string($appKey) && $appKey !== '' ? \hash_hmac('sha256', 'sluice.broadcasting', $appKey)
                : throw new \RuntimeException('Broadcasting needs a secret: run php artisan key:generate, or set SLUICE_BROADCASTING_SECRET');
        }
        return new self(\is_string($key) && $key !== '' ? $key : 'app', $secret);
    }

    public function sign(string $what): string
    {
        return \hash_hmac('sha256', $what, $this->secret);
    }

    /** What a client has to show for a channel: `key:signature`. */
    public function authOf(string $socketId, string $channel, ?string $channelData = null): string
    {
        return "$this->key:" . $this->sign("$socketId:$channel" . ($channelData === null ? '' : ":$channelData"));
    }
}
