<?php

declare(strict_types=1);

namespace Sluice;

/** What a request has left behind. */
enum LeakKind: string
{
    /** In a static property, a static variable, a global variable, a superglobal, or what a handler has bound. */
    case Value = 'value';
    /** What `ini_set()` and its kin set, the time zone, the locale, encodings, the folder, environment variables. */
    case Setting = 'setting';
    /** An error handler, exception handler, autoloader, shutdown function, stream wrapper or stream filter. */
    case Registration = 'registration';
    /** An output buffer. */
    case OutputBuffer = 'output buffer';
    /** A transaction of a database connection. */
    case Transaction = 'transaction';
    /** An open file or connection. */
    case Descriptor = 'descriptor';
    /** An active `Timer`. */
    case Timer = 'timer';
    /** A coroutine that the request has spawned. */
    case Coroutine = 'coroutine';
    /** Memory, without a value that has grown. */
    case Memory = 'memory';
}

/**
 * Something that a request has left behind in its worker, as `Server::detectLeaks()` tells it.
 */
final readonly class Leak implements \Stringable
{
    /**
     * @param string $place what has changed: `App\Cart::$items['a']->price`, `the service "app.cart", ->items`, `static $cache of f()`, `the time zone`, `descriptor 12, /tmp/a`
     * @param string $was what was there before the request: `an array of 3`; '': nothing
     * @param string $is what is there now
     * @param string $request the request after which the leak was seen: `GET /cart`
     * @param string $at where the request has assigned, registered or opened it: `/app/Cart.php:12`, or the last three such lines; '': unknown
     */
    public function __construct(
        public LeakKind $kind,
        public string $place,
        public string $was,
        public string $is,
        public string $request,
        public string $at = '',
    ) {}

    /** The leak in one sentence, as in the log. */
    public function __toString(): string
    {
        $leaves = $this->was === '' ? "$this->place $this->is" : "$this->place as $this->is; it was $this->was";
        return "$this->request leaves $leaves" . ($this->at === '' ? '' : " (at $this->at)");
    }
}
