--TEST--
Whatever reads a file may wait for it: ten coroutines read what each has asked for
--EXTENSIONS--
sluice
dom
simplexml
xmlreader
--FILE--
<?php
require __DIR__ . '/compare.inc';

/** A file whose content the test says, and which comes a few bytes at a time. */
final class SlowFile
{
    public $context;
    public static Closure $content;
    private string $text;
    private int $at = 0;

    function stream_open(string $path): bool { wait(); $this->text = (self::$content)((int) substr($path, 7)); return true; }
    function stream_read(int $bytes): string { wait(); $part = substr($this->text, $this->at, min($bytes, 23)); $this->at += strlen($part); return $part; }
    function stream_eof(): bool { return $this->at >= strlen($this->text); }
    function stream_stat(): array { return ['size' => strlen($this->text), 'mode' => 0100644]; }
    function url_stat(): array { return ['size' => 1, 'mode' => 0100644]; }
    function stream_tell(): int { return $this->at; }
    function stream_seek(int $offset, int $from): bool
    {
        $this->at = $offset + [SEEK_SET => 0, SEEK_CUR => $this->at, SEEK_END => strlen($this->text)][$from];
        return true;
    }
    function stream_set_option(): bool { return false; }
}
stream_wrapper_register('slow', SlowFile::class);
libxml_set_external_entity_loader(null);

function document(string $text = '<r/>'): DOMDocument
{
    $document = new DOMDocument();
    $document->loadXML($text, LIBXML_NOENT | LIBXML_DTDLOAD | LIBXML_DTDATTR);
    return $document;
}
function loaded(string $method, string $file): string
{
    $document = new DOMDocument();
    $document->$method($file);
    return $document->saveXML();
}
/** All names and values that a reader comes to. */
function walk(XMLReader $reader): string
{
    for ($seen = ''; $reader->read();) $seen .= "$reader->name $reader->value;";
    return $seen;
}
function printed(callable $what): string
{
    ob_start();
    $what();
    return ob_get_clean();
}

