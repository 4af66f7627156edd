--TEST--
libxml_use_internal_errors() and the errors of libxml_get_errors() are each coroutine's own
--EXTENSIONS--
sluice
dom
--FILE--
<?php
use Sluice\Coroutine\{Channel, CancelledError};
use function Sluice\Coroutine\{all, run, sleep, spawn};

/** Parses XML with `$count` errors, waits, and says how many errors there are. */
function parse(int $count): int
{
    (new DOMDocument())->loadXML('<a>' . str_repeat('&b;', $count) . '</a>');
    sleep(0.001);
    return count(libxml_get_errors());
}
set_error_handler(function (int $level, string $text): bool {
    echo "warning: ", strtok($text, "\n"), "\n";
    return true;
});

echo "-- off outside\n";
run(function () {
    $counted = all(...array_map(fn (int $count) => function () use ($count) {
        $before = libxml_use_internal_errors(true);
        return [$before, parse($count), libxml_use_internal_errors()];
    }, [1, 2, 3]));
    echo json_encode($counted), "\n";
    var_dump(libxml_use_internal_errors(), libxml_get_errors());
    all(
        function () { libxml_use_internal_errors(true); sleep(0.002); echo parse(1), "\n"; },
        fn () => parse(1),
    );
    spawn(function () { libxml_use_internal_errors(true); parse(2); })->await();
    var_dump(libxml_use_internal_errors());
});
var_dump(libxml_use_internal_errors());

echo "-- on outside\n";
libxml_use_internal_errors(true);
(new DOMDocument())->loadXML('<a>&outside;</a>');
run(function () {
    echo json_encode(all(fn () => parse(1), fn () => parse(0), fn () => parse(2))), "\n";
    $turn = new Channel(1);
    all(
        function () use ($turn) { libxml_use_internal_errors(false); $turn->pop(); parse(1); $turn->push(2); },
        function () use ($turn) {
            echo parse(1), "\n";
            libxml_clear_errors();
            $turn->push(1);
            sleep(0.003);
            $turn->pop();
            echo count(libxml_get_errors()), "\n";
        },
    );
    parse(5);
    var_dump(libxml_use_internal_errors());
    $never = spawn(function () { parse(3); (new Channel())->pop(); });
    sleep(0.005);
    $never->cancel();
    try { $never->await(); } catch (CancelledError) {}
    echo count(libxml_get_errors()), "\n";
});
echo count(libxml_get_errors()), ' ', trim(libxml_get_errors()[0]->message), "\n";
run(fn () => libxml_use_internal_errors(false));
var_dump(libxml_use_internal_errors());

echo "-- in a callback of the parser\n";
libxml_use_internal_errors(false);
libxml_set_external_entity_loader(function () { sleep(0.002); return null; });
run(function () {
    echo implode(', ', all(
        function () {
            libxml_use_internal_errors(true);
            (new DOMDocument())->loadXML('<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a>&b;</a>', LIBXML_DTDLOAD);
            return count(libxml_get_errors()) > 0 ? 'has errors' : 'none';
        },
        function () {
            libxml_use_internal_errors(true);
            (new DOMDocument())->loadXML('<a/>');
            sleep(0.005);
            return count(libxml_get_errors());
        },
    )), "\n";
});
?>
--EXPECT--
-- off outside
[[false,1,true],[false,2,true],[false,3,true]]
bool(false)
array(0) {
}
warning: DOMDocument::loadXML(): Entity 'b' not defined in Entity, line: 1
1
bool(false)
bool(false)
-- on outside
[1,0,2]
1
warning: DOMDocument::loadXML(): Entity 'b' not defined in Entity, line: 1
0
bool(true)
5
1 Entity 'outside' not defined
bool(true)
-- in a callback of the parser
has errors, 0
