<?php

declare(strict_types=1);

namespace App;

use Illuminate\Broadcasting\{Channel, InteractsWithSockets, PresenceChannel, PrivateChannel};
use Illuminate\Contracts\Broadcasting\ShouldBroadcastNow;

final class Said implements ShouldBroadcastNow
{
    use InteractsWithSockets;

    public function __construct(private readonly string $kind, private readonly string $channel, public readonly string $text) {}

    public function broadcastOn(): Channel
    {
        return match ($this->kind) {
            'private' => new PrivateChannel($this->channel),
            'presence' => new PresenceChannel($this->channel),
            default => new Channel($this->channel),
        };
    }

    public function broadcastAs(): string
    {
        return 'said';
    }
}
