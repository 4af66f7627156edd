<?php

// A script as php-fpm has them: what it finds in its superglobals.

$files = array_map(fn (array $file) => [...array_diff_key($file, ['tmp_name' => 0]), 'text' => md5_file($file['tmp_name'])], $_FILES);
$server = array_diff_key($_SERVER, ['REQUEST_TIME' => 0, 'REQUEST_TIME_FLOAT' => 0]);
header('Content-Type: application/json');
echo json_encode(['worker' => getmypid(), 'seen' => [
    'get' => $_GET, 'post' => $_POST, 'cookie' => $_COOKIE, 'request' => $_REQUEST, 'files' => $files, 'server' => $server,
    'input' => md5(file_get_contents('php://input')),
]], JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
