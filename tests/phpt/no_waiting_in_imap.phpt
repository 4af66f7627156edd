--TEST--
Nobody waits in imap, whose library asks for the name and password of whoever has called last
--EXTENSIONS--
sluice
imap
pcntl
posix
--FILE--
<?php
use function Sluice\Coroutine\{all, run};

/** Answers one client, slowly, and sends the user's name as an alert. */
function serve($client): void
{
    fwrite($client, "* OK [CAPABILITY IMAP4rev1] ready\r\n");
    while (($line = fgets($client)) !== false) {
        usleep(2000);
        [$tag, $command] = explode(' ', trim($line) . ' ');
        fwrite($client, match ($command) {
            'CAPABILITY' => "* CAPABILITY IMAP4rev1\r\n",
            'SELECT' => "* 0 EXISTS\r\n* 0 RECENT\r\n* FLAGS ()\r\n",
            default => '',
        } . ($command === 'LOGIN' ? "$tag NO no $line" : "$tag OK\r\n"));
    }
}

$listener = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($listener, false);
$server = pcntl_fork();
if ($server === 0) {
    while ($client = stream_socket_accept($listener, 60))
        if (pcntl_fork() === 0) {
            serve($client);
            posix_kill(getmypid(), SIGKILL);
        }
}
run(function () use ($address) {
    $refused = all(...array_map(fn ($i) => function () use ($i, $address) {
        imap_errors();
        @imap_open("{{$address}/imap/notls}INBOX", "user$i", "password$i", 0, 1);
        return implode(' ', imap_errors() ?: []);
    }, range(0, 4)));
    foreach ($refused as $i => $said) echo str_contains($said, "user$i password$i") ? "its own\n" : "$i: $said\n";
});
posix_kill($server, SIGKILL);
?>
--EXPECT--
its own
its own
its own
its own
its own
