<?php

declare(strict_types=1);

// A chat that people log in to, and that shows who is there: make run SCRIPT=examples/presence.php
// then open http://127.0.0.1:9518/ in two browsers, as adam and as eve; the password of both is "tea".
//
// CHAT_SECRET signs the sessions; without it one is made up, and a restart logs everybody out.

use Sluice\Http\{BadRequest, Request, Response};
use Sluice\Server;
use Sluice\WebSocket\{Connection, Handler, Handshake, Heartbeat, Options, Origins};

$address = $argv[1] ?? '127.0.0.1:9518';
$page = (string) file_get_contents(__DIR__ . '/presence.html');

/** A session that needs no memory: the name and when it ends, signed. */
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
/** Where a real one asks its database. @var array<string, string> */
$users = ['adam' => password_hash('tea', PASSWORD_DEFAULT), 'eve' => password_hash('tea', PASSWORD_DEFAULT)];

$server = new Server();

$logIn = function (Request $request, Response $response) use ($sessions, $users): void {
    $name = $request->form('name') ?? throw new BadRequest('A name is wanted');
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
        // Who it is from is what the session said at the handshake, whatever the message says.
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
        // Whoever is in the room, wherever in the server: their names were attached at the handshake.
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
    // What is attached is known to each worker for as long as the connection lives, after a reload, too.
    $name === null ? $handshake->refuse(401, "Log in first.\n") : $handshake->attach($name);
});

$server->run();
