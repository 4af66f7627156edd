<?php

declare(strict_types=1);

// A small key-value store with a line protocol over TCP: make run SCRIPT=examples/tcp-lines.php
//   nc 127.0.0.1 9513        SET name value    GET name    COUNT    QUIT

use Sluice\Server;
use Sluice\Tcp\{Connection, Framing, Handler};

$address = $argv[1] ?? '127.0.0.1:9513';

// One worker, which holds all values. The lines of a connection are handled in order.
$server = new Server(workers: 1);

$server->tcp($address, Framing::line("\n", maxBytes: 4096), new class implements Handler {
    /** @var array<string, string> */
    private array $values = [];

    public function open(Connection $who): void
    {
        $who->send("HELLO {$who->peer()}\n");
    }

    public function message(Connection $who, string $data): void
    {
        $words = explode(' ', rtrim($data, "\r"), 3);
        $name = $words[1] ?? '';
        switch (strtoupper($words[0])) {
            case 'SET':
                $this->values[$name] = $words[2] ?? '';
                $who->send("OK\n");
                return;
            case 'GET':
                $who->send(isset($this->values[$name]) ? "VALUE {$this->values[$name]}\n" : "NONE\n");
                return;
            case 'COUNT':
                $who->send('COUNT ' . count($this->values) . "\n");
                return;
            case 'QUIT':
                $who->send("BYE\n");
                $who->close();
                return;
            default:
                $who->send("ERROR use SET, GET, COUNT or QUIT\n");
        }
    }

    public function close(Connection $who): void {}
});

$server->run();
