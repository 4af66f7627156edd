<?php

declare(strict_types=1);

namespace Sluice\Laravel;

/**
 * What an object holds beside its declared properties, to be given back to it later: the properties of a stdClass, the elements of PHP's own containers, and the
 * variables that a closure has by reference.
 *
 * @internal
 */
final class Contents
{
    /** Objects of PHP's own that do not change, or that are the worker's. */
    private const UNCHANGING = [
        \Reflector::class, \UnitEnum::class, \Throwable::class, \DateTimeImmutable::class, \DateTimeZone::class, \WeakReference::class,
    ];

    /**
     * @param (\Closure(): void)|null $give gives them back; null: they do not change
     * @param list<mixed> $values
     */
    private function __construct(private readonly ?\Closure $give, public readonly array $values) {}

    /** Null: none that can be given back. */
    public static function of(object $object): ?self
    {
        return match (true) {
            $object instanceof \Closure => self::ofClosure($object),
            $object instanceof \ArrayObject => self::ofArray($object->getArrayCopy(), $object->exchangeArray(...)),
            $object instanceof \ArrayIterator => self::ofArray($object->getArrayCopy(), static function (array $values) use ($object): void {
                foreach (\array_keys($object->getArrayCopy()) as $key) {
                    unset($object[$key]);
                }
                foreach ($values as $key => $value) {
                    $object[$key] = $value;
                }
            }),
            $object instanceof \SplObjectStorage => self::ofStorage($object),
            $object instanceof \SplDoublyLinkedList => self::ofArray(\iterator_to_array(self::inOrder($object), false), static function (array $values) use ($object): void {
                while (!$object->isEmpty()) {
                    $object->pop();
                }
                foreach ($values as $value) {
                    $object->push($value);
                }
            }),
            $object instanceof \SplFixedArray => self::ofArray($object->toArray(), static function (array $values) use ($object): void {
                $object->setSize(\count($values));
                foreach ($values as $key => $value) {
                    $object[$key] = $value;
                }
            }),
            $object instanceof \WeakMap => self::ofWeakMap($object),
            $object instanceof \stdClass => self::ofProperties($object),
            default => null,
        };
    }

    /** Whether requests may change an object of PHP's own for which of() returns null. */
    public static function areUnknown(object $object): bool
    {
        foreach (self::UNCHANGING as $class) {
            if ($object instanceof $class) {
                return false;
            }
        }
        return true;
    }

    public function canChange(): bool
    {
        return $this->give !== null;
    }

    public function restore(): void
    {
        $this->give?->__invoke();
    }

    /** @param array<mixed> $values */
    private static function ofArray(array $values, \Closure $set): self
    {
        return new self(static function () use ($set, $values): void {
            $set($values);
        }, \array_values($values));
    }

    /** @param \SplObjectStorage<object, mixed> $object */
    private static function ofStorage(\SplObjectStorage $object): self
    {
        /** @var \SplObjectStorage<object, mixed> $saved */
        $saved = new \SplObjectStorage();
        $saved->addAll($object);
        $values = [];
        foreach ($saved as $key) {
            \array_push($values, $key, $saved[$key]);
        }
        return new self(static function () use ($object, $saved): void {
            $object->removeAllExcept(new \SplObjectStorage());
            $object->addAll($saved);
        }, $values);
    }

    /**
     * @param \WeakMap<object, mixed> $map
     */
    private static function ofWeakMap(\WeakMap $map): self
    {
        /** @var list<array{\WeakReference<object>, mixed}> $saved */
        $saved = [];
        foreach ($map as $key => $value) {
            $saved[] = [\WeakReference::create($key), $value];
        }
        return new self(static function () use ($map, $saved): void {
            $keys = [];
            foreach ($map as $key => $_) {
                $keys[] = $key;
            }
            foreach ($keys as $key) {
                unset($map[$key]);
            }
            foreach ($saved as [$reference, $value]) {
                $key = $reference->get();
                $key === null || $map[$key] = $value;
            }
        }, \array_column($saved, 1));
    }

    private static function ofProperties(\stdClass $object): self
    {
        $saved = \get_object_vars($object);
        return self::ofArray($saved, static function (array $values) use ($object): void {
            foreach (\array_diff_key(\get_object_vars($object), $values) as $name => $_) {
                unset($object->$name);
            }
            foreach ($values as $name => $value) {
                $object->$name = $value;
            }
        });
    }

    private static function ofClosure(\Closure $closure): self
    {
        $variables = (new \ReflectionFunction($closure))->getClosureUsedVariables();
        $references = $values = [];
        foreach (\array_keys($variables) as $name) {
            if (\ReflectionReference::fromArrayElement($variables, $name) !== null) {
                $references[$name] = &$variables[$name];
                $values[$name] = $variables[$name];
            }
        }
        return new self($references === [] ? null : static function () use ($references, $values): void {
            foreach ($values as $name => $value) {
                $references[$name] = $value;
            }
        }, \array_values($variables));
    }

    /**
     * First to last, whichever way a stack or queue is walked.
     *
     * @param \SplDoublyLinkedList<mixed> $list
     * @return iterable<mixed>
     */
    private static function inOrder(\SplDoublyLinkedList $list): iterable
    {
        for ($index = 0; $index < $list->count(); ++$index) {
            // A stack counts from its top.
            yield $list[$list instanceof \SplStack ? $list->count() - 1 - $index : $index];
        }
    }
}
