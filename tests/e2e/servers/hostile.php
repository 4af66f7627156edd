<?php

declare(strict_types=1);

// One of its workers writes over all that it shares with the reactor, dies, and is replaced by the next one that does so; the
// other worker is honest. Damage comes from a seed and the number of the life.

require getenv('SUPPORT');

use Sluice\{Coroutine, Http, Server, Worker};
use Sluice\Http\{Request, Response};
use Sluice\Tcp\Framing;
use Sluice\WebSocket\Connection;

use function Sluice\EndToEnd\{address, limits, report, server, stats};

const PAGE = 4096;

/** Writes over the server's shared memory and descriptors as PHP code can: by their files in /proc. */
final class Scribbler
{
    /** Where rings and cells stand, by the sizes in src/server/seam/shared_layout.h and src/core/byte_ring.h. */
    private const REACTOR_CELL = 192, WORKER_CELL = 128, RING_HEADER = 192;
    private const PRODUCED = 0, CONSUMED = 64, TAKEN = 72, COMPLETE = 128;

    private int $reactors, $workers, $headers, $rings, $outs, $asides;
    private mixed $memory;

    /**
     * @param list<int> $slots those of the workers that are not honest
     * @param array{reactors: int, slots: int, ring: int, arena: int, out: int} $shape
     */
    public function __construct(private Random\Randomizer $random, private array $slots, private array $shape)
    {
        foreach (scandir('/proc/self/fd') as $fd) {
            if (str_starts_with((string) @readlink("/proc/self/fd/$fd"), '/memfd:sluice ')) {
                $this->memory = fopen("php://fd/$fd", 'r+b');
                break;
            }
        }
        stream_set_read_buffer($this->memory, 0);
        [$reactors, $slots] = [$shape['reactors'], $shape['slots']];
        $round = fn (int $bytes) => ($bytes + PAGE - 1) & ~(PAGE - 1);
        // Behind the server's own cell, which has a page.
        $this->reactors = PAGE;
        $this->workers = $this->reactors + $round(self::REACTOR_CELL * $reactors);
        $this->asides = fstat($this->memory)['size'] - $round($round(intdiv($shape['out'], 4)) * $slots);
        $this->outs = $this->asides - $round($shape['out'] * $slots);
        $this->rings = $this->outs - $round($shape['arena'] * $reactors) - $round($shape['ring'] * 2 * $reactors * $slots);
        $this->headers = $this->rings - $round(self::RING_HEADER * 2 * $reactors * $slots);
    }

    /** Whether what a ring's header says makes sense, as it does while nobody has written over it. */
    public function knowsTheLayout(): bool
    {
        $known = true;
        for ($ring = 0; $ring < 2 * $this->shape['reactors'] * $this->shape['slots']; ++$ring) {
            $produced = $this->word($this->headers + self::RING_HEADER * $ring);
            $consumed = $this->word($this->headers + self::RING_HEADER * $ring + self::CONSUMED);
            $known = $known && $consumed <= $produced && $produced - $consumed <= $this->shape['ring'] && $produced % 8 === 0;
        }
        return $known;
    }

    /** Writes over the first pages: counters of reactors and of all workers. */
    public function spoilBeginning(): void
    {
        $this->write(0, str_repeat("\0", $this->workers + PAGE));
    }

    /** Writes over the rings of the slots that nobody has; they are for the workers of the next generation. */
    public function spoilRings(): void
    {
        foreach ($this->slots as $slot) {
            for ($ring = 0; $ring < 2 * $this->shape['reactors']; ++$ring) {
                $index = (intdiv($ring, 2) * $this->shape['slots'] + $slot) * 2 + $ring % 2;
                $this->write($this->headers + self::RING_HEADER * $index, str_repeat("\1", self::RING_HEADER));
            }
        }
    }

    /** Whether the memory keeps its size, whatever is tried: all processes have mapped it. */
    public function keepsItsSize(): bool
    {
        $bytes = fstat($this->memory)['size'];
        return !@ftruncate($this->memory, 0) && !@ftruncate($this->memory, $bytes + PAGE) && fstat($this->memory)['size'] === $bytes;
    }

