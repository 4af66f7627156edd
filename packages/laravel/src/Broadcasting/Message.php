<?php

declare(strict_types=1);

namespace Sluice\Laravel\Broadcasting;

/**
 * Messages of the Pusher protocol, version 7.
 *
 * @internal
 */
final class Message
{
    /** What the server says: its data is JSON in a string. */
    public static function of(string $event, ?string $channel, mixed $data): string
    {
        return self::encode(['event' => $event] + ($channel === null ? [] : ['channel' => $channel]) + ['data' => self::encode($data)]);
    }

    /**
     * An event that a client sends to the other clients of a channel.
     *
     * @param string|null $userId in a presence channel
     */
    public static function ofClient(string $event, string $channel, mixed $data, ?string $userId): string
    {
        return self::encode(['event' => $event, 'channel' => $channel, 'data' => $data] + ($userId === null ? [] : ['user_id' => $userId]));
    }

    /** The topic of a channel. */
    public static function topic(string $channel): string
    {
        return "broadcasting:$channel";
    }

    private static function encode(mixed $data): string
    {
        return \json_encode($data, \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES | \JSON_INVALID_UTF8_SUBSTITUTE);
    }
}
