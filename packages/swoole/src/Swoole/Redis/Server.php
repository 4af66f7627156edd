<?php

declare(strict_types=1);

namespace Swoole\Redis;

use Sluice\Swoole\Callback;
use Sluice\Swoole\Errors;
use Sluice\Swoole\RedisProtocol;

/** Answers the commands of clients of Redis. */
class Server extends \Swoole\Server
{
    public const NIL = 1;
    public const ERROR = 0;
    public const STATUS = 2;
    public const INT = 3;
    public const STRING = 4;
    public const SET = 5;
    public const MAP = 6;

    /** @var array<string, mixed> for the handlers */
    public mixed $data = [];
    /** @var array<string, callable> by the names of commands in lower case */
    private array $handlers = [];

    public function setHandler(string $command, callable $callback): bool
    {
        if ($command === '' || \strlen($command) >= 64) {
            return Errors::fail(\SWOOLE_ERROR_INVALID_PARAMS);
        }
        $this->handlers[\strtolower($command)] = $callback;
        return true;
    }

    public function getHandler(string $command): \Closure
    {
        return ($this->handlers[\strtolower($command)] ?? throw new \Error("there is no handler for the command $command"))(...);
    }

    public function start(): bool
    {
        $this->setting['open_redis_protocol'] = true;
        $this->on('receive', $this->answer(...));
        return parent::start();
    }

    public static function format(int $type, mixed $value = null): false|string
    {
        $text = \is_scalar($value) ? (string) $value : '';
        return match ($type) {
            self::NIL => "$-1\r\n",
            self::ERROR => '-' . ($text === '' ? 'ERR' : $text) . "\r\n",
            self::STATUS => '+' . ($text === '' ? 'OK' : $text) . "\r\n",
            self::INT => ':' . (int) $text . "\r\n",
            self::STRING => $value === null ? Errors::warn('the value of a string must not be null') : RedisProtocol::bulk($text),
            self::SET => \is_array($value) ? RedisProtocol::listOf(\array_values($value)) : Errors::warn('the value of a set must be an array'),
            self::MAP => \is_array($value) ? RedisProtocol::mapOf($value) : Errors::warn('the value of a map must be an array'),
            default => Errors::fail(\SWOOLE_ERROR_INVALID_PARAMS),
        };
    }

    private function answer(\Swoole\Server $server, int $fd, int $reactor, string $command): void
    {
        $words = RedisProtocol::wordsOf($command);
        $name = \array_shift($words);
        if ($name === null) {
            return;
        }
        $handler = $this->handlers[\strtolower($name)] ?? null;
        if ($handler === null) {
            $this->send($fd, "-ERR unknown command '$name'\r\n");
            return;
        }
        $answer = Callback::call($handler, [$fd, $words]);
        if (\is_string($answer) && $answer !== '') {
            $this->send($fd, $answer);
        }
    }
}
