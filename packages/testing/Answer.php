<?php

declare(strict_types=1);

namespace Sluice\Testing;

/** What a server has answered. */
final class Answer
{
    /** @param array<string, list<string>> $headers by name in lower case */
    private function __construct(public readonly int $status, public readonly array $headers, public readonly string $body) {}

    public static function of(\CurlHandle $handle): self
    {
        $answer = \curl_exec($handle);
        if (!\is_string($answer)) {
            throw new \RuntimeException('No answer: ' . \curl_error($handle));
        }
        return self::from($handle, $answer);
    }

    /** @param string $answer the heads and the body */
    public static function from(\CurlHandle $handle, string $answer): self
    {
        $headBytes = (int) \curl_getinfo($handle, \CURLINFO_HEADER_SIZE);
        $headers = [];
        // The last head counts: those before it are of 100 and 103.
        $heads = \explode("\r\n\r\n", \rtrim(\substr($answer, 0, $headBytes)));
        foreach (\array_slice(\explode("\r\n", \end($heads)), 1) as $line) {
            [$name, $value] = \explode(':', $line, 2) + [1 => ''];
            $headers[\strtolower($name)][] = \trim($value);
        }
        return new self((int) \curl_getinfo($handle, \CURLINFO_RESPONSE_CODE), $headers, \substr($answer, $headBytes));
    }

    public function header(string $name): ?string
    {
        return isset($this->headers[\strtolower($name)]) ? \implode(', ', $this->headers[\strtolower($name)]) : null;
    }

    public function json(): mixed
    {
        return \json_decode($this->body, true, flags: \JSON_THROW_ON_ERROR);
    }

    /** @return list<string> what tells of the application's code, which no page of a production server may do: files, classes with their namespaces, exceptions */
    public function innards(): array
    {
        \preg_match_all('~[\w./-]*\.php\b|[A-Z]\w*\\\\{1,2}[A-Z]\w*|\b[A-Z]\w*Exception\b|Stack trace~', $this->body, $found);
        return $found[0];
    }
}
