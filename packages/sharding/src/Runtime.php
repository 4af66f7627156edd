<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Coroutine;

/** Whether coroutines are there, and what is done without them. @internal */
final class Runtime
{
    /** Whether the caller can wait while others go on. */
    public static function inCoroutine(): bool
    {
        return \extension_loaded('sluice') && Coroutine\stats()->live > 0;
    }

    public static function sleep(float $seconds): void
    {
        self::inCoroutine() ? Coroutine\sleep($seconds) : \usleep((int) ($seconds * 1e6));
    }

    /**
     * Calls the functions at once, or one after the other outside of coroutines.
     *
     * @template K of array-key
     * @template R
     * @param array<K, \Closure(): R> $functions
     * @param float|null $deadline seconds for all of them
     * @param bool $partial whether one that throws stops no other
     * @return Gathered<K, R>
     * @throws \Throwable what the first one throws, unless $partial
     */
    public static function gather(array $functions, int $limit, ?float $deadline, bool $partial): Gathered
    {
        $until = $deadline === null ? null : \microtime(true) + $deadline;
        $errors = [];
        $results = [];
        $call = static function (\Closure $function, int|string $key) use ($until, $partial, &$errors, &$results): void {
            try {
                $results[$key] = self::within($until, static fn(): mixed => $function());
            } catch (\Exception $error) {
                if (!$partial) {
                    throw $error;
                }
                $errors[$key] = $error;
            }
        };
        if (\count($functions) > 1 && self::inCoroutine()) {
            Coroutine\map(\array_keys($functions), static fn(int|string $key) => $call($functions[$key], $key), \min($limit, 10_000));
        } else {
            foreach ($functions as $key => $function) {
                $call($function, $key);
            }
        }
        $ordered = [];
        foreach ($functions as $key => $function) {
            if (\array_key_exists($key, $results)) {
                $ordered[$key] = $results[$key];
            }
        }
        /** @var array<K, R> $ordered */
        /** @var array<K, \Exception> $errors */
        return new Gathered($ordered, $errors);
    }

    /**
     * @template R
     * @param float|null $until a moment of microtime()
     * @param \Closure(): R $function
     * @return R
     * @throws ShardingException when it takes longer
     */
    public static function within(?float $until, \Closure $function): mixed
    {
        if ($until === null) {
            return $function();
        }
        $left = $until - \microtime(true);
        if ($left < 0.001) {
            throw new ShardingException('The deadline passed before the shard was asked. Raise it, or ask fewer shards.');
        }
        if (!self::inCoroutine()) {
            return $function();
        }
        try {
            return Coroutine\timeout($left, $function);
        } catch (Coroutine\TimeoutException $error) {
            throw new ShardingException('A shard did not answer before the deadline. Raise it, or take what the others answer with partial: true.', 0, $error);
        }
    }
}
