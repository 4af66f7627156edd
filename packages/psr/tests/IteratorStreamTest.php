<?php

declare(strict_types=1);

namespace Sluice\Psr\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\Psr\IteratorStream;

#[CoversClass(IteratorStream::class)]
final class IteratorStreamTest extends TestCase
{
    public function testReadsGivePiecesAndNoMoreThanWasAskedFor(): void
    {
        $stream = new IteratorStream(['abc', '', 'de']);
        self::assertSame(['ab', 'c', 'de'], [$stream->read(2), $stream->read(10), $stream->read(10)]);
        self::assertSame(5, $stream->tell());
        self::assertTrue($stream->eof());
        self::assertSame('', $stream->read(1));
        self::assertFalse($stream->isReadable());
    }

    public function testNothingIsMadeBeforeItIsAskedFor(): void
    {
        $made = [];
        $stream = new IteratorStream((static function () use (&$made): \Generator {
            foreach (['a', 'b'] as $piece) {
                $made[] = $piece;
                yield $piece;
            }
        })());
        self::assertSame([], $made);
        self::assertSame('a', $stream->read(10));
        self::assertSame(['a'], $made);
        self::assertSame('b', (string) $stream);
        self::assertSame('', $stream->getContents());
    }

    public function testItIsReadOnceAndForwards(): void
    {
        $stream = new IteratorStream(['a']);
        self::assertSame([null, false, false, true], [$stream->getSize(), $stream->isSeekable(), $stream->isWritable(), $stream->isReadable()]);
        self::assertSame([[], null, null], [$stream->getMetadata(), $stream->getMetadata('uri'), $stream->detach()]);
        self::assertTrue($stream->eof());
        foreach ([fn() => $stream->rewind(), fn() => $stream->seek(1), fn() => $stream->write('a'), fn() => $stream->read(0)] as $call) {
            try {
                $call();
                self::fail('It did what it cannot do');
            } catch (\RuntimeException $error) {
                self::assertNotSame('', $error->getMessage());
            }
        }
    }
}