    public function damage(): void
    {
        [$header, $ring] = $this->ring();
        match ($this->random->getInt(0, 9)) {
            0, 1 => $this->position($header),
            2, 3 => $this->bytes($header, $ring),
            4, 5, 6 => $this->record($header, $ring),
            7 => $this->payload(),
            8 => $this->cell(),
            9 => $this->descriptor(),
        };
    }

    /** @return array{int, int} where the header and the data of a ring begin */
    private function ring(): array
    {
        $reactor = $this->random->getInt(0, $this->shape['reactors'] - 1);
        $index = ($reactor * $this->shape['slots'] + $this->slot()) * 2 + $this->random->getInt(0, 1);
        return [$this->headers + self::RING_HEADER * $index, $this->rings + $this->shape['ring'] * $index];
    }

    private function slot(): int
    {
        return $this->slots[$this->random->getInt(0, count($this->slots) - 1)];
    }

    private function position(int $header): void
    {
        $at = $header + [self::PRODUCED, self::CONSUMED, self::TAKEN, self::COMPLETE][$this->random->getInt(0, 3)];
        $this->write($at, pack('P', $this->value($this->word($at), 8)));
    }

    /** Writes over what stands near the end of the ring's records. */
    private function bytes(int $header, int $ring): void
    {
        $at = $this->sum($this->word($header), $this->random->getInt(-512, 64));
        $this->write($ring + $this->inside($at, 64), $this->random->getBytes($this->random->getInt(1, 64)));
    }

    /** Repeats an earlier record, with a field or two changed. */
    private function record(int $header, int $ring): void
    {
        $produced = $this->word($header);
        $size = 8 * $this->random->getInt(1, 40);
        $said = $this->read($ring + $this->inside($this->sum($produced, -8 * $this->random->getInt(1, 80)), $size), $size);
        for ($changes = $this->random->getInt(0, 3); $changes > 0; --$changes) {
            $field = 2 ** $this->random->getInt(1, 3);
            $place = $field * $this->random->getInt(0, intdiv($size, $field) - 1);
            $old = unpack('P', substr($said, $place, $field) . "\0\0\0\0\0\0\0\0")[1];
            $said = substr_replace($said, substr(pack('P', $this->value($old, $field)), 0, $field), $place, $field);
        }
        $this->write($ring + $this->inside($produced, $size), $said);
        $this->write($header + self::COMPLETE, pack('P', $this->sum($produced, $size)));
        $this->write($header + self::PRODUCED, pack('P', $this->sum($produced, $size)));
    }

    private function payload(): void
    {
        $slot = $this->slot();
        $out = $this->random->getInt(0, 1) === 1;
        $begin = $out ? $this->outs + $this->shape['out'] * $slot : $this->asides + intdiv($this->shape['out'], 4) * $slot;
        $this->write($begin + $this->random->getInt(0, 8 * PAGE), $this->random->getBytes(256));
    }

    /** Writes over the worker's own flags and counters, and over whether a reactor sleeps. */
    private function cell(): void
    {
        if ($this->random->getInt(0, 3) === 0) {
            $this->write($this->reactors + self::REACTOR_CELL * $this->random->getInt(0, $this->shape['reactors'] - 1), pack('V', $this->value(1, 4)));
            return;
        }
        $at = $this->workers + self::WORKER_CELL * $this->slot() + 8 * $this->random->getInt(0, 15);
        $this->write($at, pack('P', $this->value($this->word($at), 8)));
    }

    /** Writes into the descriptors that lead to the reactors, the generation and the master. */
    private function descriptor(): void
    {
        $fds = array_filter(scandir('/proc/self/fd'), fn (string $fd) =>
            $fd > 2 && preg_match('/^(socket|anon_inode:\[eventfd)/', (string) @readlink("/proc/self/fd/$fd")));
        $fds = array_values($fds);
        $stream = @fopen('php://fd/' . $fds[$this->random->getInt(0, count($fds) - 1)], 'wb');
        $bytes = $this->random->getBytes($this->random->getInt(1, 64));
        // Any worker may ask the master for a reload, and for the server's end (Control in src/server/seam/control.h, behind a byte of ControlChannel).
        if (in_array($bytes[1] ?? '', ["\4", "\5"], true)) $bytes[1] = "\0";
        if ($stream) @fwrite($stream, $bytes);
    }

