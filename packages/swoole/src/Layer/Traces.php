<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Traces of what a program does, without the layer's own frames and what lies outside of the coroutine. */
final class Traces
{
    public static function shorten(\Throwable $error): void
    {
        $own = \dirname(__DIR__);
        for ($one = $error; $one !== null; $one = $one->getPrevious()) {
            $frames = [];
            foreach ($one->getTrace() as $frame) {
                $class = $frame['class'] ?? '';
                if ($class === \Sluice\Coroutine\Task::class) {
                    break;
                }
                $isOwn = \str_starts_with($frame['file'] ?? '', $own);
                if (\str_starts_with($class, 'Sluice\\Swoole\\') || ($isOwn && \str_starts_with($class, 'Swoole\\')) || ($isOwn && \str_starts_with($frame['function'], 'Sluice\\'))) {
                    continue;
                }
                if ($isOwn) {
                    unset($frame['file'], $frame['line']);
                }
                $frames[] = $frame;
            }
            $trace = new \ReflectionProperty($one instanceof \Error ? \Error::class : \Exception::class, 'trace');
            $trace->setValue($one, $frames);
            if (\str_starts_with($one->getFile(), $own) && isset($frames[0]['file'], $frames[0]['line'])) {
                (new \ReflectionProperty($one, 'file'))->setValue($one, $frames[0]['file']);
                (new \ReflectionProperty($one, 'line'))->setValue($one, $frames[0]['line']);
            }
        }
    }
}
