<?php

declare(strict_types=1);

namespace Sluice\Symfony\Session;

use Symfony\Component\HttpFoundation\Session\Storage\{MetadataBag, MockArraySessionStorage};

/**
 * A session of one request, without PHP's session functions: those have one session for the whole process. It is read and written by any
 * SessionHandlerInterface. Ids that nobody has given out are not taken from clients.
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
        // Flash messages and others that are empty are not worth a place.
        $data = \array_filter($this->data, static fn(mixed $bag) => $bag !== []);
        $this->handler->write($this->id, \serialize($data));
        $this->close();
    }

    public function __destruct()
    {
        // A request that has thrown leaves the session as it was.
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
