<?php

declare(strict_types=1);

namespace Sluice\App\Leaks;

use Sluice\App\Config;

/** A server of the application in a folder, with one worker that looks for leaks, behind a Unix socket of its own. */
final class CheckedServer
{
    private const BOOT_SECONDS = 60.0;
    private const ANSWER_SECONDS = 60;

    /** @var resource|null */
    private $process;

    private function __construct(private readonly string $folder)
    {
        $command = [\PHP_BINARY, ...self::phpOptions(), self::script(), 'serve', "--address=unix:$folder/socket", '--mode=process', '--workers=1', '--max-workers=1', '--warm=0', "--pid-file=$folder/pid"];
        $streams = [['file', '/dev/null', 'r'], ['file', "$folder/log", 'a'], ['file', "$folder/log", 'a']];
        // No proxy stands before it, and its socket needs no certificate.
        $environment = \array_diff_key(\getenv(), \array_flip(Config::variablesOfListener()));
        $this->process = \proc_open($command, $streams, $pipes, null, [Report::VARIABLE => "$folder/leaks"] + $environment) ?: null;
    }

    /** @throws \RuntimeException when it does not serve */
    public static function start(): self
    {
        $folder = \sys_get_temp_dir() . '/sluice-leaks-' . \bin2hex(\random_bytes(6));
        \mkdir($folder, 0o700);
        \touch("$folder/leaks");
        $server = new self($folder);
        $deadline = \microtime(true) + self::BOOT_SECONDS;
        while (($socket = @\stream_socket_client("unix://$folder/socket")) === false) {
            if (!$server->isRunning() || \microtime(true) > $deadline) {
                throw new \RuntimeException("The application does not start:\n" . \file_get_contents("$folder/log"));
            }
            \usleep(20_000);
        }
        \fclose($socket);
        return $server;
    }

    /**
     * Requests a path by GET.
     *
     * @return int the status of the answer; 0: there was none
     */
    public function request(string $path): int
    {
        $socket = @\stream_socket_client("unix://$this->folder/socket", timeout: self::ANSWER_SECONDS);
        if ($socket === false) {
            return 0;
        }
        \stream_set_timeout($socket, self::ANSWER_SECONDS);
        \fwrite($socket, "GET $path HTTP/1.1\r\nHost: localhost\r\nAccept: text/html, */*;q=0.8\r\nConnection: close\r\n\r\n");
        $status = (int) \substr((string) \fgets($socket), 9, 3);
        while (!\feof($socket) && \fread($socket, 65_536) !== false && !\stream_get_meta_data($socket)['timed_out']) {
        }
        \fclose($socket);
        return $status;
    }

    /**
     * Stops the server.
     *
     * @return list<string> a sentence for each leak
     * @throws \RuntimeException when it has not ended well
     */
    public function stop(): array
    {
        $process = $this->process ?? throw new \LogicException('The server was stopped already');
        $this->process = null;
        \proc_terminate($process);
        do {
            \usleep(10_000);
            $status = \proc_get_status($process);
        } while ($status['running']);
        \proc_close($process);
        if ($status['exitcode'] !== 0) {
            throw new \RuntimeException("The application has not ended well:\n" . \file_get_contents("$this->folder/log"));
        }
        return Report::sentences("$this->folder/leaks");
    }

    public function __destruct()
    {
        if ($this->process !== null) {
            \proc_terminate($this->process, \SIGKILL);
            \proc_close($this->process);
        }
        foreach (\glob("$this->folder/*") ?: [] as $file) {
            @\unlink($file);
        }
        @\rmdir($this->folder);
    }

    private function isRunning(): bool
    {
        return $this->process !== null && \proc_get_status($this->process)['running'];
    }

    private static function script(): string
    {
        $arguments = $_SERVER['argv'] ?? [];
        $script = \is_array($arguments) ? $arguments[0] ?? null : null;
        return \is_string($script) ? $script : throw new \RuntimeException('This is not the command line');
    }

    /** @return list<string> what stands in front of the script, such as `-d extension=sluice` */
    private static function phpOptions(): array
    {
        $words = \explode("\0", (string) \file_get_contents('/proc/self/cmdline'));
        $place = \array_search(self::script(), $words, true);
        return $place === false ? [] : \array_slice($words, 1, $place - 1);
    }
}
