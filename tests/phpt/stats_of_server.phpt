--TEST--
Stats::ofServer() and WorkerStats::ofServer() say why there are no figures
--EXTENSIONS--
sluice
--FILE--
<?php
use Sluice\{ServerException, Stats, WorkerStats};

foreach ([getmypid(), 2 ** 30] as $pid) {
    foreach ([Stats::ofServer(...), WorkerStats::ofServer(...)] as $read) {
        try {
            $read($pid);
        } catch (ServerException $exception) {
            echo str_replace((string) getmypid(), 'PID', $exception->getMessage()), "\n";
        }
    }
}
?>
--EXPECT--
The figures of process PID cannot be read: it is not the master of a server
The figures of process PID cannot be read: it is not the master of a server
The figures of process 1073741824 cannot be read: there is no such process
The figures of process 1073741824 cannot be read: there is no such process
