<?php

declare(strict_types=1);

namespace Sluice\Symfony\Session;

/** Keeps a session in a file, which is locked from read() to close(): requests with this session wait for each other, other requests do not. */
final class FileSessionHandler implements \SessionHandlerInterface
{
    /** @var resource|null */
    private $file = null;
    private string $id = '';

    /**
     * @param string $folder for the files of sessions; it is made if it does not exist
     * @throws \RuntimeException when the folder cannot be made
     */
    public function __construct(private readonly string $folder)
    {
        if (!\is_dir($folder) && !@\mkdir($folder, 0o700, true) && !\is_dir($folder)) {
            throw new \RuntimeException("The folder for sessions, \"$folder\", cannot be made");
        }
    }

    public function open(string $path, string $name): bool
    {
        return true;
    }

    public function read(string $id): string
    {
        while (true) {
            $this->close();
            $file = @\fopen($this->path($id), 'c+') ?: throw new \RuntimeException("The session in \"{$this->path($id)}\" cannot be opened");
            \chmod($this->path($id), 0o600);
            \flock($file, \LOCK_EX);
            $this->file = $file;
            $this->id = $id;
            // Another request may have destroyed the session while this one waited for the lock.
            \clearstatcache(true, $this->path($id));
            [$named, $open] = [@\stat($this->path($id)), \fstat($file)];
            if ($named !== false && $open !== false && $named['ino'] === $open['ino']) {
                return (string) \stream_get_contents($file);
            }
        }
    }

    public function write(string $id, string $data): bool
    {
        if ($this->file === null || $this->id !== $id) {
            $this->read($id);
        }
        \assert($this->file !== null);
        return \ftruncate($this->file, 0) && \rewind($this->file) && \fwrite($this->file, $data) === \strlen($data);
    }

    public function destroy(string $id): bool
    {
        @\unlink($this->path($id));
        return true;
    }

    public function close(): bool
    {
        if ($this->file !== null) {
            // The file of a session that was never written is removed.
            if ((\fstat($this->file)['size'] ?? 1) === 0) {
                @\unlink($this->path($this->id));
            }
            \fclose($this->file);
            $this->file = null;
        }
        return true;
    }

    public function gc(int $max_lifetime): int
    {
        $collected = 0;
        foreach (\glob("$this->folder/sess_*") ?: [] as $path) {
            if ((int) @\filemtime($path) < \time() - $max_lifetime) {
                $collected += (int) @\unlink($path);
            }
        }
        return $collected;
    }

    private function path(string $id): string
    {
        if (!\ctype_xdigit($id)) {
            throw new \ValueError('The id of a session must have hexadecimal digits only');
        }
        return "$this->folder/sess_$id";
    }
}
