<?php

declare(strict_types=1);

// The pages of pages.php for php-fpm, and for php -S.

if (strtok($_SERVER['REQUEST_URI'], '?') === '/json') {
    $type = 'application/json';
    $rows = [];
    for ($id = 1; $id <= 10; ++$id) {
        $rows[] = ['id' => $id, 'name' => "item $id", 'price' => $id * 1.25, 'available' => $id % 3 > 0];
    }
    $page = json_encode(['count' => count($rows), 'rows' => $rows]);
} else {
    $type = 'text/plain; charset=utf-8';
    $page = 'hello world';
}
header("Content-Type: $type");
header('Content-Length: ' . strlen($page));
echo $page;
