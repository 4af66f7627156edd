<?php

declare(strict_types=1);

namespace Swoole\Http;

use Sluice\Swoole\Errors;

class Cookie
{
    private string $name = '';
    private string $value = '';
    private string $domain = '';
    private string $sameSite = '';
    private string $priority = '';
    private string $path = '';
    private int $expires = 0;
    private bool $secure = false;
    private bool $httpOnly = false;
    private bool $partitioned = false;

    private bool $initialized = false;

    public function __construct(protected bool $encode = true)
    {
        $this->initialized = true;
    }

    /**
     * @internal
     * @param array<mixed> $arguments of `Response::cookie()`
     */
    public static function from(array $arguments): self
    {
        $text = static fn(int $at, string $default = ''): string => \is_scalar($arguments[$at] ?? null) ? (string) $arguments[$at] : $default;
        return (new self())->withName($text(0))->withValue($text(1))->withExpires((int) $text(2))->withPath($text(3))->withDomain($text(4))
            ->withSecure((bool) ($arguments[5] ?? false))->withHttpOnly((bool) ($arguments[6] ?? false))->withSameSite($text(7))->withPriority($text(8))
            ->withPartitioned((bool) ($arguments[9] ?? false));
    }

    public function withName(string $name): static
    {
        $this->check();
        $this->name = $name;
        return $this;
    }

    public function withValue(string $value = ''): static
    {
        $this->check();
        $this->value = $value;
        return $this;
    }

    public function withExpires(int $expires = 0): static
    {
        $this->check();
        $this->expires = $expires;
        return $this;
    }

    public function withPath(string $path = '/'): static
    {
        $this->check();
        $this->path = $path;
        return $this;
    }

    public function withDomain(string $domain = ''): static
    {
        $this->check();
        $this->domain = $domain;
        return $this;
    }

    public function withSecure(bool $secure = false): static
    {
        $this->check();
        $this->secure = $secure;
        return $this;
    }

    public function withHttpOnly(bool $httpOnly = false): static
    {
        $this->check();
        $this->httpOnly = $httpOnly;
        return $this;
    }

    public function withSameSite(string $sameSite = ''): static
    {
        $this->check();
        $this->sameSite = $sameSite;
        return $this;
    }

    public function withPriority(string $priority = ''): static
    {
        $this->check();
        $this->priority = $priority;
        return $this;
    }

    public function withPartitioned(bool $partitioned = false): static
    {
        $this->check();
        $this->partitioned = $partitioned;
        return $this;
    }

    public function toString(): string|false
    {
        return $this->initialized ? $this->field($this->encode) ?? false : Errors::fail(\SWOOLE_ERROR_HTTP_COOKIE_UNAVAILABLE);
    }

    /** @return array<string, mixed> */
    public function toArray(): array
    {
        return [
            'name' => $this->name, 'value' => $this->value, 'path' => $this->path, 'domain' => $this->domain, 'sameSite' => $this->sameSite,
            'priority' => $this->priority, 'encode' => $this->encode, 'expires' => $this->expires, 'secure' => $this->secure,
            'httpOnly' => $this->httpOnly, 'partitioned' => $this->partitioned,
        ];
    }

    public function reset(): void
    {
        if (!$this->initialized) {
            Errors::set(\SWOOLE_ERROR_HTTP_COOKIE_UNAVAILABLE);
            return;
        }
        $this->name = $this->value = $this->domain = $this->sameSite = $this->priority = $this->path = '';
        $this->expires = 0;
        $this->secure = $this->httpOnly = $this->partitioned = false;
    }

    /** A subclass may not have called the constructor. */
    private function check(): void
    {
        if (!$this->initialized) {
            throw new \Error('Swoole\Http\Cookie is not initialized');
        }
    }

    /** @internal */
    public function name(): string
    {
        return $this->name;
    }

    /**
     * The value of the Set-Cookie field.
     *
     * @internal
     */
    public function field(bool $encode): ?string
    {
        if ($this->name === '' || \strpbrk($this->name, "=,; \t\r\n\013\014") !== false) {
            \trigger_error('Cookie names cannot contain any of the following \'=,; \t\r\n\013\014\'', \E_USER_WARNING);
            return null;
        }
        if (!$encode && \strpbrk($this->value, ",; \t\r\n\013\014") !== false) {
            Errors::warn('The value cannot contain ",", ";", " ", "\t", "\r", "\n", "\013", or "\014"', \SWOOLE_ERROR_INVALID_PARAMS);
            return null;
        }
        $value = $encode ? \urlencode($this->value) : $this->value;
        $field = $this->value === '' ? "$this->name=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0" : "$this->name=$value";
        if ($this->value !== '' && $this->expires > 0) {
            $field .= '; expires=' . \gmdate('D, d-M-Y H:i:s', $this->expires) . ' GMT; Max-Age=' . \max(0, $this->expires - \time());
        }
        $field .= $this->path !== '' ? "; path=$this->path" : '';
        $field .= $this->domain !== '' ? "; domain=$this->domain" : '';
        $field .= $this->secure ? '; secure' : '';
        $field .= $this->httpOnly ? '; HttpOnly' : '';
        $field .= $this->sameSite !== '' ? "; SameSite=$this->sameSite" : '';
        $field .= $this->priority !== '' ? "; Priority=$this->priority" : '';
        return $field . ($this->partitioned ? '; Partitioned' : '');
    }
}
