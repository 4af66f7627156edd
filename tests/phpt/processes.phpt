--TEST--
Http\Processes has bounds that are checked; a DocumentRoot is made of a folder that is there
--FILE--
<?php
use Sluice\Http\{DocumentRoot, Options, Processes};

function attempt(callable $what): void
{
    try {
        $what();
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}

attempt(fn() => var_dump(new Processes()));
attempt(fn() => var_dump((new Processes(1))->least, (new Processes(8, 3, 500, 0.5, 30, 5))->terminateSeconds));
attempt(fn() => new Processes(0));
attempt(fn() => new Processes(1001));
attempt(fn() => new Processes(4, 5));
attempt(fn() => new Processes(4, requests: 0));
attempt(fn() => new Processes(4, idleSeconds: 0.01));
attempt(fn() => new Processes(4, terminateSeconds: 0));
attempt(fn() => new Processes(4, slowSeconds: NAN));
attempt(fn() => (new Processes())->__construct());
attempt(fn() => var_dump((new Options(processes: new Processes(3)))->processes->most));
attempt(fn() => new Options(processes: 'many'));
attempt(fn() => new DocumentRoot('/does/not/exist'));
attempt(fn() => new DocumentRoot(__DIR__, 'missing.php'));
attempt(fn() => new DocumentRoot(__DIR__, '../phpt/x.php'));
attempt(fn() => new DocumentRoot(__DIR__, index: ['a/b']));
attempt(fn() => new DocumentRoot(__DIR__, cacheControl: "a\nb"));
attempt(fn() => new DocumentRoot(__DIR__, basename(__FILE__)));
?>
--EXPECTF--
object(Sluice\Http\Processes)#%d (6) {
  ["most"]=>
  int(16)
  ["least"]=>
  int(2)
  ["requests"]=>
  NULL
  ["idleSeconds"]=>
  float(10)
  ["terminateSeconds"]=>
  NULL
  ["slowSeconds"]=>
  NULL
}
int(1)
float(30)
ValueError: Sluice\Http\Processes::__construct(): Argument #1 ($most) must be between 1 and 1000, 0 given
ValueError: Sluice\Http\Processes::__construct(): Argument #1 ($most) must be between 1 and 1000, 1001 given
ValueError: Sluice\Http\Processes::__construct(): Argument #2 ($least) must be between 1 and 4, 5 given
ValueError: Sluice\Http\Processes::__construct(): Argument #3 ($requests) must be between 1 and 4000000000, 0 given
ValueError: Sluice\Http\Processes::__construct(): Argument #4 ($idleSeconds) must be between 0.1 and 1000000 seconds, 0.01 given
ValueError: Sluice\Http\Processes::__construct(): Argument #5 ($terminateSeconds) must be between 0.01 and 1000000 seconds, 0 given
ValueError: Sluice\Http\Processes::__construct(): Argument #6 ($slowSeconds) must be between 0.01 and 1000000 seconds, NAN given
Error: Sluice\Http\Processes is constructed already and cannot be changed
int(3)
TypeError: Sluice\Http\Options::__construct(): Argument #10 ($processes) must be of type Sluice\Http\Processes|int|null, string given
Sluice\ServerException: The folder "/does/not/exist" cannot be read: No such file or directory
ValueError: Sluice\Http\DocumentRoot::__construct(): Argument #2 ($front) must be a script in the folder "%s", such as "index.php", "missing.php" given
ValueError: Sluice\Http\DocumentRoot::__construct(): Argument #2 ($front) must be a script in the folder "%s", such as "index.php", "../phpt/x.php" given
ValueError: Sluice\Http\DocumentRoot::__construct(): Argument #3 ($index) must be a list of file names without slashes
ValueError: Sluice\Http\DocumentRoot::__construct(): Argument #4 ($cacheControl) must not be empty or hold CR, LF, NUL or another control character
