--TEST--
Http\ErrorPages: statuses and pages are checked when it is made, and each mistake is a sentence
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Http\{ErrorFormat, ErrorPages, Options};
use Sluice\Server;

attempt('none', fn() => new ErrorPages());
$pages = new ErrorPages(html: [400 => '<p>{status}', 599 => 'x', '404' => 'not here', '*' => 'others'], json: ['*' => '{}'], otherwise: ErrorFormat::Html);
foreach ([[399 => 'x'], [600 => 'x'], [-1 => 'x'], ['x'], ['all' => 'x'], ['*' => ''], [404 => "\xff"], [404 => 5], [404 => null]] as $given) {
    attempt('html', fn() => new ErrorPages($given));
}
attempt('json', fn() => new ErrorPages(json: [200 => 'x']));
attempt('longest', fn() => new ErrorPages(html: ['*' => str_repeat('x', 1 << 19)], json: ['*' => str_repeat('x', 1 << 19)]));
attempt('too long', fn() => new ErrorPages(html: ['*' => str_repeat('x', 1 << 19)], json: ['*' => str_repeat('x', (1 << 19) + 1)]));
attempt('', fn() => new ErrorPages(otherwise: 'html'));
attempt('', fn() => $pages->__construct());
attempt('', fn() => clone $pages);
attempt('', fn() => serialize($pages));
attempt('', fn() => $pages->anything = 1);
attempt('', fn() => new Options(errorPages: [404 => 'x']));
$site = (new Server())->http('127.0.0.1:1', fn() => null, new Options(errorPages: $pages));
attempt('', fn() => $site->get('/', fn() => null, new Options(errorPages: $pages)));
?>
--EXPECT--
none: fine
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must have pages for statuses from 400 to 599, 399 given
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must have pages for statuses from 400 to 599, 600 given
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must have pages for statuses from 400 to 599, -1 given
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must have pages for statuses from 400 to 599, 0 given
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must have statuses or "*" as keys, "all" given
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must have pages in UTF-8 that are not empty
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must have pages in UTF-8 that are not empty
TypeError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must be an array of strings, int found in it
TypeError: Sluice\Http\ErrorPages::__construct(): Argument #1 ($html) must be an array of strings, null found in it
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #2 ($json) must have pages for statuses from 400 to 599, 200 given
longest: fine
ValueError: Sluice\Http\ErrorPages::__construct(): Argument #2 ($json) must leave all pages together at most 1048576 bytes
TypeError: Sluice\Http\ErrorPages::__construct(): Argument #3 ($otherwise) must be of type Sluice\Http\ErrorFormat, string given
Error: Sluice\Http\ErrorPages is constructed already and cannot be changed
Error: Trying to clone an uncloneable object of class Sluice\Http\ErrorPages
Exception: Serialization of 'Sluice\Http\ErrorPages' is not allowed
Error: Cannot create dynamic property Sluice\Http\ErrorPages::$anything
TypeError: Sluice\Http\Options::__construct(): Argument #7 ($errorPages) must be of type ?Sluice\Http\ErrorPages, array given
: fine
