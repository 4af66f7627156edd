--TEST--
The enums
--EXTENSIONS--
sluice
--FILE--
<?php
foreach ([Sluice\Mode::class, Sluice\Delivery::class, Sluice\Dispatch::class, Sluice\Tcp\ByteOrder::class, Sluice\TlsVersion::class, Sluice\ProxyFields::class] as $enum) {
    echo "$enum:";
    foreach ($enum::cases() as $case) {
        echo ' ', $case->name, $case instanceof BackedEnum ? "=$case->value" : '';
    }
    echo "\n";
}
var_dump(Sluice\Mode::from('base'));
?>
--EXPECT--
Sluice\Mode: Process=process Base=base
Sluice\Delivery: Sent Queued Dropped Closed
Sluice\Dispatch: LeastBusy Sticky
Sluice\Tcp\ByteOrder: BigEndian LittleEndian
Sluice\TlsVersion: V1_2=1.2 V1_3=1.3
Sluice\ProxyFields: None=none XForwarded=x-forwarded Forwarded=forwarded
enum(Sluice\Mode::Base)
