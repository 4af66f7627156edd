<?php

declare(strict_types=1);

// A worker script as for FrankenPHP, of one worker: it ends after five requests.

ignore_user_abort(true);
$booted = getmypid();
$served = 0;
$handle = static function () use ($booted, &$served): void {
    match ($_GET['do'] ?? '') {
        'exit' => exit('bye'),
        'throw' => throw new RuntimeException('thrown by the callback'),
        'finish' => print('finished'),
        default => null,
    };
    if (($_GET['do'] ?? '') === 'finish') {
        header('X-Early: yes');
        echo json_encode(frankenphp_finish_request());
        return;
    }
    header('Content-Type: application/json');
    header('X-Served: ' . ++$served);
    echo json_encode([
        'pid' => $booted, 'served' => $served, 'get' => $_GET, 'post' => $_POST, 'agent' => frankenphp_request_headers()['User-Agent'] ?? '',
        'sent' => frankenphp_response_headers()['X-Served'] ?? '', 'worker' => getenv('FRANKENPHP_WORKER'),
    ]);
};
for ($number = 0; $number < 5; ++$number) {
    if (!frankenphp_handle_request($handle)) {
        break;
    }
}
