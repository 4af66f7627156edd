<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Client\NetworkExceptionInterface;
use Psr\Http\Message\RequestInterface;

/** There is no response; the previous exception says which of the client's it was. */
final class NetworkException extends \RuntimeException implements NetworkExceptionInterface
{
    public function __construct(string $message, private readonly RequestInterface $request, ?\Throwable $previous = null)
    {
        parent::__construct($message, previous: $previous);
    }

    public function getRequest(): RequestInterface
    {
        return $this->request;
    }
}
