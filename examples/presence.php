<?php

declare(strict_types=1);

// A chat with a login that shows who is present: make run SCRIPT=examples/presence.php
// then open http://127.0.0.1:9518/ in two browsers, as adam and as eve; the password of both is "tea".
//
// CHAT_SECRET signs the sessions. Without it the server makes up a secret, and a restart logs everybody out.

use Sluice\Http\{BadRequest, Request, Response};
use Sluice\Server;
use Sluice\WebSocket\{Connection, Handler, Handshake, Heartbeat, Options, Origins};

$address = $argv[1] ?? '127.0.0.1:9518';
$page = (string) file_get_contents(__DIR__ . '/presence.html');

/** Sessions without storage: the cookie holds the name and the time of expiry, signed. */
final class Sessions
{
    private const SECONDS = 86_400;

    public function __construct(#[SensitiveParameter] private readonly string $secret) {}

    public function begin(string $name): string
    {
        $said = $name . '|' . (time() + self::SECONDS);
        return $said . '|' . hash_hmac('sha256', $said, $this->secret);
    }

    public function nameOf(Request $request): ?string
    {
        $parts = explode('|', (string) $request->cookie('session', ''));
        if (count($parts) !== 3 || !hash_equals(hash_hmac('sha256', "$parts[0]|$parts[1]", $this->secret), $parts[2])) {
            return null;
        }
        return (int) $parts[1] > time() ? $parts[0] : null;
    }
}

$sessions = new Sessions(getenv('CHAT_SECRET') ?: bin2hex(random_bytes(32)));
/** In place of a database. @var array<string, string> */
$users = ['adam' => password_hash('tea', PASSWORD_DEFAULT), 'eve' => password_hash('tea', PASSWORD_DEFAULT)];

$server = new Server();

$logIn = function (Request $request, Response $response) use ($sessions, $users): void {
    $name = $request->form('name') ?? throw new BadRequest('The form needs a name');
    if (!password_verify((string) $request->form('password', ''), $users[$name] ?? '')) {
        $response->status(403)->text("The name or the password is wrong.\n");
        return;
    }
    $response->cookie('session', $sessions->begin($name), maxAge: 86_400, secure: $request->isSecure())->redirect('/', 303);
};

$site = $server->http($address, fn(Request $request, Response $response) => match ($request->method() . ' ' . $request->path()) {
    'GET /' => $response->html($page),
    'POST /login' => $logIn($request, $response),
    'POST /logout' => $response->cookie('session', maxAge: 0)->redirect('/', 303),
    default => $response->status(404)->text("There is only the chat, at /.\n"),
});

$site->webSocket('/chat', new class($server) implements Handler {
    public function __construct(private readonly Server $server) {}

    public function open(Connection $who, Request $request): void
    {
        $who->subscribe('room');
        $who->send($this->json(['type' => 'welcome', 'name' => $who->data()]));
        $this->tellPresence($who);
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        // The sender is the name attached at the handshake, whatever the message claims.
        if (!$binary && $data !== '') {
            $who->publish('room', $this->json(['type' => 'said', 'name' => $who->data(), 'text' => substr($data, 0, 1000)]));
        }
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        $this->tellPresence($who);
    }

    private function tellPresence(Connection $who): void
    {
        // Everybody in the room, in all workers: the names were attached at the handshake.
        $names = array_values(array_unique($this->server->listSubscribers('room')));
        sort($names);
        $who->publish('room', $this->json(['type' => 'present', 'names' => $names]));
    }

    /** @param array<string, mixed> $message */
    private function json(array $message): string
    {
        return json_encode($message, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
    }
}, new Options(origins: new Origins(), heartbeat: new Heartbeat(everySeconds: 20, timeoutSeconds: 10)), handshake: function (Handshake $handshake) use ($sessions): void {
    $name = $sessions->nameOf($handshake->request);
    // Every worker knows the attached data as long as the connection lives, also after a reload.
    $name === null ? $handshake->refuse(401, "Log in first.\n") : $handshake->attach($name);
});

$server->run();
