<?php

declare(strict_types=1);

namespace Sluice\Laravel;

/**
 * The properties and elements that an object has now, to be given back to the object later. Objects that these refer to are not looked into.
 *
 * @internal
 */
final class ObjectState
{
    /** @var array<string, array<string, list<string>>> by class: in which scope which properties are written */
    private static array $plans = [];
    /** @var array<string, array{\Closure(object): array<mixed>, \Closure(object, array<mixed>, list<string>): void}> by scope: what reads and what writes */
    private static array $access = [];

    /** @var array<string, array{array<mixed>, list<string>}> by scope: the values, and the names of those that have none */
    private array $parts = [];

    public function __construct(public readonly object $object, private readonly ?Contents $contents = null)
    {
        foreach (self::plan($object::class) as $scope => $names) {
            $values = \array_intersect_key(self::access($scope)[0]($object), \array_flip($names));
            $this->parts[$scope] = [$values, \array_values(\array_diff($names, \array_keys($values)))];
        }
    }

    public function restore(): void
    {
        foreach ($this->parts as $scope => [$values, $absent]) {
            self::$access[$scope][1]($this->object, $values, $absent);
        }
        $this->contents?->restore();
    }

    /** What a property, visible to the object's class, was. */
    public function value(string $name): mixed
    {
        return $this->parts[$this->object::class][0][$name] ?? null;
    }

    /** What such a property is now. */
    public function current(string $name): mixed
    {
        return self::access($this->object::class)[0]($this->object)[$name] ?? null;
    }

    /** Has restore() give it another value. */
    public function replace(string $name, mixed $value): void
    {
        $this->parts[$this->object::class][0][$name] = $value;
    }

    /** @return list<mixed> */
    public function values(): array
    {
        return \array_merge($this->contents->values ?? [], ...\array_map(static fn(array $part) => \array_values($part[0]), \array_values($this->parts)));
    }

    /** @return array<string, list<string>> */
    private static function plan(string $class): array
    {
        if (isset(self::$plans[$class])) {
            return self::$plans[$class];
        }
        $plan = [];
        \assert(\class_exists($class));
        for ($reflection = new \ReflectionClass($class); $reflection !== false; $reflection = $reflection->getParentClass()) {
            foreach ($reflection->getProperties() as $property) {
                // Properties that are not private are written in the scope of the class itself.
                $isOfThisScope = $property->isPrivate() ? $property->class === $reflection->name : $reflection->name === $class;
                $isVirtual = \method_exists($property, 'isVirtual') && $property->isVirtual() === true;
                if ($isOfThisScope && !$property->isStatic() && !$property->isReadOnly() && !$isVirtual && !$property->getDeclaringClass()->isInternal()) {
                    $plan[$reflection->name][] = $property->name;
                }
            }
        }
        return self::$plans[$class] = $plan;
    }

    /** @return array{\Closure(object): array<mixed>, \Closure(object, array<mixed>, list<string>): void} */
    private static function access(string $scope): array
    {
        \assert(\class_exists($scope));
        return self::$access[$scope] ??= [
            \Closure::bind(static fn(object $object): array => \get_object_vars($object), null, $scope),
            \Closure::bind(static function (object $object, array $values, array $absent): void {
                foreach ($values as $name => $value) {
                    $object->$name = $value;
                }
                foreach ($absent as $name) {
                    unset($object->$name);
                }
            }, null, $scope),
        ];
    }
}
