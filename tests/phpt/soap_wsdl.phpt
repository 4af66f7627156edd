--TEST--
Coroutines that load WSDLs at once: each has its own stream context, and what it may open is nobody else's
--EXTENSIONS--
sluice
simplexml
soap
--INI--
allow_url_fopen=0
soap.wsdl_cache_enabled=0
--FILE--
<?php
use function Sluice\Coroutine\{all, run, spawn};

/** The server gives a service whose types are in a second document, so that something is read after a wait. */
function document(string $path): string
{
    $name = basename($path);
    if (str_starts_with($name, 'types')) {
        return "<schema xmlns='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:x'>"
            . "<complexType name='{$name}'><sequence><element name='a' type='string'/></sequence></complexType></schema>";
    }
    $port = $GLOBALS['port'];
    return "<definitions targetNamespace='urn:x' xmlns:tns='urn:x' xmlns:xsd='http://www.w3.org/2001/XMLSchema'
        xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/' xmlns='http://schemas.xmlsoap.org/wsdl/'>
      <types><xsd:schema><xsd:import namespace='urn:x' schemaLocation='http://127.0.0.1:$port/types$name'/></xsd:schema></types>
      <message name='i'><part name='a' type='tns:types$name'/></message><message name='o'/>
      <portType name='p'><operation name='go'><input message='tns:i'/><output message='tns:o'/></operation></portType>
      <binding name='b' type='tns:p'><soap:binding style='rpc' transport='http://schemas.xmlsoap.org/soap/http'/>
        <operation name='go'><soap:operation soapAction='x'/><input><soap:body use='literal'/></input><output><soap:body use='literal'/></output></operation></binding>
      <service name='s'><port name='p' binding='tns:b'><soap:address location='http://127.0.0.1:$port/call'/></port></service>
    </definitions>";
}
$heard = [];
$serve = function ($client) use (&$heard) {
    $head = '';
    while (($line = fgets($client)) !== false && trim($line) !== '') $head .= $line;
    preg_match('~GET (\S+).*^X-From: (\S+)~ms', $head, $match) || preg_match('~GET (\S+)~', $head, $match);
    [, $path, $from] = $match + ['', '', 'nobody'];
    $heard[$path] = $from;
    // The first coroutines to ask are the last to be answered.
    usleep(1000 * (12 - (int) preg_replace('/\D/', '', $path)));
    $body = document($path);
    fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
    fclose($client);
};
run(function () use (&$heard, $serve) {
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    $GLOBALS['port'] = $port = (int) substr(strrchr(stream_socket_get_name($socket, false), ':'), 1);
    $server = spawn(function () use ($socket, $serve) {
        while ($client = @stream_socket_accept($socket, 10)) spawn(fn () => $serve($client));
    });
    $load = fn (int $i) => function () use ($i, $port) {
        $context = stream_context_create(['http' => ['header' => "X-From: $i"]]);
        $client = new SoapClient("http://127.0.0.1:$port/$i", ['stream_context' => $context]);
        return $client->__getTypes()[0];
    };
    // Only a client that loads a WSDL may open a URL.
    $open = function () use ($port) {
        for ($n = 0, $opened = 0; $n < 20; ++$n) {
            if (@simplexml_load_file("http://127.0.0.1:$port/plain$n")) ++$opened;
            usleep(500);
        }
        return "opened: $opened";
    };
    $got = all(...array_map($load, range(1, 9)), ...[$open]);
    foreach ($got as $type) echo str_replace("\n", '', $type), "\n";
    ksort($heard, SORT_NATURAL);
    foreach ($heard as $path => $from) echo "$path: $from\n";
    echo @simplexml_load_file("http://127.0.0.1:$port/after") ? 'opened' : 'refused', "\n";
    $server->cancel();
});
?>
--EXPECT--
struct types1 { string a;}
struct types2 { string a;}
struct types3 { string a;}
struct types4 { string a;}
struct types5 { string a;}
struct types6 { string a;}
struct types7 { string a;}
struct types8 { string a;}
struct types9 { string a;}
opened: 0
/1: 1
/2: 2
/3: 3
/4: 4
/5: 5
/6: 6
/7: 7
/8: 8
/9: 9
/types1: 1
/types2: 2
/types3: 3
/types4: 4
/types5: 5
/types6: 6
/types7: 7
/types8: 8
/types9: 9
refused
