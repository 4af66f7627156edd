"""Frameworks as they are, on the packages for Swoole and FrankenPHP: each answers 1,000 requests, with kills and a reload between them.

Most are in no registry. SLUICE_SNAPSHOTS names a folder with checkouts of them: octane (laravel/octane), hyperf, hyperf-engine, hyperf-engine-contract and
hyperf-skeleton (of hyperf), swow (swow/swow). What they require comes by Composer. Without the folder their tests are skipped.
"""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from harness import ROOT, Server, php_command, wait_until
from http_client import get

SNAPSHOTS = Path(os.environ.get("SLUICE_SNAPSHOTS", "/nonexistent"))
pytestmark = pytest.mark.slow

ROUTES = """<?php
use Illuminate\\Support\\Facades\\Route;
use Laravel\\Octane\\Facades\\Octane;
Route::get('/', fn () => 'hello ' . request('n'));
Route::get('/tasks', fn () => Octane::concurrently([
    fn () => 1 + 1,
    fn () => strrev('abc'),
]));
Route::get('/table', function () {
    Octane::table('example')->set('a', ['name' => 'x', 'votes' => 1]);
    return [Octane::table('example')->get('a'), cache()->store('octane')->put('k', 5, 100), cache()->store('octane')->get('k')];
});
Route::get('/stream', fn () => response()->stream(function () {
    echo 'a';
    echo 'b';
}));
Route::get('/cookie', fn () => response('c')->cookie('a', 'b')->header('X-A', '1'));
Route::get('/boom', fn () => throw new RuntimeException('boom'));
"""


def snapshot(name):
    folder = SNAPSHOTS / name
    if not folder.is_dir():
        pytest.skip(f"SLUICE_SNAPSHOTS has no folder {name}")
    return folder


def plain_php(ini):
    """PHP itself, which frameworks start again by PHP_BINARY, and the environment in which it has the extension."""
    words, env = php_command()
    binary = subprocess.run([*words, "-r", "echo PHP_BINARY;"], env=os.environ | env, capture_output=True, text=True, check=True).stdout
    extension = Path(words[0]).resolve().parent / "sluice.so"
    if not extension.exists():
        pytest.skip("the extension is not beside the program that SLUICE_PHP names")
    ini.mkdir(parents=True, exist_ok=True)
    (ini / "sluice.ini").write_text(f"extension={extension}\nsluice.swoole=6.2.2\nmemory_limit=256M\n")
    return binary, env | {"PHP_INI_SCAN_DIR": f":{ini}"}


def composer(php, env, folder, *arguments):
    words = [php, "-d", "sluice.swoole=", shutil.which("composer") or pytest.skip("there is no composer"), *arguments, "--no-interaction", "--no-scripts", "--quiet"]
    subprocess.run(words, cwd=folder, env=os.environ | env | {"COMPOSER_ALLOW_SUPERUSER": "1"}, check=True, timeout=600)


def change(path, function):
    content = json.loads(path.read_text())
    function(content)
    path.write_text(json.dumps(content))


def path_repository(name, folder, version, symlink=True):
    return {"type": "path", "url": str(folder), "options": {"symlink": symlink, "versions": {name: version}}}


def package(name):
    return path_repository(f"sluice/{name}", ROOT / "packages" / name, "1.x-dev")


@pytest.fixture(scope="module")
def laravel(tmp_path_factory):
    octane = snapshot("octane")
    folder = tmp_path_factory.mktemp("octane")
    php, env = plain_php(folder / "ini")
    composer(php, env, folder, "create-project", "laravel/laravel:^11", "app")
    app = folder / "app"

    def require(content):
        content["repositories"] = [path_repository("laravel/octane", octane, "2.x-dev", symlink=False), package("swoole"), package("frankenphp")]
        content["require"] |= {"laravel/octane": "2.x-dev", "sluice/swoole": "*", "sluice/frankenphp": "*"}
        content |= {"require-dev": {}, "minimum-stability": "dev"}

    change(app / "composer.json", require)
    composer(php, env, app, "update")
    settings = {"APP_KEY": "", "APP_ENV": "production", "APP_DEBUG": "false", "LOG_CHANNEL": "single", "SESSION_DRIVER": "array", "CACHE_STORE": "array",
                "DB_CONNECTION": "sqlite", "QUEUE_CONNECTION": "sync"}
    (app / ".env").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    for command in ("key:generate", "package:discover"):
        subprocess.run([php, "artisan", command, "-q"], cwd=app, env=os.environ | env, check=True, timeout=120)
    (app / "routes/web.php").write_text(ROUTES)
    return app, php, env