$xml = fn ($i) => "<r><a n='$i'>text $i</a></r>";
$text = fn ($i) => "first line of $i\nsecond\tline, of $i\n";
$schema = fn ($i) => "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='r$i' type='xs:string'/></xs:schema>";
$relax = fn ($i) => "<element name='r$i' xmlns='http://relaxng.org/ns/structure/1.0'><text/></element>";
$code = fn ($i) => "<?php /* of $i */ return $i;\n";
$pixel = fn ($i) => 'GIF89a' . pack('vv', $i + 1, $i + 2) . str_repeat("\0", 99);
$page = fn ($i) => "<html><head><meta name='of$i' content='$i'></head><body>$i</body></html>";
$recipes = [
    'file_get_contents' => [$text, fn ($file) => file_get_contents($file)],
    'file' => [$text, fn ($file) => file($file)],
    'fopen' => [$text, fn ($file) => fgetcsv(fopen($file, 'r'), null, "\t", '"', '')],
    'readfile' => [$text, fn ($file) => printed(fn () => readfile($file))],
    'SplFileObject::__construct' => [$text, fn ($file) => iterator_to_array(new SplFileObject($file))],
    'hash_file' => [$text, fn ($file) => hash_file('sha256', $file)],
    'hash_hmac_file' => [$text, fn ($file) => hash_hmac_file('sha256', $file, 'key')],
    'hash_update_file' => [$text, function ($file) { $hash = hash_init('md5'); hash_update_file($hash, $file); return hash_final($hash); }],
    'md5_file' => [$text, fn ($file) => md5_file($file)],
    'sha1_file' => [$text, fn ($file) => sha1_file($file)],
    'parse_ini_file' => [fn ($i) => "[of $i]\nkey$i = $i\nsame = $i\n", fn ($file) => parse_ini_file($file, true)],
    'highlight_file' => [$code, fn ($file) => highlight_file($file, true)],
    'show_source' => [$code, fn ($file) => show_source($file, true)],
    'php_strip_whitespace' => [$code, fn ($file) => php_strip_whitespace($file)],
    'get_meta_tags' => [$page, fn ($file) => get_meta_tags($file)],
    'getimagesize' => [$pixel, fn ($file) => getimagesize($file)],
    'exif_imagetype' => [$pixel, fn ($file) => exif_imagetype($file)],
    'finfo_file' => [$pixel, fn ($file) => finfo_file(finfo_open(), $file)],
    'finfo::file' => [$pixel, fn ($file) => (new finfo())->file($file)],
    'mime_content_type' => [$pixel, fn ($file) => mime_content_type($file)],
    'simplexml_load_file' => [$xml, fn ($file) => simplexml_load_file($file)->asXML()],
    'DOMDocument::load' => [$xml, fn ($file) => loaded('load', $file)],
    'DOMDocument::loadHTMLFile' => [$page, fn ($file) => loaded('loadHTMLFile', $file)],
    'DOMDocument::schemaValidate' => [$schema, fn ($file, $i) => document("<r$i>x</r$i>")->schemaValidate($file)],
    'DOMDocument::relaxNGValidate' => [$relax, fn ($file, $i) => document("<r$i>x</r$i>")->relaxNGValidate($file)],
    'Dom\Document::schemaValidate' => [$schema, fn ($file, $i) => Dom\XMLDocument::createFromString("<r$i>x</r$i>")->schemaValidate($file)],
    'Dom\Document::relaxNgValidate' => [$relax, fn ($file, $i) => Dom\XMLDocument::createFromString("<r$i>x</r$i>")->relaxNgValidate($file)],
    'XMLReader::fromUri' => [$xml, fn ($file) => walk(XMLReader::fromUri($file))],
    'XMLReader::open' => [$xml, function ($file) { $reader = new XMLReader(); $reader->open($file); return walk($reader); }],
    'XMLReader::setSchema' => [$schema, function ($file, $i) { $reader = XMLReader::XML("<r$i>x</r$i>"); $reader->setSchema($file); return walk($reader) . $reader->isValid(); }],
    'XMLReader::setRelaxNGSchema' => [$relax, function ($file, $i) { $reader = XMLReader::XML("<r$i>x</r$i>"); $reader->setRelaxNGSchema($file); return walk($reader) . $reader->isValid(); }],
    'an entity of XML' => [fn ($i) => "<b>of $i</b>", fn ($file) => document("<!DOCTYPE r [<!ENTITY e SYSTEM '$file'>]><r>&e;</r>")->textContent],
    'a DTD' => [fn ($i) => "<!ELEMENT r (#PCDATA)><!ATTLIST r a CDATA '$i'>", fn ($file) => document("<!DOCTYPE r SYSTEM '$file'><r>x</r>")->documentElement->getAttribute('a')],
    'XInclude' => [$xml, function ($file) { $document = document("<q xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='$file'/></q>"); $document->xinclude(); return $document->textContent; }],
    'a filter' => [$text, fn ($file) => file_get_contents("php://filter/read=string.toupper|convert.base64-encode/resource=$file")],
    'include' => [$code, fn ($file) => include $file],
];
foreach ($recipes as $name => [$content, $read]) {
    $names = explode('::', $name);
    if (preg_match('/^\w+$/', $name) && $name !== 'include' && !function_exists($name) || isset($names[1]) && !method_exists(...$names)) continue;
    SlowFile::$content = $content;
    $difference = difference(fn ($i) => $read("slow://$i", $i));
    if ($difference) echo "$name: $difference\n";
}

// Those that write, look at what the kernel knows, or take no stream.
$others = '/^(.*(save|C14N|transform|profiling|open_?uri|asXML|(?<!s)access|trace|history|export|import|mkfifo|mknod|tty|isatty|chmod|ch(own|grp)|touch|unlink|archive|phar).*'
    . '|file(atime|ctime|group|inode|mtime|owner|perms|size|type|_exists|_put_contents)|is_.*|l?stat|fnmatch|ftok|iptcembed|headers_sent|clearstatcache|curl.*|exif_(read_data|thumbnail)'
    . '|(read)?gz(file|open)|spl_autoload.*|stream_resolve_include_path|opcache.*|ldap.*|pg_.*|ftp_.*|ssh2.*|(Error)?Exception::.*|SplFileInfo::.*|CURL.*|FFI::.*|SQLite3::.*|Sluice.*|igbinary.*|snmp.*|imap.*|odbc.*)$/i';
$found = [];
foreach (get_defined_functions()['internal'] as $function) $found[$function] = new ReflectionFunction($function);
foreach (get_declared_classes() as $class)
    foreach ((new ReflectionClass($class))->getMethods() as $method)
        if ($method->isInternal() && $method->class === $class) $found["$class::$method->name"] = $method;
foreach ($found as $name => $callee)
    foreach ($callee->getParameters() as $parameter)
        if (preg_match('/^(filename|file|uri)$/', $parameter->name) && !isset($recipes[$name]) && !preg_match($others, $name)) echo "not tried: $name\n";
echo 'done';
?>
--EXPECT--
done
