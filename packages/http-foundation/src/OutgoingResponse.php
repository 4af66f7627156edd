<?php

declare(strict_types=1);

namespace Sluice\HttpFoundation;

use Sluice\Http\Response;
use Symfony\Component\HttpFoundation\{BinaryFileResponse, Response as SymfonyResponse, StreamedResponse};

/**
 * Sends a Symfony response as the response of the server.
 */
final class OutgoingResponse
{
    /** Header fields about the connection and the length, which the server writes itself. */
    private const OF_THE_SERVER = ['connection' => true, 'keep-alive' => true, 'transfer-encoding' => true, 'content-length' => true];
    /** Fields that BinaryFileResponse has set for the Range of the request, which sendFile() answers itself. */
    private const OF_RANGES = ['content-range' => true, 'accept-ranges' => true];

    /** @param string $echoed goes before the body, as what a controller echoes does in php-fpm; streams and files are sent without it */
    public static function send(SymfonyResponse $answer, Response $response, string $echoed = ''): void
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
        if ($answer instanceof TopicResponse) {
            $answer->follow($response);
        } elseif ($isFile) {
            self::sendFile($answer, $response);
        } elseif ($answer instanceof StreamedResponse || $answer instanceof BinaryFileResponse) {
            self::stream($answer, $response);
        } else {
            $response->end($echoed . $answer->getContent());
        }
    }

    private static function sendFile(BinaryFileResponse $answer, Response $response): void
    {
        $path = $answer->getFile()->getPathname();
        $response->sendFile($path, $answer->headers->get('Content-Type'));
        // The server has the file open, so it may be removed now.
        if ((fn(): bool => $this->deleteFileAfterSend)->call($answer)) {
            @\unlink($path);
        }
    }

    /** Sends the output of sendContent() as it comes, and waits for slow clients. */
    private static function stream(SymfonyResponse $answer, Response $response): void
    {
        $level = \ob_get_level();
        $isOver = false;
        \ob_start(static function (string $piece) use ($response, &$isOver): string {
            /** @var bool $isOver */
            if ($piece !== '' && !$isOver) {
                $response->write($piece);
            }
            return '';
        }, 1);
        try {
            $answer->sendContent();
        } finally {
            while (OutputBuffers::canRemove($level)) {
                \ob_end_flush();
            }
            // What a buffer has that stays is sent as it is; what its callback says of it later comes too late.
            $left = OutputBuffers::take($level);
            $isOver = true;
        }
        $response->end($left);
    }
}
