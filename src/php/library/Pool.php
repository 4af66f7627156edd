<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Coroutine\CancelledError;
use Sluice\Internal\{PoolMetrics, ProcessIdentity, Waiter};
use Sluice\Metrics\Counter;

/**
 * A pool of items that are expensive to make and that one coroutine at a time may use, such as database connections. A free item
 * is lent again. When all items are in use, the next coroutine waits. Those that wait have turns by client: handlers, and what they have
 * spawned, of one client address take turns with those of another, and of one address the one that has waited longest is first. What
 * works for no client, such as a timer, has turns as one client has.
 *
 * Items are made when they are needed, so a pool may be made before run(): each worker then fills a pool of its own. Broken items
 * are replaced: after an exception in the borrower's callable the item is checked before it is lent again, after a cancellation it
 * is closed, and an idle item is checked before it is lent. Outside of coroutines a pool works too, but cannot wait.
 *
 * @template T
 */
final class Pool
{
    /** @var \Closure(): T */
    private readonly \Closure $create;
    /** @var null|\Closure(T): mixed */
    private readonly ?\Closure $reset;
    /** @var null|\Closure(T): bool */
    private readonly ?\Closure $check;
    /** @var null|\Closure(T): mixed */
    private readonly ?\Closure $close;

    /** @var list<PoolEntry<T>> entries with free items, the longest free first; the last is lent next */
    private array $idle = [];
    /** @var PoolQueue<T> */
    private PoolQueue $queue;
    /** @var list<mixed> items of the parent process of this fork: they must not be used or closed here */
    private array $inherited = [];
    private int $size = 0;
    private int $waiting = 0;
    private int $created = 0;
    private int $removed = 0;
    private int $timeouts = 0;
    private int $process;
    /** When an item was last found broken, in seconds: items that were checked before are checked again before they are lent. */
    private float $suspectBefore = 0.0;
    private bool $closed = false;
    private ?Counter $timeoutsTold = null;
    private ?Timer $timer = null;

    /**
     * @param callable(): T $create makes an item; it may wait, and throw
     * @param int $max how many items there are at most, 1 to 100,000
     * @param int $min how many idle items are kept after $idleTime, 0 to $max
     * @param null|callable(T): mixed $reset called with an item that comes back; when it throws, the item is closed
     * @param null|callable(T): bool $check whether an item works; an exception means no
     * @param null|callable(T): mixed $close called with an item that is removed; null: the pool only drops its reference
     * @param float $waitLimit seconds to wait for a free item, 0 (do not wait) to 86,400
     * @param float $idleTime seconds after which an idle item is closed, 0.001 to 1e9
     * @param float $lifeTime seconds after which an item is replaced, once it is free, 0.001 to 1e9
     * @param float $checkAfter seconds after which an idle item is checked before it is lent, 0 (each time) to 1e9
     * @param null|string $name 1 to 63 bytes of UTF-8: the metrics of the admin listener have the pool by this name; pools of one name are
     *     one there. Null: they do not have it
     * @throws \ValueError for an argument that is out of range
     */
    public function __construct(
        callable $create,
        private readonly int $max = 10,
        private readonly int $min = 0,
        ?callable $reset = null,
        ?callable $check = null,
        ?callable $close = null,
        private readonly float $waitLimit = 10.0,
        private readonly float $idleTime = 60.0,
        private readonly float $lifeTime = 3600.0,
        private readonly float $checkAfter = 1.0,
        public readonly ?string $name = null,
    ) {
        self::requireRange('max', $max, 1, 100_000);
        self::requireRange('min', $min, 0, $max, '$max');
        self::requireRange('waitLimit', $waitLimit, 0, 86_400);
        self::requireRange('idleTime', $idleTime, 0.001, 1_000_000_000);
        self::requireRange('lifeTime', $lifeTime, 0.001, 1_000_000_000);
        self::requireRange('checkAfter', $checkAfter, 0, 1_000_000_000);
        $this->create = $create(...);
        $this->reset = $reset === null ? null : $reset(...);
        $this->check = $check === null ? null : $check(...);
        $this->close = $close === null ? null : $close(...);
        $this->queue = new PoolQueue();
        $this->process = ProcessIdentity::number();
        if ($name !== null) {
            if ($name === '' || \strlen($name) > 63 || \preg_match('//u', $name) !== 1) {
                throw new \ValueError("Sluice\Pool: \$name must have 1 to 63 bytes of UTF-8, \"$name\" given");
            }
            $this->timeoutsTold = PoolMetrics::add($this, $name, $max);
        }
    }

