<?php

declare(strict_types=1);

namespace Sluice\Laravel\Broadcasting;

use Illuminate\Broadcasting\BroadcastException;
use Illuminate\Broadcasting\Broadcasters\{Broadcaster, UsePusherChannelConventions};
use Illuminate\Contracts\Auth\Authenticatable;
use Illuminate\Http\Request;
use Sluice\Laravel\Applications;
use Sluice\WebSocket\Connection;
use Symfony\Component\HttpKernel\Exception\AccessDeniedHttpException;

/** The broadcaster `sluice`: publishes to the server's own topics, and signs what clients may subscribe to. */
final class SluiceBroadcaster extends Broadcaster
{
    use UsePusherChannelConventions;

    public function __construct(private readonly Credentials $credentials, private readonly ?Applications $applications) {}

    /** @param Request $request */
    public function auth($request): mixed
    {
        $channel = self::input($request, 'channel_name');
        $name = $this->normalizeChannelName($channel);
        if ($channel === '' || ($this->isGuardedChannel($channel) && !$this->retrieveUser($request, $name))) {
            throw new AccessDeniedHttpException();
        }
        return parent::verifyUserCanAccessChannel($request, $name);
    }

    /**
     * @param Request $request
     * @param mixed $result what the channel's callback has returned
     * @return array<string, string>
     */
    public function validAuthenticationResponse($request, $result): array
    {
        $channel = self::input($request, 'channel_name');
        $socketId = self::input($request, 'socket_id');
        if (\preg_match('/\A\d+\.\d+\z/', $socketId) !== 1) {
            throw new AccessDeniedHttpException();
        }
        if (!\str_starts_with($channel, 'presence-')) {
            return ['auth' => $this->credentials->authOf($socketId, $channel)];
        }
        $user = $this->retrieveUser($request, $this->normalizeChannelName($channel));
        $id = match (true) {
            \is_object($user) && \method_exists($user, 'getAuthIdentifierForBroadcasting') => $user->getAuthIdentifierForBroadcasting(),
            $user instanceof Authenticatable => $user->getAuthIdentifier(),
            default => throw new AccessDeniedHttpException(),
        };
        $channelData = \json_encode(['user_id' => \is_scalar($id) ? (string) $id : '', 'user_info' => $result], \JSON_THROW_ON_ERROR);
        return ['auth' => $this->credentials->authOf($socketId, $channel, $channelData), 'channel_data' => $channelData];
    }

    /**
     * @param array<mixed> $channels
     * @param string $event
     * @param array<string, mixed> $payload
     */
    public function broadcast(array $channels, $event, array $payload = []): void
    {
        $server = $this->applications?->server()
            ?? throw new BroadcastException('There is no server in this process to broadcast by: let the server run the queue (SLUICE_QUEUE_PROCESSES), or events be ShouldBroadcastNow');
        $socketId = $payload['socket'] ?? null;
        unset($payload['socket']);
        // For toOthers(): the client that has caused the event.
        $except = \is_string($socketId) && \preg_match('/\A(\d{1,18})\.\d+\z/', $socketId, $found) === 1 ? Connection::fromId((int) $found[1]) : null;
        foreach (\array_filter($this->formatChannels($channels), \is_string(...)) as $channel) {
            $message = Message::of($event, $channel, $payload);
            if ($except !== null && $except->isOpen()) {
                $except->publish(Message::topic($channel), $message, exceptSelf: true);
            } else {
                $server->publish(Message::topic($channel), $message);
            }
        }
    }

    private static function input(Request $request, string $name): string
    {
        $value = $request->input($name);
        return \is_string($value) ? $value : '';
    }
}
