<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Http\Response;
use Symfony\Component\HttpFoundation\{BinaryFileResponse, Response as SymfonyResponse, StreamedResponse};

/**
 * Sends a response of Symfony's.
 *
 * @internal
 */
final class OutgoingResponse
{
    /** The server writes these itself, as the connection and the body have them. */
    private const OF_THE_SERVER = ['connection' => true, 'keep-alive' => true, 'transfer-encoding' => true, 'content-length' => true];
    /** BinaryFileResponse has looked at the Range of the request already; sendFile() does so itself. */
    private const OF_RANGES = ['content-range' => true, 'accept-ranges' => true];

    public static function send(SymfonyResponse $answer, Response $response): void
    {
        $isFile = $answer instanceof BinaryFileResponse && \in_array($answer->getStatusCode(), [200, 206, 416], true)
            && \is_file($answer->getFile()->getPathname());
        $response->status($isFile ? 200 : $answer->getStatusCode());
        $skipped = self::OF_THE_SERVER + ($isFile ? self::OF_RANGES : []);
        foreach ($answer->headers->all() as $name => $values) {
            if (!isset($skipped[$name])) {
                foreach ($values as $value) {
                    $response->addHeader((string) $name, (string) $value);
                }
            }
        }
        if ($isFile) {
            self::sendFile($answer, $response);
        } elseif ($answer instanceof StreamedResponse || $answer instanceof BinaryFileResponse) {
            self::stream($answer, $response);
        } else {
            $response->end((string) $answer->getContent());
        }
    }

    private static function sendFile(BinaryFileResponse $answer, Response $response): void
    {
        $path = $answer->getFile()->getPathname();
        $response->sendFile($path, $answer->headers->get('Content-Type'));
        // The server has it open.
        if ((fn(): bool => $this->deleteFileAfterSend)->call($answer)) {
            @\unlink($path);
        }
    }

    /** What it echoes goes to the client at once, and waits for one that reads slowly. */
    private static function stream(SymfonyResponse $answer, Response $response): void
    {
        $level = \ob_get_level();
        \ob_start(static function (string $piece) use ($response): string {
            if ($piece !== '') {
                $response->write($piece);
            }
            return '';
        }, 1);
        try {
            $answer->sendContent();
        } finally {
            while (\ob_get_level() > $level) {
                \ob_end_flush();
            }
        }
        $response->end();
    }
}
