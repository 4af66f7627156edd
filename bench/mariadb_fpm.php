<?php

declare(strict_types=1);

// The page of mariadb.php for php-fpm, which keeps one connection for each of its processes.

$fresh = $_SERVER['DOCUMENT_URI'] === '/fresh';
$dsn = "mysql:host=127.0.0.1;port={$_SERVER['MARIADB_PORT']};dbname=test";
$db = $_SERVER['DOCUMENT_URI'] === '/' ? null : new PDO($dsn, 'sluice', 'secret', $fresh ? [] : [PDO::ATTR_PERSISTENT => true]);
$query = $_SERVER['DOCUMENT_URI'] === '/slow' ? 'SELECT SLEEP(0.005)' : 'SHOW TABLES';
header('Content-Type: application/json');
echo json_encode($db?->query($query)->fetchAll(PDO::FETCH_COLUMN));
