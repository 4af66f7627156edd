<?php

declare(strict_types=1);

namespace Sluice\App;

use Sluice\App\Command\{CheckCommand, DiffCommand, InitCommand, ReloadCommand, ServeCommand, StatusCommand, StopCommand, TopCommand, WaitCommand};
use Sluice\Sharding\Console\ShardCommand;
use Sluice\Swoole\WhyNot\WhyNotCommand;
use Symfony\Component\Console\Application as Console;

/** The command vendor/bin/sluice. */
final class Application extends Console
{
    public function __construct()
    {
        parent::__construct('Sluice', \phpversion('sluice') ?: 'without its extension');
        // The console that Debian 12 has does not know it.
        if (\method_exists($this, 'setCatchErrors')) { // @phpstan-ignore function.alreadyNarrowedType
            $this->setCatchErrors(true);
        }
        foreach ([new ServeCommand(), new ReloadCommand(), new StopCommand(), new StatusCommand(), new TopCommand(), new WaitCommand(), new DiffCommand(), new CheckCommand(), new InitCommand()] as $command) {
            $this->add($command);
        }
        // The package for sharding brings its own command.
        if (\class_exists(ShardCommand::class)) {
            $this->add(new ShardCommand());
        }
        // sluice/swoole knows what is the same here.
        if (\class_exists(WhyNotCommand::class)) {
            $this->add(new WhyNotCommand());
        }
    }
}
