<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** A body of multipart/form-data (RFC 7578), cut into fields and files. */
final class Multipart
{
    /** @var array<mixed> */
    public array $fields = [];
    /** @var array<mixed> as `$_FILES` has them */
    public array $files = [];
    /** @var list<string> of the files, which are there as long as this object */
    private array $paths = [];

    public function __construct(string $type, string $body)
    {
        if (\preg_match('/boundary=(?:"([^"]+)"|([^;\s]+))/i', $type, $found) !== 1) {
            return;
        }
        $boundary = $found[1] . ($found[2] ?? '');
        $fields = [];
        foreach (\array_slice(\explode("\r\n--$boundary", "\r\n$body"), 1, -1) as $part) {
            [$head, $data] = \explode("\r\n\r\n", $part, 2) + ['', ''];
            $name = self::parameter($head, 'name');
            if ($name === null) {
                continue;
            }
            $file = self::parameter($head, 'filename');
            if ($file === null) {
                $fields[] = \urlencode($name) . '=' . \urlencode($data);
            } elseif ($file !== '' || $data !== '') {
                $this->addFile($name, $file, \preg_match('/^content-type:\s*(\S.*?)\s*$/im', $head, $found) === 1 ? $found[1] : 'application/octet-stream', $data);
            }
        }
        \parse_str(\implode('&', $fields), $this->fields);
    }

    public function __destruct()
    {
        foreach ($this->paths as $path) {
            @\unlink($path);
        }
    }

    private function addFile(string $name, string $file, string $type, string $data): void
    {
        $path = (string) \tempnam(\sys_get_temp_dir(), 'swoole.upfile.');
        \file_put_contents($path, $data);
        $this->paths[] = $path;
        $entry = ['name' => $file, 'type' => $type, 'tmp_name' => $path, 'error' => \UPLOAD_ERR_OK, 'size' => \strlen($data)];
        $bracket = \strpos($name, '[');
        if ($bracket === false) {
            $this->files[$name] = $entry;
            return;
        }
        // Files of names with brackets are in trees by each of their figures.
        $tree = [];
        foreach ($entry as $figure => $value) {
            $tree[] = \urlencode(\substr($name, 0, $bracket) . "[$figure]" . \substr($name, $bracket)) . '=' . \urlencode((string) $value);
        }
        \parse_str(\implode('&', $tree), $files);
        $this->files = \array_replace_recursive($this->files, $files);
    }

    private static function parameter(string $head, string $name): ?string
    {
        return \preg_match("/^content-disposition:.*[;\\s]$name=(?:\"((?:[^\"\\\\\\\\]|\\\\\\\\.)*)\"|([^;\\s]+))/im", $head, $found) === 1
            ? \stripslashes($found[1] . ($found[2] ?? '')) : null;
    }
}
