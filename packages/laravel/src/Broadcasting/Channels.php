<?php

declare(strict_types=1);

namespace Sluice\Laravel\Broadcasting;

use Sluice\Http\{Request, Site};
use Sluice\WebSocket\{Connection, Handler, Handshake, Heartbeat, Options, Origins};
use Sluice\{Delivery, Server};

/**
 * The Pusher protocol, version 7, as Laravel Echo and pusher-js speak it: public, private and presence channels, and events from client to client. A channel is a topic of the
 * server; who is in a presence channel is attached to the connections that are subscribed to it, so all workers know it, and a reload forgets nothing.
 */
final class Channels implements Handler
{
    private const CHANNEL = '/\A[A-Za-z0-9_\-=@,.;]{1,164}\z/';
    /** Seconds of silence after which clients ask whether the server is there. */
    private const ACTIVITY_TIMEOUT_S = 120;

    public function __construct(private readonly Server $server, private readonly Credentials $credentials) {}

    /**
     * Has a site accept clients, below `/app/{key}`.
     *
     * @param list<string>|null $origins whose pages may connect; null: all. Private channels are guarded by the application in any case
     */
    public static function accept(Site $site, Server $server, Credentials $credentials, ?array $origins = null): void
    {
        $site->webSocket(
            '/app/{key}',
            new self($server, $credentials),
            new Options(origins: $origins === null ? null : new Origins($origins), heartbeat: new Heartbeat(60.0, 30.0)),
            handshake: static fn(Handshake $handshake) => $handshake->attach(Member::new()->data()),
        );
    }

    public function open(Connection $who, Request $request): void
    {
        if ($who->parameter('key') !== $this->credentials->key) {
            self::fail($who, 4001, 'The application has another key');
            $who->close(4001, 'The application has another key');
            return;
        }
        $who->send(Message::of('pusher:connection_established', null, ['socket_id' => Member::of($who)->socketId($who), 'activity_timeout' => self::ACTIVITY_TIMEOUT_S]));
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $message = $binary ? null : \json_decode($data, true);
        $event = \is_array($message) ? $message['event'] ?? null : null;
        if (!\is_array($message) || !\is_string($event)) {
            self::fail($who, 4200, 'A message is a JSON object with an event');
            return;
        }
        $details = $message['data'] ?? [];
        // Some clients encode twice.
        $details = \is_string($details) && \str_starts_with($event, 'pusher:') ? \json_decode($details, true) : $details;
        $channel = \str_starts_with($event, 'client-') ? $message['channel'] ?? null : (\is_array($details) ? $details['channel'] ?? null : null);
        if ($event === 'pusher:ping') {
            $who->send(Message::of('pusher:pong', null, (object) []));
        } elseif (!\is_string($channel) || \preg_match(self::CHANNEL, $channel) !== 1) {
            self::fail($who, 4200, 'A channel has 1 to 164 letters, digits and _-=@,.;');
        } elseif ($event === 'pusher:subscribe') {
            $auth = \is_array($details) && \is_string($details['auth'] ?? null) ? $details['auth'] : '';
            $channelData = \is_array($details) && \is_string($details['channel_data'] ?? null) ? $details['channel_data'] : null;
            $this->subscribe($who, $channel, $auth, $channelData);
        } elseif ($event === 'pusher:unsubscribe') {
            $who->unsubscribe(Message::topic($channel));
            $this->leave($who, $channel);
        } elseif (\str_starts_with($event, 'client-')) {
            $this->publishOfClient($who, $event, $channel, $message['data'] ?? null);
        }
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        foreach (\array_keys(Member::of($who)->presence) as $channel) {
            $this->leave($who, $channel);
        }
    }

