<?php

declare(strict_types=1);

namespace Sluice\Sharding\Console;

use Sluice\Sharding\{Explanation, Keyspace, KeyspaceFile, Migrations, Resharding, ShardingException, Verification};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\{InputArgument, InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;

/** `sluice shard explain SQL`, `migrate FILE`, `verify`, `reshard --to=FILE`. The keyspace is what the file sharding.php of the project returns. */
#[AsCommand('shard', 'Explains where SQL goes, changes all shards, and looks whether rows are where they belong')]
final class ShardCommand extends Command
{
    protected function configure(): void
    {
        $this->addArgument('action', InputArgument::REQUIRED, 'explain, migrate, verify or reshard')
            ->addArgument('what', InputArgument::OPTIONAL | InputArgument::IS_ARRAY, 'explain: SQL and its parameters; migrate: a file, or a statement')
            ->addOption('keyspace', null, InputOption::VALUE_REQUIRED, 'The file that returns the keyspace', 'sharding.php')
            ->addOption('to', null, InputOption::VALUE_REQUIRED, 'reshard: the file that returns the keyspace with the new shards')
            ->addOption('finish', null, InputOption::VALUE_NONE, 'reshard: the application has the new map')
            ->addOption('roll-back', null, InputOption::VALUE_NONE, 'reshard: leaves the old shards as they were, as long as none is switched')
            ->addOption('repeat', null, InputOption::VALUE_NONE, 'migrate: executes again what was begun and not ended');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $action = $input->getArgument('action');
        $what = $input->getArgument('what');
        $what = \is_array($what) ? \array_values(\array_filter($what, is_string(...))) : [];
        try {
            $keyspace = KeyspaceFile::of($input->getOption('keyspace'));
            return match ($action) {
                'explain' => $this->explain($keyspace, $what, $output),
                'migrate' => $this->migrate($keyspace, $what, $input->getOption('repeat') === true, $output),
                'verify' => $this->verify($keyspace, $output),
                'reshard' => $this->reshard(new Resharding($keyspace, KeyspaceFile::of($input->getOption('to'))), $input, $output),
                default => throw new ShardingException('There is no "' . (\is_string($action) ? $action : '') . '". Allowed are explain, migrate, verify and reshard.'),
            };
        } catch (ShardingException | \PDOException $error) {
            $output->writeln("<error>{$error->getMessage()}</error>");
            return self::FAILURE;
        }
    }

    /** @param list<string> $what */
    private function explain(Keyspace $keyspace, array $what, OutputInterface $output): int
    {
        $sql = \array_shift($what) ?? throw new ShardingException('Give the statement: sluice shard explain "SELECT …".');
        foreach (Explanation::of($keyspace, $sql, $what) as $line) {
            $output->writeln($line);
        }
        return self::SUCCESS;
    }

    /** @param list<string> $what */
    private function migrate(Keyspace $keyspace, array $what, bool $repeats, OutputInterface $output): int
    {
        $one = $what[0] ?? throw new ShardingException('Give a file or a statement: sluice shard migrate 2026-01-users.sql.');
        $isFile = \is_file($one);
        $statements = Migrations::statements($isFile ? (string) \file_get_contents($one) : $one);
        foreach ((new Migrations($keyspace))->run($isFile ? \basename($one) : \md5($one), $statements, $repeats) as $shard => $count) {
            $output->writeln("$shard: $count of " . \count($statements) . ' statements executed');
        }
        return self::SUCCESS;
    }

    private function reshard(Resharding $resharding, InputInterface $input, OutputInterface $output): int
    {
        if ($input->getOption('finish') === true || $input->getOption('roll-back') === true) {
            $input->getOption('finish') === true ? $resharding->finish() : $resharding->rollBack();
            return self::SUCCESS;
        }
        $wrong = $resharding->run($output->writeln(...));
        foreach ($wrong as $line) {
            $output->writeln("<error>$line</error>");
        }
        $output->writeln($wrong === [] ? 'The new shards are in use. Give the application the new map, then call this with --finish.' : 'Nothing was switched. Call this again, or with --roll-back.');
        return $wrong === [] ? self::SUCCESS : self::FAILURE;
    }

    private function verify(Keyspace $keyspace, OutputInterface $output): int
    {
        $wrong = (new Verification($keyspace))->run();
        foreach ($wrong as $line) {
            $output->writeln("<error>$line</error>");
        }
        $output->writeln($wrong === [] ? 'All shards are as the VSchema says.' : \count($wrong) . ' things are wrong.');
        return $wrong === [] ? self::SUCCESS : self::FAILURE;
    }
}
