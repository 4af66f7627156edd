<?php

// The packages of vendor, and the application's own classes: what Composer writes where it has installed the application itself.

$loader = require __DIR__ . '/vendor/autoload.php';
$loader->addPsr4('App\\', __DIR__ . '/src');
return $loader;
