<?php

declare(strict_types=1);

namespace Sluice\App;

use Sluice\Http\{Compression, Encoding};

/**
 * Variables of the environment as arguments of value objects. The variable of an argument has its name: SLUICE_LIMITS_SHUTDOWN_SECONDS is `shutdownSeconds` of
 * the object whose variables begin with SLUICE_LIMITS. Objects in objects go on in the same way.
 */
final class Environment
{
    /** What elements of lists are, where they are not texts. */
    private const ELEMENTS = [Compression::class => ['encodings' => Encoding::class]];

    /** @param array<string, string> $variables by name */
    public function __construct(private readonly array $variables) {}

    /** The variable for an option: SLUICE_PID_FILE for pidFile. */
    public static function variable(string $option, string $prefix = 'SLUICE'): string
    {
        return "{$prefix}_" . \strtoupper((string) \preg_replace('/[A-Z]/', '_$0', $option));
    }

    /**
     * The names of all variables that object() reads for a class.
     *
     * @param class-string $class
     * @return list<string>
     */
    public static function names(string $class, string $prefix): array
    {
        $names = [];
        foreach (self::parameters($class) as $parameter) {
            $variable = self::variable($parameter->name, $prefix);
            $nested = self::classOf($parameter);
            if ($nested === null || \enum_exists($nested) || self::canBe($parameter, 'false') || self::canBe($parameter, 'int')) {
                $names[] = $variable;
            }
            if ($nested !== null && !\enum_exists($nested)) {
                \array_push($names, ...self::names($nested, $variable));
            }
        }
        return $names;
    }

    /**
     * An object with the values of the environment, and with those of $given where the environment says nothing; $given itself, when it says nothing at all.
     *
     * @template T of object
     * @param class-string<T> $class
     * @param string $prefix of its variables
     * @param T|null $given null: the defaults
     * @return T|null
     * @throws \ValueError for a value that is not allowed, and when one is missing
     */
    public function object(string $class, string $prefix, ?object $given): ?object
    {
        $kept = $given === null ? [] : \get_object_vars($given);
        $values = [];
        foreach (self::parameters($class) as $parameter) {
            $this->read($parameter, $class, self::variable($parameter->name, $prefix), $kept[$parameter->name] ?? null, $values);
        }
        if ($values === []) {
            return $given;
        }
        foreach (self::parameters($class) as $parameter) {
            if (!$parameter->isOptional() && !\array_key_exists($parameter->name, $values + $kept)) {
                throw new \ValueError(self::variable((string) \array_key_first($values), $prefix) . ' needs ' . self::variable($parameter->name, $prefix) . ', too');
            }
        }
        try {
            return (new \ReflectionClass($class))->newInstanceArgs($values + $kept);
        } catch (\ValueError | \TypeError $error) {
            $message = \preg_match('/Argument #\d+ \(\$(\w+)\) (.*)$/s', $error->getMessage(), $found) === 1 ? self::variable($found[1], $prefix) . " $found[2]" : $error->getMessage();
            throw new \ValueError($message, 0, $error);
        }
    }

    /**
     * Adds the value of a parameter to $values, when the environment has one.
     *
     * @param class-string $of whose parameter it is
     * @param array<string, mixed> $values by name
     */
    private function read(\ReflectionParameter $parameter, string $of, string $variable, mixed $given, array &$values): void
    {
        $class = self::classOf($parameter);
        $text = $this->variables[$variable] ?? null;
        if ($class !== null && !\enum_exists($class)) {
            $object = $this->object($class, $variable, $given instanceof $class ? $given : null);
            if ($text !== null && self::canBe($parameter, 'int')) {
                $values[$parameter->name] = self::number($variable, $text);
                return;
            }
            if ($text !== null && self::canBe($parameter, 'false')) {
                $isOn = self::boolean($variable, $text);
                $object = $isOn ? $object ?? new $class() : false;
            }
            if ($object !== null && $object !== $given) {
                $values[$parameter->name] = $object;
            }
        } elseif ($text !== null) {
            $element = self::ELEMENTS[$of][$parameter->name] ?? null;
            $values[$parameter->name] = $class !== null ? self::choice($class, $variable, $text) : self::scalar($parameter, $variable, $text);
            if ($element !== null && \is_array($values[$parameter->name])) {
                $values[$parameter->name] = \array_map(static fn(mixed $one) => self::choice($element, $variable, \is_string($one) ? $one : ''), $values[$parameter->name]);
            }
        }
    }

