<?php

declare(strict_types=1);

namespace Sluice\Psr\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\Psr\{CacheKeyException, SimpleCache};
use Sluice\Shared\Table;
use Symfony\Component\Cache\Adapter\Psr16Adapter;

#[CoversClass(SimpleCache::class)]
final class SimpleCacheTest extends TestCase
{
    private static int $tables = 0;

    private static function table(int $bytes = 1 << 20, bool $evict = false): Table
    {
        return new Table('simple-cache-' . ++self::$tables, $bytes, $evict);
    }

    public function testValuesAreKeptAsTheyAre(): void
    {
        $cache = new SimpleCache(self::table());
        foreach ([1, 1.5, 'text', '', true, false, null, [1, ['a' => 2]], new \ArrayObject([3])] as $value) {
            self::assertTrue($cache->set('key', $value));
            self::assertEquals($value, $cache->get('key', 'default'));
            self::assertTrue($cache->has('key'));
        }
        self::assertTrue($cache->delete('key'));
        self::assertSame([false, 'default', null], [$cache->has('key'), $cache->get('key', 'default'), $cache->get('key')]);
        self::assertTrue($cache->delete('key'));
    }

    public function testSeveralAtOnce(): void
    {
        $cache = new SimpleCache(self::table());
        self::assertTrue($cache->setMultiple(['a' => 1, 'b' => 2, 3 => 'three']));
        self::assertSame(['a' => 1, 'c' => 'none', '3' => 'three'], $cache->getMultiple(['a', 'c', '3'], 'none'));
        self::assertTrue($cache->deleteMultiple(new \ArrayIterator(['a', '3'])));
        self::assertSame([false, true], [$cache->has('a'), $cache->has('b')]);
        self::assertTrue($cache->clear());
        self::assertFalse($cache->has('b'));
    }

    public function testTimesToLive(): void
    {
        $cache = new SimpleCache(self::table());
        $cache->set('second', 1, 1);
        $cache->set('interval', 1, new \DateInterval('PT1S'));
        $cache->set('long', 1, \PHP_INT_MAX);
        $cache->set('gone', 1);
        $cache->set('gone', 2, 0);
        $cache->set('never', 1, -1);
        self::assertSame([true, true, true, false, false], \array_map($cache->has(...), ['second', 'interval', 'long', 'gone', 'never']));
        $deadline = \microtime(true) + 10;
        while (($cache->has('second') || $cache->has('interval')) && \microtime(true) < $deadline) {
            \usleep(20_000);
        }
        self::assertSame([false, false, true], \array_map($cache->has(...), ['second', 'interval', 'long']));
    }

    public function testCachesWithPrefixesShareATable(): void
    {
        $table = self::table();
        [$one, $two] = [new SimpleCache($table, 'one.'), new SimpleCache($table, 'two.')];
        $one->set('key', 1);
        $two->set('key', 2);
        $one->clear();
        self::assertSame([null, 2], [$one->get('key'), $two->get('key')]);
    }

    public function testATableThatIsFullRefuses(): void
    {
        $cache = new SimpleCache(self::table(65536));
        $stored = 0;
        while ($stored < 10_000 && $cache->set("key-$stored", \str_repeat('x', 200))) {
            ++$stored;
        }
        self::assertGreaterThan(10, $stored);
        self::assertLessThan(10_000, $stored);
        self::assertSame(\str_repeat('x', 200), $cache->get('key-0'));
        self::assertFalse($cache->setMultiple(['another' => \str_repeat('x', 200)]));
    }

    public function testKeysAreChecked(): void
    {
        $cache = new SimpleCache(self::table());
        foreach (['', 'a/b', 'a{', 'a:b', 'a@', '\\', \str_repeat('k', 1025)] as $key) {
            try {
                $cache->get($key);
                self::fail("\"$key\" was taken for a key");
            } catch (CacheKeyException $error) {
                self::assertStringContainsString('1 to 1024 bytes', $error->getMessage());
            }
        }
        $this->expectException(CacheKeyException::class);
        $cache->getMultiple([[]]);
    }

    public function testSymfonysAdapterMakesAPoolOfPsr6OfIt(): void
    {
        $table = self::table();
        $pool = new Psr16Adapter(new SimpleCache($table), 'pages');
        $item = $pool->getItem('a.b');
        self::assertSame([false, null], [$item->isHit(), $item->get()]);
        self::assertTrue($pool->save($item->set(['x' => 1])->expiresAfter(60)));
        self::assertTrue($pool->saveDeferred($pool->getItem('later')->set(2)) && $pool->commit());
        // Another process has pools of its own on the table.
        $other = new Psr16Adapter(new SimpleCache($table), 'pages');
        self::assertSame([true, ['x' => 1], 2], [$other->getItem('a.b')->isHit(), $other->getItem('a.b')->get(), $other->getItem('later')->get()]);
        self::assertFalse((new Psr16Adapter(new SimpleCache($table), 'others'))->hasItem('a.b'));
        self::assertTrue($other->deleteItem('a.b'));
        self::assertFalse($pool->hasItem('a.b'));
    }
}