    /**
     * A pool of PDO connections. An open transaction is rolled back when a connection comes back. Other state of the session, such as
     * variables, temporary tables and locks, stays.
     *
     * @param array<int, mixed> $options of PDO; not PDO::ATTR_PERSISTENT, with which several connections would be one session
     * @param null|\Closure(\PDO): mixed $prepare called with each new connection before it is first lent: for `SET` statements,
     *     attributes, PRAGMAs. When it throws, the borrower gets the exception, and the connection is dropped
     * @param int $max this and the following parameters are those of the constructor
     * @return self<\PDO>
     * @throws PoolException without the extension pdo
     * @throws \ValueError for an argument that is out of range, and for PDO::ATTR_PERSISTENT
     */
    public static function pdo(
        string $dsn,
        ?string $user = null,
        #[\SensitiveParameter]
        ?string $password = null,
        array $options = [],
        ?\Closure $prepare = null,
        int $max = 10,
        int $min = 0,
        float $waitLimit = 10.0,
        float $idleTime = 60.0,
        float $lifeTime = 3600.0,
        float $checkAfter = 1.0,
        ?string $name = null,
    ): self {
        PoolRecipes::requireExtension('pdo', 'Pool::pdo()', 'the package of the database\'s driver, for example php-mysql');
        if (!empty($options[\PDO::ATTR_PERSISTENT])) {
            throw new \ValueError('Sluice\Pool::pdo(): $options must not have PDO::ATTR_PERSISTENT: persistent connections with the'
                . ' same $dsn and $user are one session, which a pool would lend to many');
        }
        return new self(
            static fn(): \PDO => PoolRecipes::newPdo($dsn, $user, $password, $options, $prepare),
            $max,
            $min,
            PoolRecipes::resetPdo(...),
            PoolRecipes::checkPdo(...),
            null,
            $waitLimit,
            $idleTime,
            $lifeTime,
            $checkAfter,
            $name,
        );
    }

    /**
     * A pool of mysqli connections. When a connection comes back, a ROLLBACK is sent each time, for mysqli cannot tell whether a
     * transaction is open.
     *
     * @param null|\Closure(\mysqli): mixed $prepare called with each new connection before it is first lent
     * @param int $max this and the following parameters are those of the constructor
     * @return self<\mysqli>
     * @throws PoolException without the extension mysqli
     * @throws \ValueError for an argument that is out of range, and for a persistent connection (`p:`)
     */
    public static function mysqli(
        string $host,
        string $user,
        #[\SensitiveParameter]
        string $password = '',
        string $database = '',
        int $port = 3306,
        ?string $socket = null,
        ?\Closure $prepare = null,
        int $max = 10,
        int $min = 0,
        float $waitLimit = 10.0,
        float $idleTime = 60.0,
        float $lifeTime = 3600.0,
        float $checkAfter = 1.0,
        ?string $name = null,
    ): self {
        PoolRecipes::requireExtension('mysqli', 'Pool::mysqli()', 'the package php-mysql');
        self::requireRange('port', $port, 0, 65_535);
        if (\str_starts_with($host, 'p:')) {
            throw new \ValueError("Sluice\Pool::mysqli(): \$host must not begin with \"p:\", \"$host\" given: a pool keeps its"
                . ' connections itself, and persistent ones would be lent to many');
        }
        return new self(
            static fn(): \mysqli => PoolRecipes::newMysqli($host, $user, $password, $database, $port, $socket, $prepare),
            $max,
            $min,
            PoolRecipes::resetMysqli(...),
            PoolRecipes::checkMysqli(...),
            static fn(\mysqli $db): bool => $db->close(),
            $waitLimit,
            $idleTime,
            $lifeTime,
            $checkAfter,
            $name,
        );
    }

