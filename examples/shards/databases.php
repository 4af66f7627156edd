<?php

declare(strict_types=1);

/**
 * Four MariaDB of the program's own, in a temporary folder and on Unix sockets. They end with the program. Returns their DSNs, for the user
 * root; none when MariaDB or pdo_mysql is not installed.
 */

$path = \getenv('PATH') . ':/usr/sbin:/usr/local/sbin';
$isThere = static fn(string $program): bool => \array_filter(\explode(':', $path), static fn(string $folder) => $folder !== '' && \is_executable("$folder/$program")) !== [];
if (!\extension_loaded('pdo_mysql') || !$isThere('mariadbd') || !$isThere('mariadb-install-db')) {
    return [];
}

$folder = \sys_get_temp_dir() . '/sluice-shards-' . \getmypid();
\mkdir($folder, 0o700);
/** @var ArrayObject<int, resource> $servers */
$servers = new ArrayObject();
\register_shutdown_function(static function (int $owner) use ($folder, $servers): void {
    if (\getmypid() === $owner) {
        foreach ($servers as $server) {
            \proc_terminate($server);
        }
        \array_map(proc_close(...), $servers->getArrayCopy());
        \exec('rm -rf ' . \escapeshellarg($folder));
    }
}, \getmypid());

\fwrite(\STDERR, "starting four MariaDB in $folder\n");
$user = \function_exists('posix_getuid') && \posix_getuid() === 0 ? '--user=root' : '';
$from = \escapeshellarg("$folder/new");
\exec("PATH=$path mariadb-install-db --no-defaults --datadir=$from --auth-root-authentication-method=normal --skip-test-db --innodb-log-file-size=8M $user 2>&1", $lines, $status);
if ($status !== 0) {
    throw new RuntimeException("mariadb-install-db has failed:\n" . \implode("\n", \array_slice($lines, -20)));
}
$dsns = [];
foreach (\range(0, 3) as $i) {
    \exec("cp -r $from " . \escapeshellarg("$folder/$i"));
    \file_put_contents("$folder/$i.sql", "CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4;\n");
    // setpriv ends the server when this program is killed, too.
    $script = <<<SH
        here=\$1/\$2
        exec \$(command -v setpriv >/dev/null && echo setpriv --pdeathsig TERM) mariadbd --no-defaults --datadir="\$here" --socket="\$here.socket" --pid-file="\$here.pid" \
            --skip-networking --init-file="\$here.sql" --innodb-buffer-pool-size=16M --innodb-log-file-size=8M --performance-schema=OFF $user
        SH;
    $log = ['file', "$folder/$i.log", 'a'];
    $server = \proc_open(['sh', '-c', $script, 'sh', $folder, (string) $i], [['file', '/dev/null', 'r'], $log, $log], $pipes, null, ['PATH' => $path, 'LC_ALL' => 'C']);
    $servers[] = \is_resource($server) ? $server : throw new RuntimeException('No process can be started.');
    $dsns[] = "mysql:unix_socket=$folder/$i.socket;dbname=shop;charset=utf8mb4";
}
foreach ($servers as $i => $server) {
    $dsn = $dsns[$i];
    for ($until = \microtime(true) + 120; ; \usleep(100_000)) {
        try {
            new PDO($dsn, 'root', '');
            break;
        } catch (PDOException $error) {
            if (\microtime(true) > $until || !\proc_get_status($server)['running']) {
                throw new RuntimeException("MariaDB number $i does not answer: {$error->getMessage()}\n" . \substr((string) \file_get_contents("$folder/$i.log"), -2000), 0, $error);
            }
        }
    }
}
return $dsns;
