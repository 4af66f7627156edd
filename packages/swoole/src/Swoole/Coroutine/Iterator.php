<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

/** @extends \ArrayIterator<int, int> */
class Iterator extends \ArrayIterator {}
