<?php

// Not strict: a program's callbacks are called as PHP's own code calls them, which converts scalars.

namespace Sluice\Swoole;

final class Callback
{
    /** @param array<mixed> $arguments */
    public static function call(callable $callback, array $arguments): mixed
    {
        return $callback(...$arguments);
    }

    /**
     * An argument that is a callback for who has called the layer, as an extension sees it: also a private method of the caller's class,
     * which the type `callable` of a function in PHP refuses.
     */
    public static function of(mixed $callback, int $argument, string $name = 'callback'): callable
    {
        if ($callback instanceof \Closure || \is_callable($callback)) {
            return $callback;
        }
        [$function, $scope] = self::caller();
        $bind = static fn(mixed $callback): ?\Closure => \is_callable($callback) ? \Closure::fromCallable($callback) : null;
        if ($scope !== null) {
            $bind = \Closure::bind($bind, null, $scope);
        }
        return $bind($callback) ?? throw self::refusal($callback, "$function(): Argument #$argument (\$$name)");
    }

    /** As PHP's own functions say it. */
    private static function refusal(mixed $callback, string $where): \TypeError
    {
        try {
            // PHP looks at the callback, and calls nothing: there are no elements.
            \array_map($callback, []); // @phpstan-ignore argument.type
        } catch (\TypeError $error) {
            $error = new \TypeError($where . (string) \strstr(\str_replace('callback or null,', 'callback,', $error->getMessage()), ' must be'));
            Traces::shorten($error);
            return $error;
        }
        return new \TypeError("$where must be a valid callback");
    }

    /** @return array{string, class-string|null} the function of the layer that a program has called, and in which class */
    private static function caller(): array
    {
        $own = \dirname(__DIR__);
        $frames = \debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS, 14);
        foreach ($frames as $place => $frame) {
            if (!\str_starts_with($frame['file'] ?? $own, $own)) {
                $scope = $frames[$place + 1]['class'] ?? null;
                $isOwn = $scope !== null && \class_exists($scope) && (new \ReflectionClass($scope))->isUserDefined();
                return [(isset($frame['class']) ? $frame['class'] . '::' : '') . $frame['function'], $isOwn ? $scope : null];
            }
        }
        return ['', null];
    }
}
