--TEST--
sluice.hooks switches groups of calls: each by itself, all, none, several
--EXTENSIONS--
sluice
--FILE--
<?php
if ($argc > 1) {
    require __DIR__ . '/hooks.inc';
    $file = tempnam(sys_get_temp_dir(), 'sluice');
    file_put_contents($file, 'some');
    $calls = [
        'time' => fn () => usleep(1000),
        'sockets' => function () {
            [$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            stream_set_timeout($a, 0, 1000);
            fread($a, 1);
        },
        'names' => fn () => gethostbyname('localhost'),
        'locks' => function () use ($file) {
            $holder = proc_open(
                [PHP_BINARY, '-n', '-r', 'flock($f = fopen($argv[1], "r"), LOCK_EX); echo 1; fgets(STDIN); usleep(300000);', $file],
                [['pipe', 'r'], ['pipe', 'w']],
                $pipes,
            );
            fread($pipes[1], 1);
            fwrite($pipes[0], "go on\n");
            // This process is done with sockets and children: only the lock is left to wait for.
            return suspends(fn () => flock(fopen($file, 'r'), LOCK_EX));
        },
        'processes' => function () {
            $child = proc_open(['sleep', '0.3'], [], $pipes);
            proc_close($child);
        },
        'files' => function () use ($file) {
            $handle = fopen($file, 'a');
            fsync($handle);
        },
    ];
    $on = [];
    foreach ($calls as $group => $call) {
        // A thread may be done before anybody has begun to wait for it: what should suspend is tried for long.
        $tries = in_array($group, ['names', 'files'], true) ? 100 : 1;
        $until = microtime(true) + ($tries > 1 && preg_match("/^(all|1|on)\$|$group/i", $argv[2]) ? 30 : 0);
        do {
            $suspends = $group === 'locks' ? $call() : suspends($call);
        } while (!$suspends && (--$tries > 0 || microtime(true) < $until));
        if ($suspends) {
            $on[] = $group;
        }
    }
    unlink($file);
    echo implode(' ', $on), "\n";
    exit;
}

$settings = ['all', '1', 'On', 'none', '0', 'off', 'time', 'sockets', 'names', 'locks', 'processes', 'files', 'time, FILES', 'names sockets'];
// They wait for most of their time: two run at once.
foreach (array_chunk($settings, 2) as $some) {
    $children = [];
    foreach ($some as $setting) {
        $command = array_map(escapeshellarg(...), [getenv('TEST_PHP_EXECUTABLE'), '-n', '-d', "sluice.hooks=$setting", __FILE__, 'child', $setting]);
        $children[$setting] = popen(implode(' ', $command), 'r');
    }
    foreach ($children as $setting => $child) {
        echo "$setting: ", stream_get_contents($child);
    }
}
?>
--EXPECT--
all: time sockets names locks processes files
1: time sockets names locks processes files
On: time sockets names locks processes files
none: 
0: 
off: 
time: time
sockets: sockets
names: names
locks: locks
processes: processes
files: files
time, FILES: time files
names sockets: sockets names