KERNEL = """<?php
use Symfony\\Bundle\\FrameworkBundle\\Kernel\\MicroKernelTrait;
use Symfony\\Component\\DependencyInjection\\Loader\\Configurator\\ContainerConfigurator;
use Symfony\\Component\\HttpFoundation\\{Request, Response};
use Symfony\\Component\\Routing\\Loader\\Configurator\\RoutingConfigurator;

require_once dirname(__DIR__) . '/vendor/autoload_runtime.php';

class Kernel extends Symfony\\Component\\HttpKernel\\Kernel
{
    use MicroKernelTrait;

    private int $served = 0;

    public function registerBundles(): iterable
    {
        return [new Symfony\\Bundle\\FrameworkBundle\\FrameworkBundle()];
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', ['secret' => 's', 'http_method_override' => false]);
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->add('hello', '/')->controller([$this, 'hello']);
    }

    public function hello(Request $request): Response
    {
        return new Response('hello ' . $request->query->get('n') . (++$this->served > 0 ? '' : '?'));
    }
}

return fn(array $context) => new Kernel('prod', false);
"""


def named(server, title):
    return [process for process in server.processes() if re.search(title, process.title())]


def ask_a_thousand_times(server, path, expected, worker, reload):
    for number in range(1, 1001):
        answer = get(server, path)
        assert (answer.status, answer.text) == (200, expected), f"request {number}"
        if number in (250, 750):
            before = {process.pid for process in named(server, worker)}
            killed = named(server, worker)[0]
            killed.kill()
            wait_until(lambda: {process.pid for process in named(server, worker)} - before, "another worker runs")
        elif number == 500:
            before = {process.pid for process in named(server, worker)}
            reload()
            wait_until(lambda: (now := {process.pid for process in named(server, worker)}) and not now & before, "all workers are new")


def test_octanes_swoole_driver(laravel):
    app, php, env = laravel
    server = Server(app / "artisan", php=php, env=env, cwd=app, announces=False)
    server.arguments = ["octane:start", "--server=swoole", "--host=127.0.0.1", f"--port={server.ports[0]}", "--workers=2", "--task-workers=1"]
    server.may_fail = True
    with server:
        wait_until(lambda: get(server, "/?n=1").status == 200, "it answers")
        assert get(server, "/tasks").json() == [2, "cba"]
        assert get(server, "/table").json() == [{"name": "x", "votes": 1}, True, 5]
        assert get(server, "/stream").text == "ab"
        answer = get(server, "/cookie")
        assert (answer.text, answer.header("x-a")) == ("c", "1") and any(field.startswith("a=") for field in answer.all("set-cookie"))
        assert get(server, "/boom").status == 500

        def reload():
            subprocess.run([php, "artisan", "octane:reload", "--server=swoole"], cwd=app, env=os.environ | env, check=True, timeout=60)

        ask_a_thousand_times(server, "/?n=7", "hello 7", r"[Ww]orker process", reload)
        subprocess.run([php, "artisan", "octane:stop", "--server=swoole"], cwd=app, env=os.environ | env, check=True, timeout=60)
        server.told_to_stop = True


def test_octanes_worker_script_for_frankenphp(laravel, tmp_path):
    app, php, env = laravel
    script = tmp_path / "frankenphp.php"
    script.write_text(f"""<?php
        require '{app}/vendor/autoload.php';
        $script = new Sluice\\FrankenPhp\\WorkerScript('{app}/vendor/laravel/octane/bin/frankenphp-worker.php');
        $server = new Sluice\\Server(workers: 2);
        $script->addTo($server);
        $server->http('127.0.0.1:' . getenv('PORTS'), $script, new Sluice\\Http\\Options(classic: true, concurrency: 1));
        $server->run();""")
    env = env | {"APP_BASE_PATH": str(app), "APP_PUBLIC_PATH": str(app / "public"), "LARAVEL_OCTANE": "1", "MAX_REQUESTS": "200", "REQUEST_MAX_EXECUTION_TIME": "30"}
    server = Server(script, php=php, env=env, announces=False)
    server.may_fail = True
    with server:
        assert get(server, "/stream").text == "ab"
        assert get(server, "/boom").status == 500
        ask_a_thousand_times(server, "/?n=7", "hello 7", r"\bworker \d", lambda: server.signal(signal.SIGHUP))


