--TEST--
Site: patterns, methods and doubles of routes are checked
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Server;

$server = new Server();
$site = $server->http('127.0.0.1:1');
$f = fn() => null;
attempt('chained', fn() => $site->get('/users/{id}', $f)->post('/users', $f)->put('/users/{id}', $f)
    ->patch('/users/{id}', $f)->delete('/users/{id}', $f)->any('/any', $f)->route('PROPFIND', '/{path...}', $f)
    ->webSocket('/users/{id}', $f));
attempt('another site', fn() => $server->http('127.0.0.1:2', $f)->get('/users/{id}', $f));
attempt('no handler', fn() => $server->http('127.0.0.1:3', null));
foreach (['', 'users', '/a?b', '/a#b', "/\xc3\xa9", '/a b', '/a%2', '/a/../b', '/{id', '/a{id}', '/{id}.json', '/{}', '/{7}', '/{a}/{a}', '/{a...}/b'] as $path) {
    attempt('path', fn() => $site->get($path, $f));
}
attempt('path', fn() => $site->route('GET', 'users', $f));
attempt('path', fn() => $site->webSocket('/{a...}/b', $f));
foreach (['', 'GET POST', 'get', 'Get', 'CONNECT', "GET\n"] as $method) {
    attempt('method', fn() => $site->route($method, '/m', $f));
}
attempt('double', fn() => $site->get('/users/{id}', $f));
attempt('double', fn() => $site->get('/users/{name}', $f));
attempt('double', fn() => $site->route('PROPFIND', '/{rest...}', $f));
attempt('double', fn() => $site->any('/any', $f));
attempt('double', fn() => $site->webSocket('/users/{id}', $f));
attempt('double', fn() => $site->webSocket('/%75sers/{name}', $f));
attempt('handler', fn() => $site->get('/handler', 'no_such_function'));
attempt('handler', fn() => $site->get('/handler', null));
attempt('handler', fn() => $site->get('/handler', $f));
attempt('tcp', fn() => $server->tcp('127.0.0.1:4', Sluice\Tcp\Framing::none(), null));
?>
--EXPECT--
chained: fine
another site: fine
no handler: fine
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must start with "/", "" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must start with "/", "users" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must be a path without "?" and "#", "/a?b" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must be a path without "?" and "#", "/a#b" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must hold printable ASCII only, others percent-encoded, "/é" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must hold printable ASCII only, others percent-encoded, "/a b" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must have two hexadecimal digits after each "%", "/a%2" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must not have "." or ".." for a segment, "/a/../b" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must have a parameter for a whole segment, as in "/users/{id}", "/{id" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must have a parameter for a whole segment, as in "/users/{id}", "/a{id}" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must have a parameter for a whole segment, as in "/users/{id}", "/{id}.json" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must name each parameter with letters, digits and "_", no digit first, "/{}" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must name each parameter with letters, digits and "_", no digit first, "/{7}" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must name each parameter once only, "/{a}/{a}" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must have "{name...}", which takes all that follows, at its end only, "/{a...}/b" given
ValueError: Sluice\Http\Site::route(): Argument #2 ($path) must start with "/", "users" given
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must have "{name...}", which takes all that follows, at its end only, "/{a...}/b" given
ValueError: Sluice\Http\Site::route(): Argument #1 ($method) must be a method: letters, digits and !#$%&'*+-.^_`|~, "" given
ValueError: Sluice\Http\Site::route(): Argument #1 ($method) must be a method: letters, digits and !#$%&'*+-.^_`|~, "GET POST" given
ValueError: Sluice\Http\Site::route(): Argument #1 ($method) must be in upper case, as methods are case-sensitive, "get" given
ValueError: Sluice\Http\Site::route(): Argument #1 ($method) must be in upper case, as methods are case-sensitive, "Get" given
ValueError: Sluice\Http\Site::route(): Argument #1 ($method) must be a method whose requests have a path, "CONNECT" given
ValueError: Sluice\Http\Site::route(): Argument #1 ($method) must be a method: letters, digits and !#$%&'*+-.^_`|~, "GET
" given
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must be added only once, "GET /users/{id}" exists already
ValueError: Sluice\Http\Site::get(): Argument #1 ($path) must match other paths than "GET /users/{id}", "/users/{name}" given
ValueError: Sluice\Http\Site::route(): Argument #2 ($path) must match other paths than "PROPFIND /{path...}", "/{rest...}" given
ValueError: Sluice\Http\Site::any(): Argument #1 ($path) must be added only once, "/any" exists already
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must be added only once, "/users/{id}" exists already
ValueError: Sluice\Http\Site::webSocket(): Argument #1 ($path) must match other paths than "/users/{id}", "/%75sers/{name}" given
TypeError: Sluice\Http\Site::get(): Argument #2 ($handler) must be a valid callback or of type Sluice\Http\Handler, function "no_such_function" not found or invalid function name
TypeError: Sluice\Http\Site::get(): Argument #2 ($handler) must be a valid callback or of type Sluice\Http\Handler, no array or string given
handler: fine
TypeError: Sluice\Server::tcp(): Argument #3 ($handler) must be a valid callback or of type Sluice\Tcp\Handler, no array or string given