    /**
     * A pool of connections of the extension redis. When a connection comes back, an open MULTI is discarded, and the database is
     * selected again.
     *
     * @param null|string|list<string> $auth a password, or user and password
     * @param float $timeout seconds to connect, 0.001 to 86,400
     * @param float $readTimeout seconds to wait for an answer, 0 (for ever) to 86,400
     * @param int $max this and the following parameters are those of the constructor
     * @return self<\Redis>
     * @throws PoolException without the extension redis
     * @throws \ValueError for an argument that is out of range
     */
    public static function redis(
        string $host,
        int $port = 6379,
        #[\SensitiveParameter]
        null|string|array $auth = null,
        int $database = 0,
        float $timeout = 5.0,
        float $readTimeout = 0.0,
        int $max = 10,
        int $min = 0,
        float $waitLimit = 10.0,
        float $idleTime = 60.0,
        float $lifeTime = 3600.0,
        float $checkAfter = 1.0,
        ?string $name = null,
    ): self {
        PoolRecipes::requireExtension('redis', 'Pool::redis()', 'the package php-redis');
        self::requireRange('port', $port, 0, 65_535);
        self::requireRange('database', $database, 0, 1_000_000);
        self::requireRange('timeout', $timeout, 0.001, 86_400);
        self::requireRange('readTimeout', $readTimeout, 0, 86_400);
        return new self(
            static fn(): \Redis => PoolRecipes::newRedis($host, $port, $auth, $database, $timeout, $readTimeout),
            $max,
            $min,
            static fn(\Redis $redis) => PoolRecipes::resetRedis($redis, $database),
            static fn(\Redis $redis): bool => $redis->isConnected() && $redis->ping() !== false,
            static fn(\Redis $redis): bool => $redis->close(),
            $waitLimit,
            $idleTime,
            $lifeTime,
            $checkAfter,
            $name,
        );
    }

    /**
     * Lends an item to `$work` while that runs. Statements, results and generators of the item must not be used afterwards.
     *
     * @template R
     * @param callable(T): R $work
     * @return R what `$work` returns
     * @throws PoolException when the pool is closed, or no item becomes free within $waitLimit
     * @throws \Throwable what `$work` throws, or what making an item throws
     */
    public function use(callable $work): mixed
    {
        $entry = $this->take();
        try {
            $result = $work($entry->item);
        } catch (\Throwable $e) {
            $this->takeBack($entry, self::isCancellation($e), true);
            throw $e;
        }
        $this->takeBack($entry);
        return $result;
    }

    /**
     * Lends an item until its lease is given back or released. Prefer use() where it fits.
     *
     * @return Lease<T>
     * @throws PoolException when the pool is closed, or no item becomes free within $waitLimit
     * @throws \Throwable what making an item throws
     */
    public function borrow(): Lease
    {
        $entry = $this->take();
        return new Lease($entry->item, fn(bool $discard) => $this->takeBack($entry, $discard));
    }

    /** Figures of the pool in this process; each worker has a pool of its own. */
    public function stats(): PoolStats
    {
        $this->noticeFork();
        return new PoolStats(
            size: $this->size,
            idle: \count($this->idle),
            inUse: $this->size - \count($this->idle),
            waiting: $this->waiting,
            created: $this->created,
            closed: $this->removed,
            timeouts: $this->timeouts,
        );
    }

    /** Closes the pool: coroutines that wait get a PoolException, free items are closed now, and items in use when they come back. */
    public function close(): void
    {
        $this->noticeFork();
        $this->closed = true;
        $this->timer?->cancel();
        $this->timer = null;
        while ($ticket = $this->queue->next()) {
            $ticket->waiter->wake();
        }
        while ($entry = \array_pop($this->idle)) {
            $this->remove($entry);
        }
    }

    private function __clone() {}

