--TEST--
Coroutines that wait inside a call of PHP's own that calls them back: none meets what another's call has stored in the engine
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/compare.inc';

final class Woken
{
    public function __construct(public int $i, public array $parts = []) {}
    public function __sleep(): array { wait(); return ['i', 'parts']; }
    public function __wakeup(): void { wait(); $this->i += 1000; }
}
final class Unserialized
{
    public function __construct(public int $i, public ?self $twin = null) {}
    public function __serialize(): array { wait(); return ['i' => $this->i, 'twin' => $this->twin, 'inner' => serialize([$this->i, $this->i])]; }
    public function __unserialize(array $data): void
    {
        wait();
        $this->i = $data['i'] + array_sum(unserialize($data['inner']));
        wait();
        $this->twin = $data['twin'];
    }
}
final class Json implements JsonSerializable
{
    public function __construct(public int $i) {}
    public function jsonSerialize(): mixed
    {
        wait();
        return [$this->i, json_encode(['deep' => [[$this->i]]]), json_decode('{' . ($this->i % 2 ? '' : '}'))];
    }
}

foreach (['usort', 'uasort', 'uksort'] as $sort) {
    compare($sort, function ($i) use ($sort) { $numbers = numbers($i); $sort($numbers, comparator($i)); return $numbers; });
}
foreach (['array_udiff', 'array_uintersect', 'array_diff_ukey', 'array_intersect_ukey', 'array_udiff_assoc', 'array_uintersect_assoc'] as $set) {
    compare($set, fn ($i) => $set(numbers($i), numbers($i + 1), numbers(3, 5), comparator($i)));
}
foreach (['array_udiff_uassoc', 'array_uintersect_uassoc'] as $set) {
    compare($set, fn ($i) => $set(numbers($i), numbers($i + 1), comparator($i), comparator($i + 1)));
}
compare('one in the other', function ($i) {
    $numbers = numbers($i);
    usort($numbers, function ($a, $b) use ($i) {
        $pair = [$a, $b, $a + $b];
        usort($pair, comparator($i));
        return $pair[0] * 100 + $a <=> $pair[1] * 100 + $b;
    });
    return $numbers;
});
compare('in a Fiber of its own', function ($i) {
    $numbers = numbers($i, 5);
    $sorting = new Fiber(function () use ($numbers, $i) {
        usort($numbers, function ($a, $b) use ($i) { Fiber::suspend(); return comparator($i)($a, $b); });
        return $numbers;
    });
    $sorting->start();
    while (!$sorting->isTerminated()) {
        $beside = [$i, 3, 2, 1];
        usort($beside, comparator($i + 1));
        $sorting->resume();
    }
    return [$beside, $sorting->getReturn()];
});
compare('serialize', fn ($i) => serialize([new Woken($i, numbers($i)), new Unserialized($i, new Unserialized(-$i))]));
$stored = array_map(function ($i) {
    $twin = new Unserialized(-$i);
    return serialize([$twin, new Woken($i, numbers($i)), new Unserialized($i, $twin), $twin]);
}, range(0, 9));
compare('unserialize', fn ($i) => json_encode(unserialize($stored[$i])));
compare('preg_replace_callback', fn ($i) => preg_replace_callback('/\d(\d)?/', function ($match) {
    wait();
    return preg_replace_callback('/./', function ($match) { wait(); return "<$match[0]>"; }, $match[0]);
}, implode(' ', numbers($i))));
compare('preg_last_error', function ($i) {
    preg_match('/(?:\D+|<\d+>)*[!?]/', $i % 2 ? 'foobar foobar foobar' : 'no');
    $at_once = preg_last_error_msg();
    wait();
    return [$at_once, preg_last_error_msg()];
});
compare('json_encode', fn ($i) => json_encode([new Json($i), [[new Json(-$i)]]]));
compare('json_last_error', function ($i) {
    json_decode($i % 2 ? '[' : '[]');
    wait();
    return json_last_error_msg();
});
compare('error_get_last', function ($i) {
    @trigger_error("number $i");
    wait();
    $first = error_get_last()['message'];
    error_clear_last();
    wait();
    return [$first, error_get_last()];
});
compare('strtok', function ($i) {
    $words = [strtok("a$i b$i,c$i", ' ')];
    wait();
    $words[] = strtok(',');
    wait();
    return [...$words, strtok(',')];
});
compare('ob_start', function ($i) {
    ob_start(function ($text) use ($i) { wait(); return "[$i $text]"; });
    echo "outer $i";
    wait();
    ob_start();
    echo "inner $i";
    wait();
    $inner = ob_get_clean();
    ob_start();
    ob_end_flush();
    $outer = ob_get_contents();
    ob_end_clean();
    return [$inner, $outer];
});
compare('array_map, array_walk, array_reduce', function ($i) {
    $numbers = numbers($i);
    array_walk($numbers, function (&$number, $key, $add) { wait(); $number += $key + $add; }, $i);
    return [array_map(function ($a) use ($i) { wait(); return $a * $i; }, $numbers), array_reduce($numbers, function ($a, $b) { wait(); return $a * 3 + $b; }, 0)];
});
compare('iterators', fn ($i) => iterator_to_array(new CallbackFilterIterator(new ArrayIterator(numbers($i)), function ($number) use ($i) {
    wait();
    return $number % 3 !== $i % 3;
})));
?>
--EXPECT--
usort: as without waiting
uasort: as without waiting
uksort: as without waiting
array_udiff: as without waiting
array_uintersect: as without waiting
array_diff_ukey: as without waiting
array_intersect_ukey: as without waiting
array_udiff_assoc: as without waiting
array_uintersect_assoc: as without waiting
array_udiff_uassoc: as without waiting
array_uintersect_uassoc: as without waiting
one in the other: as without waiting
in a Fiber of its own: as without waiting
serialize: as without waiting
unserialize: as without waiting
preg_replace_callback: as without waiting
preg_last_error: as without waiting
json_encode: as without waiting
json_last_error: as without waiting
error_get_last: as without waiting
strtok: as without waiting
ob_start: as without waiting
array_map, array_walk, array_reduce: as without waiting
iterators: as without waiting
