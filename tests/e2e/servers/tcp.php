<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\{Server, Worker};
use Sluice\Tcp\{ByteOrder, Connection, Framing, Handler};

use function Sluice\EndToEnd\{address, report, server};

$server = server();

// One listener for each framing; each answers "<bytes>:<what it got in hex>\n", but the first one echoes.
$server->tcp(address(0), Framing::line("\r\n", maxBytes: 1000), new class implements Handler {
    public function open(Connection $who): void
    {
        report('open', ['id' => $who->id, 'peer' => $who->peer()]);
        $who->send("welcome\r\n");
    }

    public function message(Connection $who, string $data): void
    {
        match ($data) {
            'quit' => [$who->send("bye\r\n"), $who->close()],
            'state' => $who->send(json_encode([
                'open' => $who->isOpen(), 'peer' => $who->peer(), 'queued' => $who->queuedBytes(),
            ]) . "\r\n"),
            'throw' => throw new RuntimeException('asked to'),
            default => str_starts_with($data, 'to ')
                ? $who->send(Connection::fromId((int) explode(' ', $data)[1])->send("for you\r\n")->name . "\r\n")
                : $who->send("$data\r\n"),
        };
    }

    public function close(Connection $who): void
    {
        report('close', ['id' => $who->id, 'late' => $who->send('late')->name]);
    }
});

$show = function (Connection $who, string $data): void {
    $who->send(strlen($data) . ':' . (strlen($data) > 1000 ? md5($data) : bin2hex($data)) . "\n");
};
$server->tcp(address(1), Framing::line(), $show);
$server->tcp(address(2), Framing::lengthPrefix(), $show);
$server->tcp(address(3), Framing::lengthPrefix(width: 2, order: ByteOrder::LittleEndian, maxBytes: 500), $show);
$server->tcp(address(4), Framing::lengthPrefix(width: 3, offset: 2, includesHeader: true, keepHeader: true), $show);
$server->tcp(address(5), Framing::lengthPrefix(width: 1, offset: 1, keepHeader: true), $show);
$server->tcp(address(6), Framing::lengthPrefix(width: 8), $show);
$server->tcp(address(7), Framing::none(), fn (Connection $who, string $data) => $who->send($data));

$server->run();