    /** @return PoolEntry<T> with an item that is not known to be broken */
    private function take(): PoolEntry
    {
        $this->noticeFork();
        $this->requireOpen();
        $entry = \array_pop($this->idle);
        if ($entry === null && $this->size < $this->max) {
            // Counted before it is made: making it may wait, and other coroutines must not make too many meanwhile.
            $entry = new PoolEntry($this->process);
            ++$this->size;
        }
        $entry ??= $this->waitForEntry();
        try {
            if ($entry->isFilled && !$this->isUsable($entry)) {
                $this->empty($entry);
            }
            if (!$entry->isFilled) {
                $entry->item = ($this->create)();
                $entry->isFilled = true;
                $entry->createdAt = $entry->checkedAt = self::now();
                ++$this->created;
            }
            $this->requireOpen();
        } catch (\Throwable $e) {
            $this->remove($entry);
            throw $e;
        }
        return $entry;
    }

    /** @return PoolEntry<T> */
    private function waitForEntry(): PoolEntry
    {
        if (!Waiter::canWait()) {
            throw new PoolException("Everything in the pool (max: {$this->max}) is in use, and only a coroutine can wait for one: call this under"
                . ' Sluice\Coroutine\run() or in a worker, or give the pool more with max');
        }
        /** @var PoolTicket<T> $ticket */
        $ticket = new PoolTicket();
        $this->queue->add($ticket);
        ++$this->waiting;
        try {
            $ticket->waiter->wait($this->waitLimit);
        } catch (\Throwable $e) {
            if ($ticket->entry !== null) {
                $this->offer($ticket->entry);
            }
            throw $e;
        } finally {
            $ticket->waits = false;
            --$this->waiting;
            $this->queue->forgetOld($this->waiting);
        }
        if ($ticket->entry !== null) {
            return $ticket->entry;
        }
        $this->requireOpen();
        ++$this->timeouts;
        $this->timeoutsTold?->inc();
        throw new PoolException("Everything in the pool (max: {$this->max}) was in use for {$this->waitLimit} s (waitLimit), and"
            . " {$this->waiting} more wait: use each for a shorter time, or raise max or waitLimit");
    }

    /** @param PoolEntry<T> $entry */
    private function isUsable(PoolEntry $entry): bool
    {
        $now = self::now();
        if ($now - $entry->createdAt >= $this->lifeTime) {
            return false;
        }
        if ($now - $entry->checkedAt < $this->checkAfter && $entry->checkedAt >= $this->suspectBefore) {
            return true;
        }
        return $this->works($entry);
    }

    /** @param PoolEntry<T> $entry */
    private function works(PoolEntry $entry): bool
    {
        try {
            $works = $this->check === null || ($this->check)($entry->item);
        } catch (\Throwable $e) {
            self::letCancellationThrough($e);
            $works = false;
        }
        if ($works) {
            $entry->checkedAt = self::now();
        } else {
            // What broke one item, such as a restart of the server, has often broken all.
            $this->suspectBefore = self::now();
        }
        return $works;
    }

    /**
     * @param PoolEntry<T> $entry
     * @param bool $discard whether the item must not be lent again
     * @param bool $doubt whether the item may be broken
     */
    private function takeBack(PoolEntry $entry, bool $discard = false, bool $doubt = false): void
    {
        $this->noticeFork();
        if ($entry->process !== $this->process) {
            $this->inherited[] = $entry->item;
            return;
        }
        try {
            if (!$discard && !$this->closed && (!$doubt || $this->works($entry))) {
                if ($this->reset !== null) {
                    ($this->reset)($entry->item);
                }
                // It has just been used without an exception.
                $entry->checkedAt = self::now();
                $this->offer($entry);
                return;
            }
        } catch (\Throwable $e) {
            if (self::isCancellation($e)) {
                $this->remove($entry);
                throw $e;
            }
            // The work is done. The borrower could do nothing about an item that cannot be reset.
            $this->suspectBefore = self::now();
        }
        $this->remove($entry);
    }

    /**
     * Hands the entry to the coroutine whose turn it is, or adds it to the idle ones.
     *
     * @param PoolEntry<T> $entry
     */
    private function offer(PoolEntry $entry): void
    {
        $ticket = $this->closed ? null : $this->queue->next();
        if ($ticket !== null) {
            $ticket->entry = $entry;
            $ticket->waiter->wake();
        } elseif ($this->closed || !$entry->isFilled) {
            $this->remove($entry);
        } else {
            $entry->idleSince = self::now();
            $this->idle[] = $entry;
            $this->watchIdle();
        }
    }