    /**
     * @param class-string $class
     * @return list<\ReflectionParameter>
     */
    private static function parameters(string $class): array
    {
        return (new \ReflectionMethod($class, '__construct'))->getParameters();
    }

    /** @return class-string|null the class among the types of a parameter */
    private static function classOf(\ReflectionParameter $parameter): ?string
    {
        $type = $parameter->getType();
        foreach ($type instanceof \ReflectionUnionType ? $type->getTypes() : [$type] as $one) {
            if ($one instanceof \ReflectionNamedType && !$one->isBuiltin()) {
                $name = $one->getName();
                \assert(\class_exists($name) || \enum_exists($name));
                return $name;
            }
        }
        return null;
    }

    /** Whether a parameter takes an object, or a value of this type. */
    private static function canBe(\ReflectionParameter $parameter, string $wanted): bool
    {
        $type = $parameter->getType();
        return $type instanceof \ReflectionUnionType && \array_filter($type->getTypes(), static fn(\ReflectionType $one) => (string) $one === $wanted) !== [];
    }

    /** @return int|float|bool|string|array<mixed> */
    private static function scalar(\ReflectionParameter $parameter, string $variable, string $text): int|float|bool|string|array
    {
        $type = $parameter->getType();
        return match ($type instanceof \ReflectionNamedType ? $type->getName() : 'string') {
            // Permissions are octal wherever people write them.
            'int' => \str_ends_with($parameter->name, 'Mode') ? self::permissions($variable, $text) : self::number($variable, $text),
            'float' => self::real($variable, $text),
            'bool' => self::boolean($variable, $text),
            'array' => self::array($variable, $text),
            default => $text,
        };
    }

    /** @throws \ValueError */
    public static function number(string $variable, string $text): int
    {
        $number = \filter_var($text, \FILTER_VALIDATE_INT);
        return $number === false ? throw new \ValueError("$variable must be a number, \"$text\" given") : $number;
    }

    /** @throws \ValueError */
    public static function real(string $variable, string $text): float
    {
        $number = \filter_var($text, \FILTER_VALIDATE_FLOAT);
        return $number === false ? throw new \ValueError("$variable must be a number, \"$text\" given") : $number;
    }

    private static function permissions(string $variable, string $text): int
    {
        return \preg_match('/^0?[0-7]{3}$/', $text) === 1 ? (int) \octdec($text) : throw new \ValueError("$variable must be permissions such as 0660, \"$text\" given");
    }

    private static function boolean(string $variable, string $text): bool
    {
        return \filter_var($text, \FILTER_VALIDATE_BOOL, \FILTER_NULL_ON_FAILURE) ?? throw new \ValueError("$variable must be on or off, \"$text\" given");
    }

    /** @return array<mixed> values apart by commas, or JSON for what has keys */
    private static function array(string $variable, string $text): array
    {
        if (\preg_match('/^\s*[\[{]/', $text) !== 1) {
            return \array_values(\array_filter(\array_map(\trim(...), \explode(',', $text)), static fn(string $one) => $one !== ''));
        }
        $values = \json_decode($text, true);
        return \is_array($values) ? $values : throw new \ValueError("$variable must be values apart by commas, or JSON, \"$text\" given: " . \json_last_error_msg());
    }

    /** A case of an enum by its value or its name, however that is written. */
    private static function choice(string $enum, string $variable, string $text): \UnitEnum
    {
        \assert(\enum_exists($enum));
        $plain = static fn(string $name): string => \strtolower(\str_replace(['-', '_', ' '], '', $name));
        $allowed = [];
        foreach ($enum::cases() as $case) {
            if ($plain($case->name) === $plain($text) || $case instanceof \BackedEnum && (string) $case->value === $text) {
                return $case;
            }
            $allowed[] = $case instanceof \BackedEnum ? (string) $case->value : \strtolower((string) \preg_replace('/(?<!^)[A-Z]/', '-$0', $case->name));
        }
        $last = \array_pop($allowed);
        throw new \ValueError("$variable must be " . \implode(', ', $allowed) . " or $last, \"$text\" given");
    }
}
