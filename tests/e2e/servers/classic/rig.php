<?php

// Sets everything that a request can set, waits again and again, and says what was not as it was set.

$n = (int) $_GET['n'];
$name = "request $n";
$zone = ['Europe/Vienna', 'Asia/Tokyo', 'UTC', 'America/New_York'][$n % 4];
$locale = ['C.UTF-8', 'C'][$n % 2];
$encoding = ['UTF-8', 'ISO-8859-1', 'EUC-JP'][$n % 3];
$folder = ['/tmp', '/usr', '/etc'][$n % 3];
$precision = (string) (5 + $n % 9);
$messages = [];

session_name("s$n");
session_id("rig$n");
session_save_path(getenv('SESSIONS'));
session_start();
$_SESSION['name'] = $name;
date_default_timezone_set($zone);
setlocale(LC_ALL, $locale);
if (class_exists('Locale')) {
    $n % 2 === 0 ? Locale::setDefault("de_$n") : locale_set_default("de_$n");
}
mb_internal_encoding($encoding);
ini_set('precision', $precision);
set_include_path("/of/$n");
chdir($folder);
set_error_handler(function (int $level, string $message) use ($name, &$messages): bool {
    $messages[] = "$name: $message";
    return true;
});
error_reporting(E_ALL & ~(1 << ($n % 3)));
for ($i = 0; $i < 10; $i++) {
    RigState::${"p$i"} = $i % 2 === 0 ? "$name $i" : [$name, $i];
}
$_GET['set'] = $_POST['set'] = $_COOKIE['set'] = $_SERVER['set'] = $_REQUEST['set'] = $name;
header("X-Rig: $n");
setcookie('rig', (string) $n);
http_response_code(200 + $n % 4);
register_shutdown_function(function () use ($n): void {
    echo "\nend of $n";
});
ob_start();

$wrong = [];
for ($round = 0; $round < 4; $round++) {
    echo "$name;";
    usleep((int) getenv('WAIT_US') / 4);
    trigger_error("round $round");
    $seen = [
        'zone' => [date_default_timezone_get(), $zone],
        'locale' => [setlocale(LC_CTYPE, 0), $locale],
        'formats' => class_exists('Locale') ? [Locale::getDefault(), "de_$n"] : [0, 0],
        'encoding' => [mb_internal_encoding(), $encoding],
        'precision' => [ini_get('precision'), $precision],
        'include_path' => [get_include_path(), "/of/$n"],
        'folder' => [getcwd(), $folder],
        'session' => [[session_id(), session_name(), $_SESSION['name']], ["rig$n", "s$n", $name]],
        'reporting' => [error_reporting(), E_ALL & ~(1 << ($n % 3))],
        'headers' => [array_values(preg_grep('/^X-/', headers_list())), ["X-Rig: $n"]],
        'status' => [http_response_code(), 200 + $n % 4],
        'superglobals' => [[$_GET['set'], $_POST['set'], $_COOKIE['set'], $_SERVER['set'], $_REQUEST['set'], $_GET['n'], $_POST['n'], $_COOKIE['n'], $_SERVER['HTTP_X_N']],
            [$name, $name, $name, $name, $name, "$n", "$n", "$n", "$n"]],
        'input' => [file_get_contents('php://input'), "n=$n"],
        'globals' => [$GLOBALS['n'], $n],
        'output' => [ob_get_contents(), str_repeat("$name;", $round + 1)],
    ];
    for ($i = 0; $i < 10; $i++) {
        $seen["p$i"] = [RigState::${"p$i"}, $i % 2 === 0 ? "$name $i" : [$name, $i]];
    }
    foreach ($seen as $what => [$is, $should_be]) {
        if ($is !== $should_be) {
            $wrong[] = [$round, $what, $is, $should_be];
        }
    }
}
if ($messages !== array_map(fn(int $round) => "$name: round $round", [0, 1, 2, 3])) {
    $wrong[] = ['messages', $messages];
}
ob_end_clean();
session_destroy();
echo json_encode([$n, $wrong]);
