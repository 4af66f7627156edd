<?php

declare(strict_types=1);

namespace Sluice\Symfony\Session;

use Symfony\Component\HttpFoundation\Session\Storage\{MetadataBag, MockArraySessionStorage};

/**
 * The session of one request, without PHP's session functions, which have one session for the whole process. Any
 * SessionHandlerInterface reads and writes it. An id that a client sends is only accepted when its session exists.
 */
final class SessionStorage extends MockArraySessionStorage
{
    private bool $isOpen = false;

    public function __construct(private readonly \SessionHandlerInterface $handler, string $name, ?MetadataBag $metadata = null)
    {
        parent::__construct($name, $metadata);
    }

    public function start(): bool
    {
        if ($this->started) {
            return true;
        }
        $data = '';
        if (\preg_match('/\A[0-9a-f]{32,256}\z/', $this->id)) {
            $data = $this->read($this->id);
        }
        if ($data === '') {
            $this->close();
            $this->id = $this->generateId();
            $this->read($this->id);
        }
        $values = $data === '' ? [] : @\unserialize($data);
        $this->data = \is_array($values) ? $values : [];
        $this->loadSession();
        return true;
    }

    public function regenerate(bool $destroy = false, ?int $lifetime = null): bool
    {
        if (!$this->started) {
            $this->start();
        }
        $destroy ? $this->handler->destroy($this->id) : $this->handler->write($this->id, \serialize($this->data));
        $this->close();
        parent::regenerate($destroy, $lifetime);
        $this->read($this->id);
        return true;
    }

    public function save(): void
    {
        parent::save();
        // Empty bags, such as that of flash messages, are not stored.
        $data = \array_filter($this->data, static fn(mixed $bag) => $bag !== []);
        $this->handler->write($this->id, \serialize($data));
        $this->close();
    }

    public function __destruct()
    {
        // A request that has thrown does not change the session.
        $this->close();
    }

    private function read(string $id): string
    {
        if (!$this->isOpen) {
            $this->isOpen = $this->handler->open('', $this->name);
        }
        return (string) $this->handler->read($id);
    }

    private function close(): void
    {
        if ($this->isOpen) {
            $this->isOpen = false;
            $this->handler->close();
        }
    }
}
