<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

class CanceledException extends \Swoole\Exception {}