    private function subscribe(Connection $who, string $channel, string $auth, ?string $channelData): void
    {
        $isPresence = \str_starts_with($channel, 'presence-');
        $member = Member::of($who);
        if (\str_starts_with($channel, 'private-encrypted-')) {
            self::refuse($who, $channel, 'Encrypted channels are not supported', 400);
            return;
        }
        if (($isPresence || \str_starts_with($channel, 'private-'))
            && !\hash_equals($this->credentials->authOf($member->socketId($who), $channel, $isPresence ? (string) $channelData : $channelData), $auth)) {
            self::refuse($who, $channel, 'The signature is not valid', 401);
            return;
        }
        if ($isPresence && !$this->enter($who, $member, $channel, (string) $channelData)) {
            return;
        }
        if ($who->subscribe(Message::topic($channel)) === Delivery::Dropped) {
            $this->leave($who, $channel);
            self::refuse($who, $channel, 'There is no room for another subscription', 403);
            return;
        }
        if (!$isPresence) {
            $who->send(Message::of('pusher_internal:subscription_succeeded', $channel, (object) []));
            return;
        }
        $users = $this->users($channel, except: $who->id);
        $me = $member->presence[$channel];
        $isNew = !isset($users[$me['user_id']]);
        $users[$me['user_id']] = $me['user_info'];
        $who->send(Message::of('pusher_internal:subscription_succeeded', $channel, [
            'presence' => ['ids' => \array_map(\strval(...), \array_keys($users)), 'hash' => (object) $users, 'count' => \count($users)],
        ]));
        if ($isNew) {
            $who->publish(Message::topic($channel), Message::of('pusher_internal:member_added', $channel, $me), exceptSelf: true);
        }
    }

    /** Notes whom a connection stands for, before it is subscribed: who is found there is known. */
    private function enter(Connection $who, Member $member, string $channel, string $channelData): bool
    {
        $data = \json_decode($channelData, true);
        $id = \is_array($data) ? $data['user_id'] ?? null : null;
        if (!\is_array($data) || !\is_string($id) && !\is_int($id)) {
            self::refuse($who, $channel, 'channel_data has a user_id', 400);
            return false;
        }
        $member->presence[$channel] = ['user_id' => (string) $id, 'user_info' => $data['user_info'] ?? null];
        try {
            $isAttached = $who->attach($member->data()) !== Delivery::Dropped;
        } catch (\ValueError) {
            $isAttached = false;
        }
        if (!$isAttached) {
            self::refuse($who, $channel, 'There is no room for what is to be known of this user: Limits::$attachedBytes, Limits::$attachedTotalBytes', 403);
        }
        return $isAttached;
    }

    private function leave(Connection $who, string $channel): void
    {
        $member = Member::of($who);
        $user = $member->presence[$channel] ?? null;
        if ($user === null) {
            return;
        }
        unset($member->presence[$channel]);
        if ($who->isOpen()) {
            $who->attach($member->data());
        }
        if (!isset($this->users($channel, except: $who->id)[$user['user_id']])) {
            $this->server->publish(Message::topic($channel), Message::of('pusher_internal:member_removed', $channel, ['user_id' => $user['user_id']]));
        }
    }

    /** @return array<array-key, mixed> what is known of each user of a channel, by id */
    private function users(string $channel, int $except): array
    {
        $users = [];
        $after = 0;
        do {
            $page = $this->server->listSubscribers(Message::topic($channel), after: $after);
            foreach ($page as $id => $data) {
                $after = $id;
                $user = Member::parse($data)->presence[$channel] ?? null;
                if ($user !== null && $id !== $except) {
                    $users[$user['user_id']] = $user['user_info'];
                }
            }
        } while (\count($page) === 1000);
        return $users;
    }

    private function publishOfClient(Connection $who, string $event, string $channel, mixed $data): void
    {
        $isGuarded = \str_starts_with($channel, 'private-') || \str_starts_with($channel, 'presence-');
        if (!$isGuarded || !\in_array(Message::topic($channel), $who->topics(), true)) {
            self::fail($who, 4301, 'Events of clients are for private and presence channels that they are subscribed to');
            return;
        }
        $userId = Member::of($who)->presence[$channel]['user_id'] ?? null;
        $who->publish(Message::topic($channel), Message::ofClient($event, $channel, $data, $userId), exceptSelf: true);
    }

    private static function fail(Connection $who, int $code, string $message): void
    {
        $who->send(Message::of('pusher:error', null, ['code' => $code, 'message' => $message]));
    }

    private static function refuse(Connection $who, string $channel, string $error, int $status): void
    {
        $who->send(Message::of('pusher:subscription_error', $channel, ['type' => 'AuthError', 'error' => $error, 'status' => $status]));
    }
}