    /** @param PoolEntry<T> $entry */
    private function remove(PoolEntry $entry): void
    {
        try {
            $this->empty($entry);
        } finally {
            --$this->size;
            // The coroutine whose turn it is may make an item in its place.
            $ticket = $this->closed ? null : $this->queue->next();
            if ($ticket !== null) {
                ++$this->size;
                $ticket->entry = new PoolEntry($this->process);
                $ticket->waiter->wake();
            }
        }
    }

    /** @param PoolEntry<T> $entry */
    private function empty(PoolEntry $entry): void
    {
        if (!$entry->isFilled) {
            return;
        }
        $item = $entry->item;
        $entry->item = null;
        $entry->isFilled = false;
        ++$this->removed;
        try {
            if ($this->close !== null) {
                ($this->close)($item);
            }
        } catch (\Throwable $e) {
            self::letCancellationThrough($e);
            // Other exceptions do not matter: the item is removed in any case.
        }
    }

    /** Closes items that are idle for too long: in a worker by a timer, elsewhere when an item comes back. */
    private function watchIdle(): void
    {
        if ($this->timer !== null) {
            return;
        }
        if (Worker::current() === null) {
            $this->closeIdle();
        } elseif (!$this->closed && $this->idle !== []) {
            $pool = \WeakReference::create($this);
            $this->timer = Timer::after($this->idleTime, static function () use ($pool): void {
                $pool->get()?->onTimer();
            });
        }
    }

    private function onTimer(): void
    {
        $this->timer = null;
        $this->closeIdle();
        $this->watchIdle();
    }

    private function closeIdle(): void
    {
        $before = self::now() - $this->idleTime;
        while ($this->idle !== [] && $this->size > $this->min && $this->idle[0]->idleSince <= $before) {
            $this->remove(\array_shift($this->idle));
        }
    }

    /** Two processes cannot share a connection, so after a fork the child begins with an empty pool. */
    private function noticeFork(): void
    {
        $process = ProcessIdentity::number();
        if ($this->process === $process) {
            return;
        }
        $this->process = $process;
        foreach ($this->idle as $entry) {
            $this->inherited[] = $entry->item;
        }
        $this->idle = [];
        $this->queue = new PoolQueue();
        $this->timer = null;
        $this->size = $this->waiting = $this->created = $this->removed = $this->timeouts = 0;
    }

    private function requireOpen(): void
    {
        if ($this->closed) {
            throw new PoolException('The pool is closed and lends nothing any more');
        }
    }

    /** Whether it is a cancellation; some drivers throw an exception of their own, with the CancelledError as its previous one. */
    private static function isCancellation(\Throwable $e): bool
    {
        for ($each = $e; $each !== null; $each = $each->getPrevious()) {
            if ($each instanceof CancelledError) {
                return true;
            }
        }
        return false;
    }

    private static function letCancellationThrough(\Throwable $e): void
    {
        if (self::isCancellation($e)) {
            throw $e;
        }
    }

    private static function now(): float
    {
        return \hrtime(true) / 1e9;
    }

    private static function requireRange(
        string $name,
        int|float $value,
        int|float $least,
        int|float $most,
        string $mostName = '',
    ): void {
        if (!($value >= $least && $value <= $most)) {
            throw new \ValueError("Sluice\Pool: \$$name must be between $least and "
                . ($mostName !== '' ? "$mostName ($most)" : $most) . ", $value given");
        }
    }
}

/** Figures of a Pool in one process, at the moment of Pool::stats(). */
final class PoolStats
{
    /** @internal */
    public function __construct(
        /** Items, with those that are being made. */
        public readonly int $size,
        /** Items that are free. */
        public readonly int $idle,
        /** Items that are lent, or being made. */
        public readonly int $inUse,
        /** Coroutines that wait for an item. */
        public readonly int $waiting,
        /** Items made since the process began. */
        public readonly int $created,
        /** Items closed since the process began, for whatever reason. */
        public readonly int $closed,
        /** Waits for an item that have reached $waitLimit, since the process began. */
        public readonly int $timeouts,
    ) {}
}

/** A Pool is closed, has no free item in time, or needs an extension that is not loaded. */
final class PoolException extends \RuntimeException {}
