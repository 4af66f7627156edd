<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

/** A fatal error of PHP's, which nothing can catch, as an exception that a page can show. */
final class FatalError extends \Error
{
    private const FATAL = \E_ERROR | \E_CORE_ERROR | \E_COMPILE_ERROR | \E_USER_ERROR | \E_RECOVERABLE_ERROR;

    public function __construct(string $message, string $file, int $line)
    {
        parent::__construct($message);
        $this->file = $file;
        $this->line = $line;
        // PHP has forgotten the calls that led there.
        (new \ReflectionProperty(\Error::class, 'trace'))->setValue($this, []);
    }

    /** The error that ends this process; null: none does. */
    public static function last(): ?self
    {
        $error = \error_get_last();
        return $error !== null && ($error['type'] & self::FATAL) !== 0 ? new self($error['message'], $error['file'], $error['line']) : null;
    }
}
