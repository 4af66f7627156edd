--TEST--
Tcp\Framing: what the bytes of a stream may be cut by
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Tcp\{ByteOrder, Framing};

const GIB = 1 << 30;
attempt('none', fn() => Framing::none());
attempt('line', fn() => Framing::line());
attempt('line', fn() => Framing::line("\r\n", 1));
attempt('line', fn() => Framing::line('12345678', GIB));
attempt('line', fn() => Framing::line("\0"));
attempt('line', fn() => Framing::line(''));
attempt('line', fn() => Framing::line('123456789'));
attempt('line', fn() => Framing::line("\n", 0));
attempt('line', fn() => Framing::line("\n", GIB + 1));
foreach ([1, 2, 3, 4, 8, 0, 5, -1, 9] as $width) {
    attempt("width $width", fn() => Framing::lengthPrefix($width));
}
foreach ([0, 24, -1, 25] as $offset) {
    attempt("offset $offset", fn() => Framing::lengthPrefix(offset: $offset));
}
foreach ([1, GIB, 0, GIB + 1] as $maxBytes) {
    attempt("maxBytes $maxBytes", fn() => Framing::lengthPrefix(maxBytes: $maxBytes));
}
attempt('header counted', fn() => Framing::lengthPrefix(includesHeader: true, order: ByteOrder::LittleEndian));
attempt('header kept', fn() => Framing::lengthPrefix(2, 4, keepHeader: true, maxBytes: 6));
attempt('header kept', fn() => Framing::lengthPrefix(2, 4, keepHeader: true, maxBytes: 5));
?>
--EXPECT--
none: fine
line: fine
line: fine
line: fine
line: fine
ValueError: Sluice\Tcp\Framing::line(): Argument #1 ($delimiter) must be between 1 and 8 bytes long, 0 given
ValueError: Sluice\Tcp\Framing::line(): Argument #1 ($delimiter) must be between 1 and 8 bytes long, 9 given
ValueError: Sluice\Tcp\Framing::line(): Argument #2 ($maxBytes) must be between 1 and 1073741824, 0 given
ValueError: Sluice\Tcp\Framing::line(): Argument #2 ($maxBytes) must be between 1 and 1073741824, 1073741825 given
width 1: fine
width 2: fine
width 3: fine
width 4: fine
width 8: fine
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #1 ($width) must be 1, 2, 3, 4 or 8, 0 given
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #1 ($width) must be 1, 2, 3, 4 or 8, 5 given
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #1 ($width) must be 1, 2, 3, 4 or 8, -1 given
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #1 ($width) must be 1, 2, 3, 4 or 8, 9 given
offset 0: fine
offset 24: fine
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #2 ($offset) must be between 0 and 24, -1 given
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #2 ($offset) must be between 0 and 24, 25 given
maxBytes 1: fine
maxBytes 1073741824: fine
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #6 ($maxBytes) must be between 1 and 1073741824, 0 given
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #6 ($maxBytes) must be between 1 and 1073741824, 1073741825 given
header counted: fine
header kept: fine
ValueError: Sluice\Tcp\Framing::lengthPrefix(): Argument #6 ($maxBytes) must be at least the 6 bytes of the header that is kept, 5 given
