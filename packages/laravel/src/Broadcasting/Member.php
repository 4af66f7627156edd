<?php

declare(strict_types=1);

namespace Sluice\Laravel\Broadcasting;

use Sluice\WebSocket\Connection;

/**
 * What all workers know of a connection until it ends: a number that nobody can guess, and whom the connection stands for in each presence channel.
 *
 * @internal
 */
final class Member
{
    /** @param array<string, array{user_id: string, user_info: mixed}> $presence by channel */
    private function __construct(public readonly int $nonce, public array $presence) {}

    public static function new(): self
    {
        return new self(\random_int(1, 999_999_999), []);
    }

    public static function of(Connection $who): self
    {
        return self::parse($who->data());
    }

    public static function parse(string $data): self
    {
        $parsed = \json_decode($data, true);
        $member = new self(\is_array($parsed) && \is_int($parsed['nonce'] ?? null) ? $parsed['nonce'] : 0, []);
        foreach (\is_array($parsed) && \is_array($parsed['presence'] ?? null) ? $parsed['presence'] : [] as $channel => $user) {
            if (\is_array($user) && \is_string($user['user_id'] ?? null)) {
                $member->presence[(string) $channel] = ['user_id' => $user['user_id'], 'user_info' => $user['user_info'] ?? null];
            }
        }
        return $member;
    }

    /** What is to be attached to the connection. */
    public function data(): string
    {
        return \json_encode(['nonce' => $this->nonce, 'presence' => (object) $this->presence], \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES);
    }

    public function socketId(Connection $who): string
    {
        return "$who->id.$this->nonce";
    }
}
