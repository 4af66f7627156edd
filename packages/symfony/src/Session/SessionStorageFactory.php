<?php

declare(strict_types=1);

namespace Sluice\Symfony\Session;

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Session\Storage\{MetadataBag, SessionStorageFactoryInterface, SessionStorageInterface};

/** Makes a SessionStorage for each request. */
final class SessionStorageFactory implements SessionStorageFactoryInterface
{
    private readonly string $name;
    private readonly int $lifetime;
    /** On average one in so many sessions removes old ones; 0: none does. */
    private readonly int $collects;

    /**
     * @param array<string, mixed> $options the options of framework.session
     * @param string $folder for the files of sessions, without a $handler
     * @param \SessionHandlerInterface|null $handler reads and writes sessions; null: files in $folder
     */
    public function __construct(
        array $options,
        private readonly string $folder,
        private readonly ?\SessionHandlerInterface $handler = null,
        private readonly ?MetadataBag $metadata = null,
    ) {
        $this->name = \is_string($options['name'] ?? null) ? $options['name'] : 'PHPSESSID';
        $this->lifetime = \is_int($options['gc_maxlifetime'] ?? null) ? $options['gc_maxlifetime'] : (int) \ini_get('session.gc_maxlifetime');
        $probability = \is_int($options['gc_probability'] ?? null) ? $options['gc_probability'] : 1;
        $divisor = \is_int($options['gc_divisor'] ?? null) ? $options['gc_divisor'] : 100;
        $this->collects = $probability > 0 ? \max(1, \intdiv($divisor, $probability)) : 0;
    }

    public function createStorage(?Request $request): SessionStorageInterface
    {
        // A file is locked as long as a request has its session, so each request has a handler of its own.
        $handler = $this->handler ?? new FileSessionHandler($this->folder);
        if ($this->collects > 0 && \random_int(1, $this->collects) === 1) {
            $handler->gc($this->lifetime);
        }
        return new SessionStorage($handler, $this->name, $this->metadata === null ? null : clone $this->metadata);
    }
}
