<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** A queue of System V. */
final class MessageQueue
{
    private function __construct(public readonly int $key, private readonly \SysvMessageQueue $queue, private readonly bool $blocks) {}

    public static function open(int $key, int $mode, int $capacity): self
    {
        $key = $key ?: (int) \ftok(__FILE__, 's') ^ (int) \getmypid();
        $queue = \msg_get_queue($key) ?: throw new \Swoole\Exception('There is no message queue');
        if ($capacity > 0) {
            \msg_set_queue($queue, ['msg_qbytes' => $capacity]);
        }
        return new self($key, $queue, ($mode & 256) === 0);
    }

    public function send(string $data, int $type): bool
    {
        return \msg_send($this->queue, $type, $data, false, $this->blocks);
    }

    public function receive(int $size): string|false
    {
        $done = \msg_receive($this->queue, 0, $type, \max(1, $size), $data, false, $this->blocks ? 0 : \MSG_IPC_NOWAIT);
        return $done && \is_string($data) ? $data : false;
    }

    /** @return array{queue_num: int, queue_bytes: int}|false */
    public function stats(): array|false
    {
        $stats = \msg_stat_queue($this->queue);
        return $stats === false ? false : ['queue_num' => \is_int($stats['msg_qnum']) ? $stats['msg_qnum'] : 0, 'queue_bytes' => $this->bytes()];
    }

    /** PHP's own function says how many bytes the queue takes, and not how many it has. */
    private function bytes(): int
    {
        foreach (@\file('/proc/sysvipc/msg') ?: [] as $line) {
            $fields = \preg_split('/\s+/', \trim($line)) ?: [];
            if ((int) ($fields[0] ?? 0) === $this->key) {
                return (int) ($fields[3] ?? 0);
            }
        }
        return 0;
    }

    public function remove(): bool
    {
        return \msg_remove_queue($this->queue);
    }
}
