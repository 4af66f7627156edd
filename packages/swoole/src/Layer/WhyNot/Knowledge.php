<?php

declare(strict_types=1);

namespace Sluice\Swoole\WhyNot;

use Sluice\Swoole\Options;

/** What the layer says of a name of Swoole's. */
final class Knowledge
{
    /** By lower-case names. */
    private const DIFFERENCES = [
        'swoole_base' => 'connections live in a process without PHP in both modes',
        'swoole\runtime::enablecoroutine' => 'the hooks are Sluice\'s, and stay on',
        'swoole\runtime::sethookflags' => 'the hooks are Sluice\'s, and stay on',
        'swoole\exitexception' => 'exit() ends the coroutine, and throws nothing',
        'swoole\event::cycle' => 'use a Timer',
        'swoole\coroutine::settimelimit' => 'use Sluice\Coroutine\timeout()',
        'swoole\coroutine::enablescheduler' => 'coroutines are not interrupted',
        'swoole\coroutine::disablescheduler' => 'coroutines are not interrupted',
        '->addcommand' => 'use sendMessage()',
        '->command' => 'use sendMessage()',
        '->protect' => 'leave out heartbeat_idle_time',
        '->confirm' => 'each client is read from when there is room',
        '->pause' => 'a handler that waits holds its connection back',
        '->getsocket' => 'listeners belong to a process without PHP',
        '->goaway' => 'the server ends connections of HTTP/2 itself',
        '->enablesslserver' => 'use Swoole\Coroutine\Client for TLS',
        '->reload' => 'the script is booted anew, and not onWorkerStart alone',
    ];
    /** Methods of objects whose class is known by the method alone. */
    private const METHODS = ['addcommand', 'command', 'protect', 'confirm', 'goaway', 'sslhandshake', 'addprocess', 'sendmessage', 'taskwait', 'taskwaitmulti', 'taskco',
        'isestablished', 'getclientinfo', 'getclientlist', 'connection_info', 'connection_list', 'addlistener', 'exportsocket'];

    /** @return array{Verdict, string} */
    public static function ofClass(string $class): array
    {
        if (!\class_exists($class) && !\interface_exists($class) && !\function_exists($class)) {
            return [Verdict::Missing, ''];
        }
        return self::judged(\strtolower($class));
    }

    /** @return array{Verdict, string} */
    public static function ofMethod(string $class, string $method): array
    {
        if (!\class_exists($class)) {
            return [Verdict::Missing, 'the class is not there'];
        }
        if (!\method_exists($class, $method)) {
            return [Verdict::Missing, ''];
        }
        return self::judged(\strtolower((new \ReflectionClass($class))->getName() . "::$method"));
    }

    /** @return array{Verdict, string} */
    public static function ofConstant(string $name): array
    {
        return \defined($name) ? self::judged(\strtolower($name)) : [Verdict::Missing, ''];
    }

    /** @return array{Verdict, string} */
    public static function ofFunction(string $name): array
    {
        return \function_exists($name) ? self::judged(\strtolower($name)) : [Verdict::Missing, ''];
    }

    /** @return array{Verdict, string}|null null: this is not known to be Swoole's */
    public static function ofCall(string $method): ?array
    {
        $name = \strtolower($method);
        return \in_array($name, self::METHODS, true) ? self::judged("->$name") : null;
    }

    /** @return array{Verdict, string}|null null: no option of Swoole's has this name */
    public static function ofOption(string $name): ?array
    {
        $advice = (Options::SERVER + Options::COROUTINE + Options::CLIENT)[$name] ?? null;
        return match (true) {
            $advice === null => null,
            $advice === '' || $advice[0] === '~' => [Verdict::Same, ''],
            default => [Verdict::Differs, $advice],
        };
    }

    /** @return array{Verdict, string} */
    private static function judged(string $name): array
    {
        $how = self::DIFFERENCES[$name] ?? '';
        return [$how === '' ? Verdict::Same : Verdict::Differs, $how];
    }
}
