<?php

declare(strict_types=1);

namespace Swoole\Timer;

/** @extends \ArrayIterator<int, int> */
class Iterator extends \ArrayIterator {}