def test_hyperfs_skeleton(tmp_path):
    skeleton, hyperf, swow = snapshot("hyperf-skeleton"), snapshot("hyperf"), snapshot("swow")
    app = tmp_path / "app"
    shutil.copytree(skeleton, app, ignore=shutil.ignore_patterns(".git"))
    php, env = plain_php(tmp_path / "ini")
    versions = {folder: json.loads((folder / "composer.json").read_text())["name"] for folder in sorted((hyperf / "src").iterdir()) if (folder / "composer.json").exists()}
    branch = json.loads((hyperf / "src/framework/composer.json").read_text())["extra"]["branch-alias"]
    version = next(iter(branch.values())).replace("-dev", "").replace("x", "0") + ".0"
    version = re.match(r"\d+\.\d+", version)[0] + ".0"

    def require(content):
        content["repositories"] = [path_repository(name, folder, version) for folder, name in versions.items()]
        content["repositories"] += [
            path_repository("hyperf/engine", snapshot("hyperf-engine"), "2.15.0"), path_repository("hyperf/engine-contract", snapshot("hyperf-engine-contract"), "1.14.0"),
            path_repository("swow/psr7-plus", swow / "lib/swow-library/lib/psr7-plus", "1.1.0"), package("swoole"),
        ]
        used = ("config", "command", "framework", "http-server", "logger", "memory", "process", "guzzle", "cache", "crontab")
        content["require"] = {"sluice/swoole": "*", "php-di/phpdoc-reader": "2.1.1 as 2.2.1"} | {f"hyperf/{name}": version for name in used}
        content |= {"require-dev": {}, "minimum-stability": "dev", "prefer-stable": True}
        # Hyperf reads composer.lock.
        content["config"] = {"allow-plugins": True, "lock": True}

    change(app / "composer.json", require)
    composer(php, env, app, "update")
    (app / ".env").write_text("APP_NAME=skeleton\nAPP_ENV=dev\n")
    server = Server("bin/hyperf.php", php=php, env=env, cwd=app, announces=False, settings=["swoole.use_shortname=Off"], arguments=["start"])
    configuration = app / "config/autoload/server.php"
    configuration.write_text(configuration.read_text().replace("9501", str(server.ports[0])))
    server.may_fail = True
    with server:
        wait_until(lambda: get(server, "/").status == 200, "it answers")
        ask_a_thousand_times(server, "/?user=anna", '{"method":"GET","message":"Hello anna."}', r"skeleton\.Worker", lambda: server.signal(signal.SIGUSR1))


def test_symfonys_runtime_as_a_worker_of_frankenphp(tmp_path):
    php, env = plain_php(tmp_path / "ini")
    app = tmp_path / "app"
    (app / "public").mkdir(parents=True)
    content = {"require": {"symfony/framework-bundle": "^7.4", "symfony/runtime": "^7.4", "sluice/frankenphp": "*"}, "repositories": [package("frankenphp")],
               "minimum-stability": "dev", "prefer-stable": True, "config": {"allow-plugins": True}}
    (app / "composer.json").write_text(json.dumps(content))
    composer(php, env, app, "update")
    (app / "public/index.php").write_text(KERNEL)
    script = tmp_path / "frankenphp.php"
    script.write_text(f"""<?php
        require '{app}/vendor/autoload.php';
        $script = new Sluice\\FrankenPhp\\WorkerScript('{app}/public/index.php');
        $server = new Sluice\\Server(workers: 2);
        $script->addTo($server);
        $server->http('127.0.0.1:' . getenv('PORTS'), $script, new Sluice\\Http\\Options(classic: true, concurrency: 1));
        $server->run();""")
    server = Server(script, php=php, env=env | {"APP_RUNTIME_MODE": "web=1&worker=1", "FRANKENPHP_LOOP_MAX": "200"}, announces=False)
    server.may_fail = True
    with server:
        ask_a_thousand_times(server, "/?n=7", "hello 7", r"\bworker \d", lambda: server.signal(signal.SIGHUP))