    /** A value at the edges of a field's range, or around its true value. */
    private function value(int $old, int $bytes): int
    {
        return match ($this->random->getInt(0, 6)) {
            0 => 0,
            1 => -1,
            2 => $this->sum($old, 8 * $this->random->getInt(-16, 16)),
            3 => $this->sum($old, $this->random->getInt(-2, 2)),
            4 => $old ^ (1 << $this->random->getInt(0, 8 * $bytes - 1)),
            5 => PAGE * $this->random->getInt(0, 1024),
            6 => unpack('P', $this->random->getBytes(8))[1],
        };
    }

    /** Stays an integer where the sum would not fit: what it is added to may be any damage of before. */
    private function sum(int $number, int $change): int
    {
        $sum = $number + $change;
        return is_int($sum) ? $sum : $number;
    }

    private function inside(int $position, int $bytes): int
    {
        return min($position & ($this->shape['ring'] - 1), $this->shape['ring'] - $bytes);
    }

    private function word(int $at): int
    {
        return unpack('P', $this->read($at, 8))[1];
    }

    private function read(int $at, int $bytes): string
    {
        fseek($this->memory, $at);
        return fread($this->memory, $bytes);
    }

    private function write(int $at, string $bytes): void
    {
        fseek($this->memory, $at);
        fwrite($this->memory, $bytes);
    }
}

$limits = ['ringBytes' => 512 << 10, 'outBytes' => 1 << 20, 'arenaBytes' => 8 << 20, 'messageBytes' => 1 << 20];
// As SharedLayout::shape_for() computes it: two slots for each of two workers, and those for services that a reload adds.
$slots = 2 * 2 + 8;
$isBase = getenv('MODE') === 'base';
$shape = ['reactors' => $isBase ? $slots : 1, 'slots' => $slots, 'ring' => $limits['ringBytes'], 'arena' => $isBase ? 0 : $limits['arenaBytes'], 'out' => $limits['outBytes']];

$server = server(limits: limits($limits));
$server->onWorkerStart(function (Worker $worker) use ($shape): void {
    if ($worker->id !== 0) {
        return;
    }
    Coroutine\spawn(function () use ($shape): void {
        while (!is_file(getenv('LIVES'))) {
            Coroutine\sleep(0.005);
        }
        clearstatcache();
        $life = filesize(getenv('LIVES')) + 1;
        if ($life > (int) getenv('MOST_LIVES')) {
            return;
        }
        report('hostile', ['pid' => getmypid()]);
        file_put_contents(getenv('LIVES'), '.', FILE_APPEND);
        $random = new Random\Randomizer(new Random\Engine\Mt19937((int) getenv('SEED') + $life));
        // Slot 1 is the other worker's, which never dies.
        $scribbler = new Scribbler($random, [0, 2, 3], $shape);
        if ($life === 1) {
            report('layout', ['known' => $scribbler->knowsTheLayout()]);
        }
        for ($steps = $random->getInt(5, 100); $steps > 0; --$steps) {
            for ($damages = $random->getInt(1, 4); $damages > 0; --$damages) {
                $scribbler->damage();
            }
            Coroutine\sleep(0.001);
        }
        posix_kill(getmypid(), SIGKILL);
    });
});
$site = $server->http(address(0), function (Request $request, Response $response) use ($server, $shape): void {
    if ($request->path() === '/spoil') {
        $unused = Worker::current()->generation % 2 ? [2, 3] : [0, 1];
        $scribbler = new Scribbler(new Random\Randomizer(), $unused, $shape);
        $scribbler->spoilBeginning();
        if (getenv('MODE') === 'process') {
            $scribbler->spoilRings();
        }
        $response->json(['keepsItsSize' => $scribbler->keepsItsSize()]);
        return;
    }
    match ($request->path()) {
        '/stats' => $response->json(stats($server)),
        default => $response->text($request->body()),
    };
});
$site->webSocket('/echo', fn (Connection $who, string $data) => $who->send(Worker::current()->id . " $data"));
$server->tcp(address(1), Framing::line(), fn (\Sluice\Tcp\Connection $who, string $data) => $who->send(Worker::current()->id . " $data\n"));

$server->run();
