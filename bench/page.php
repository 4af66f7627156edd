<?php

// A plain script, for php-fpm and for Sluice.

header('Content-Type: text/plain; charset=utf-8');
echo 'hello world';
