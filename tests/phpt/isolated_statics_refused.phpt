--TEST--
isolate() says what cannot be isolated, and when it comes too late
--EXTENSIONS--
sluice
--FILE--
<?php
use function Sluice\Coroutine\{asRequest, isolate, run, spawn};
use Sluice\Coroutine;

class State
{
    public static int $number = 1;
    public int $ofObject = 1;
}
class Unknown { public static array $with = [self::MISSING]; }
class Empties {}
trait Shares { public static int $of_trait = 1; }
class Uses { use Shares; }
interface Speaks {}
enum Suit { case Hearts; }

spl_autoload_register(function (string $class): void {
    if ($class === 'LoadedLate') eval('class LoadedLate { public static string $value = "boot"; }');
    if ($class === 'Broken') throw new RuntimeException('its loader throws');
});

function attempt(callable $function): void
{
    try {
        $function();
        echo "done\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

attempt(fn () => isolate('NoSuchClass', 'x'));
attempt(fn () => isolate('Broken', 'x'));
attempt(fn () => isolate(State::class, 'missing'));
attempt(fn () => isolate(State::class, 'ofObject'));
attempt(fn () => isolate(State::class, 'number', 'missing'));
attempt(fn () => isolate(State::class, 'number', 5));
attempt(fn () => isolate(Unknown::class, 'with'));
attempt(fn () => isolate('Shares', 'of_trait'));
attempt(fn () => isolate(Speaks::class));
attempt(fn () => isolate(Suit::class));
attempt(fn () => isolate(ArrayObject::class, 'x'));
attempt(fn () => isolate(Empties::class));
attempt(fn () => isolate(Uses::class));
attempt(fn () => isolate('LoadedLate', 'value'));
attempt(fn () => isolate());
attempt(fn () => asRequest('no function'));
attempt(fn () => asRequest(fn () => isolate(Uses::class, 'of_trait')));
run(function () {
    attempt(fn () => isolate(Uses::class, 'of_trait'));
    $task = spawn(fn () => asRequest(fn () => Coroutine\sleep(0.01)));
    Coroutine\sleep(0.001);
    attempt(fn () => isolate(Uses::class, 'of_trait'));
    $task->await();
    attempt(fn () => isolate(Uses::class, 'of_trait'));
});
?>
--EXPECT--
ValueError: Sluice\Coroutine\isolate(): Argument #1 ($class) must be a class that can be loaded, "NoSuchClass" given
RuntimeException: its loader throws
ValueError: Sluice\Coroutine\isolate(): Argument #2 must be the name of a static property of State, but $missing is no property of it
ValueError: Sluice\Coroutine\isolate(): Argument #2 must be the name of a static property of State, but $ofObject is not static
ValueError: Sluice\Coroutine\isolate(): Argument #3 must be the name of a static property of State, but $missing is no property of it
TypeError: Sluice\Coroutine\isolate(): Argument #3 must be of type string, int given
Error: Undefined constant self::MISSING
ValueError: Sluice\Coroutine\isolate(): Argument #1 ($class) must be a class with static properties, but Shares is a trait: each class that uses it has properties of its own, so name these classes
ValueError: Sluice\Coroutine\isolate(): Argument #1 ($class) must be a class with static properties, but Speaks is an interface, which has no properties
ValueError: Sluice\Coroutine\isolate(): Argument #1 ($class) must be a class with static properties, but Suit is an enum, which has no properties
ValueError: Sluice\Coroutine\isolate(): Argument #1 ($class) must be a class with static properties, but ArrayObject is a class of PHP or of an extension, whose state is not in static properties
done
done
done
ArgumentCountError: Sluice\Coroutine\isolate() expects at least 1 argument, 0 given
TypeError: Sluice\Coroutine\asRequest(): Argument #1 ($function) must be a valid callback, function "no function" not found or invalid function name
Error: Sluice\Coroutine\isolate() comes too late, for there are coroutines with values of their own already: call it before them
done
Error: Sluice\Coroutine\isolate() comes too late, for there are coroutines with values of their own already: call it before them
done
