--TEST--
Coroutines that wait deep inside of a SOAP answer: each counts its own nesting against PHP's limit
--EXTENSIONS--
sluice
soap
--FILE--
<?php
use function Sluice\Coroutine\{all, run};

const DEEP = 1500; // of which each counts twice; PHP's limit is 4,096

/** Is answered by a leaf inside of DEEP structures, each of which goes on behind what is inside of it. */
final class Client extends SoapClient
{
    public function __construct(Closure $convert)
    {
        parent::__construct(null, [
            'location' => 'http://x/',
            'uri' => 'urn:x',
            'typemap' => [['type_ns' => 'urn:x', 'type_name' => 'leaf', 'from_xml' => $convert]],
        ]);
    }

    public function __doRequest($request, $location, $action, $version, $oneWay = false): ?string
    {
        return "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' xmlns:enc='http://schemas.xmlsoap.org/soap/encoding/'
            xmlns:i='http://www.w3.org/2001/XMLSchema-instance' xmlns:x='urn:x'><e:Body><r>"
            . str_repeat("<n i:type='enc:Struct'>", DEEP) . "<leaf i:type='x:leaf'/>" . str_repeat('</n><then i:type="e:int">1</then>', DEEP)
            . '</r></e:Body></e:Envelope>';
    }
}

$deep = 0;
$call = function (int $i) use (&$deep): string {
    $client = new Client(function () use (&$deep, $i): int {
        ++$deep;
        for ($patience = 0; $deep < 4 && $patience < 5000; ++$patience) usleep(1000);
        return $i;
    });
    try {
        for ($value = $client->go()['n'], $depth = 0; $value instanceof stdClass; ++$depth) $value = $value->n ?? $value->leaf;
        return "$i: $value in $depth structures";
    } catch (SoapFault $fault) {
        ++$deep;
        return "$i: {$fault->getMessage()}";
    }
};
run(function () use ($call, &$deep) {
    echo implode("\n", all(...array_map(fn (int $i) => fn () => $call($i), range(1, 4)))), "\n";
    echo $call(5), "\n";
});
?>
--EXPECT--
1: 1 in 1500 structures
2: 2 in 1500 structures
3: 3 in 1500 structures
4: 4 in 1500 structures
5: 5 in 1500 structures
