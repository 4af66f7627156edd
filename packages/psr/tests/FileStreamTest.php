<?php

declare(strict_types=1);

namespace Sluice\Psr\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\Psr\FileStream;

#[CoversClass(FileStream::class)]
final class FileStreamTest extends TestCase
{
    public function testItIsABodyAsAnyOther(): void
    {
        $stream = new FileStream(__FILE__);
        self::assertSame([\filesize(__FILE__), true, true, false], [
            $stream->getSize(), $stream->isReadable(), $stream->isSeekable(), $stream->isWritable(),
        ]);
        self::assertFalse($stream->isRead());
        self::assertSame('<?php', $stream->read(5));
        self::assertTrue($stream->isRead());
        self::assertSame([5, false], [$stream->tell(), $stream->eof()]);
        self::assertSame(\file_get_contents(__FILE__), (string) $stream);
        self::assertSame(__FILE__, $stream->getMetadata('uri'));
        $stream->rewind();
        self::assertSame(\file_get_contents(__FILE__), $stream->getContents());
        self::assertIsResource($stream->detach());
    }

    public function testItIsNotWrittenTo(): void
    {
        $this->expectException(\RuntimeException::class);
        (new FileStream(__FILE__))->write('a');
    }

    public function testItHasToBeThere(): void
    {
        $this->expectExceptionMessage('"/nowhere" is not a readable file');
        new FileStream('/nowhere');
    }
}
