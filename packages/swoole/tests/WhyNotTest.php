<?php

declare(strict_types=1);

namespace Sluice\Swoole\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Swoole\WhyNot\WhyNotCommand;
use Symfony\Component\Console\Tester\CommandTester;

#[CoversNothing]
final class WhyNotTest extends TestCase
{
    private const CODE = <<<'PHP'
        <?php
        namespace App;
        use Swoole\Coroutine as Routine;
        use Swoole\{Http\Server, Thread};
        use function Swoole\Coroutine\run;
        $server = new Server('0.0.0.0', 9501, SWOOLE_BASE);
        $server->set(['daemonize' => 1, 'worker_num' => 2, 'nonsense' => ['worker_num' => 1]]);
        $server->protect(1);
        Routine::setTimeLimit(1); Routine::noSuch(); new Thread('a'); run(fn() => Routine::getCid());
        \swoole_nothing(\SWOOLE_NOTHING);
        $other->set(['user' => 'x'], $this->Swoole);
        PHP;

    public function testEachUseIsFoundWithItsPlaceAndVerdict(): void
    {
        $folder = \sys_get_temp_dir() . '/sluice-why-not-' . \bin2hex(\random_bytes(4));
        \mkdir("$folder/src", recursive: true);
        \mkdir("$folder/vendor");
        \file_put_contents("$folder/src/a.php", self::CODE);
        \file_put_contents("$folder/vendor/b.php", self::CODE);
        \file_put_contents("$folder/plain.php", '<?php go_home(); $a->set(["user" => 1]);');
        $tester = new CommandTester(new WhyNotCommand());
        try {
            self::assertSame(1, $tester->execute(['folder' => $folder]));
        } finally {
            \exec('rm -r ' . \escapeshellarg($folder));
        }
        self::assertSame(<<<'TEXT'
            src/a.php:6: differs  SWOOLE_BASE: connections live in a process without PHP in both modes
            src/a.php:7: differs  option daemonize: let a supervisor such as systemd start the server; it stays in the foreground
            src/a.php:7: missing  option nonsense
            src/a.php:8: differs  ->protect(): leave out heartbeat_idle_time
            src/a.php:9: differs  Swoole\Coroutine::setTimeLimit(): use Sluice\Coroutine\timeout()
            src/a.php:9: missing  Swoole\Coroutine::noSuch()
            src/a.php:9: missing  Swoole\Thread
            src/a.php:10: missing  swoole_nothing()
            src/a.php:10: missing  SWOOLE_NOTHING
            src/a.php:11: differs  option user: start the server as this user, by a supervisor
            4 same, 5 differ, 5 missing

            TEXT, $tester->getDisplay(true));
    }

    public function testWhatIsTheSameNeedsNoChange(): void
    {
        $tester = new CommandTester(new WhyNotCommand());
        self::assertSame(0, $tester->execute(['folder' => \dirname(__DIR__, 3) . '/examples/swoole/tcp_eof.php', '--all' => true]));
        self::assertStringContainsString("tcp_eof.php:6: same  Swoole\\Server\n", $tester->getDisplay(true));
    }
}
