--TEST--
Tls: files are read and checked when it is made, and each mistake is a sentence
--EXTENSIONS--
sluice
openssl
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\{Listener, Server, Tcp, Tls, TlsVersion};

$folder = __DIR__ . '/tls.files';
mkdir($folder);
foreach (['one', 'two', 'locked', 'short'] as $name) {
    $key = openssl_pkey_new($name === 'short' ? ['private_key_bits' => 1024] : ['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1']);
    $request = openssl_csr_new(['commonName' => $name], $key);
    openssl_x509_export_to_file(openssl_csr_sign($request, null, $key, 2), "$folder/$name.pem");
    openssl_pkey_export_to_file($key, "$folder/$name.key", $name === 'locked' ? 'secret' : null);
}
file_put_contents("$folder/rubbish", 'no PEM');
chdir($folder);

attempt('shortest', fn() => new Tls('one.pem', 'one.key'));
attempt('everything', fn() => new Tls(certificate: 'one.pem', key: "$folder/one.key",
    names: ['two.example' => ['two.pem', 'two.key'], '*.two.example' => ['two.pem', 'two.key']],
    clientCa: 'two.pem', requireClientCertificate: true, minimumVersion: TlsVersion::V1_3));
attempt('optional', fn() => new Tls('one.pem', 'one.key', clientCa: 'two.pem'));
echo "-- files\n";
ob_start(fn($text) => str_replace($folder, '...', $text));
attempt('', fn() => new Tls('', 'one.key'));
attempt('', fn() => new Tls('one.pem', ''));
attempt('', fn() => new Tls('one.pem', 'one.key', clientCa: ''));
attempt('', fn() => new Tls("one\0.pem", 'one.key'));
attempt('', fn() => new Tls('none.pem', 'one.key'));
attempt('', fn() => new Tls('one.pem', 'none.key'));
attempt('', fn() => new Tls('rubbish', 'one.key'));
attempt('', fn() => new Tls('one.pem', 'two.key'));
attempt('', fn() => new Tls('locked.pem', 'locked.key'));
attempt('', fn() => new Tls('short.pem', 'short.key'));
attempt('', fn() => new Tls('one.pem', 'one.key', clientCa: 'rubbish'));
attempt('', fn() => new Tls('one.pem', 'one.key', names: ['two.example' => ['two.pem', 'one.key']]));
ob_end_flush();
echo "-- names\n";
foreach ([['two.pem', 'two.key'], ['' => ['two.pem', 'two.key']], ['a b' => ['two.pem', 'two.key']], ['*.' => ['two.pem', 'two.key']],
    ['a.*' => ['two.pem', 'two.key']], ['two.example' => 'two.pem'], ['two.example' => ['two.pem']], ['two.example' => ['two.pem', 2]],
    ['two.example' => ['two.pem', 'two.key', 'three']], ['two.example' => ['two.pem', "two\0key"]],
    ['two.example' => ['certificate' => 'two.pem', 'key' => 'two.key']]] as $names) {
    attempt('', fn() => new Tls('one.pem', 'one.key', names: $names));
}
echo "-- the rest\n";
attempt('', fn() => new Tls('one.pem', 'one.key', requireClientCertificate: true));
attempt('', fn() => new Tls('one.pem', 'one.key', minimumVersion: '1.3'));
$tls = new Tls('one.pem', 'one.key');
attempt('', fn() => $tls->__construct('two.pem', 'two.key'));
attempt('', fn() => clone $tls);
attempt('', fn() => serialize($tls));
attempt('', fn() => $tls->anything = 1);
attempt('', fn() => (new ReflectionClass(Tls::class))->newInstanceWithoutConstructor());
$server = new Server();
attempt('http', fn() => $server->http(new Listener('127.0.0.1:1', $tls), fn() => null));
attempt('tcp', fn() => $server->tcp(new Listener('127.0.0.1:2', $tls), Tcp\Framing::none(), fn() => null));
attempt('none', fn() => $server->http(new Listener('127.0.0.1:3', tls: null), fn() => null));
attempt('', fn() => new Listener('127.0.0.1:4', tls: true));
?>
--CLEAN--
<?php
array_map('unlink', glob(__DIR__ . '/tls.files/*'));
rmdir(__DIR__ . '/tls.files');
?>
--EXPECTF--
shortest: fine
everything: fine
optional: fine
-- files
ValueError: Sluice\Tls::__construct(): Argument #1 ($certificate) must not be empty
ValueError: Sluice\Tls::__construct(): Argument #2 ($key) must not be empty
ValueError: Sluice\Tls::__construct(): Argument #4 ($clientCa) must not be empty
ValueError: Sluice\Tls::__construct(): Argument #1 ($certificate) must not contain any null bytes
ValueError: Cannot read the certificate file .../none.pem: No such file or directory
ValueError: Cannot read the key file .../none.key: No such file or directory
ValueError: The certificate file .../rubbish cannot be used: no start line
ValueError: The key file .../two.key does not belong to the certificate file .../one.pem: key values mismatch
ValueError: The key file .../locked.key has a passphrase; only a key without one can be used
ValueError: The certificate file .../short.pem cannot be used: ee key too small
ValueError: The client CA file .../rubbish cannot be used: no start line
ValueError: The key file .../one.key does not belong to the certificate file .../two.pem: key values mismatch
-- names
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have host names as keys, like "example.org" or "*.example.org", "a number" given
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have host names as keys, like "example.org" or "*.example.org", "" given
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have host names as keys, like "example.org" or "*.example.org", "a b" given
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have host names as keys, like "example.org" or "*.example.org", "*." given
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have host names as keys, like "example.org" or "*.example.org", "a.*" given
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have [certificate file, key file] for "two.example"
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have [certificate file, key file] for "two.example"
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have [certificate file, key file] for "two.example"
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have [certificate file, key file] for "two.example"
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have [certificate file, key file] for "two.example"
ValueError: Sluice\Tls::__construct(): Argument #3 ($names) must have [certificate file, key file] for "two.example"
-- the rest
ValueError: Sluice\Tls::__construct(): Argument #5 ($requireClientCertificate) must be false without $clientCa: no client certificate could be checked
TypeError: Sluice\Tls::__construct(): Argument #6 ($minimumVersion) must be of type Sluice\TlsVersion, string given
Error: Sluice\Tls is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\Tls
Exception: Serialization of 'Sluice\Tls' is not allowed
Error: Cannot create dynamic property Sluice\Tls::$anything
ReflectionException: Class Sluice\Tls is an internal class marked as final that cannot be instantiated without invoking its constructor
http: fine
tcp: fine
none: fine
TypeError: Sluice\Listener::__construct(): Argument #2 ($tls) must be of type ?Sluice\Tls, %s given
