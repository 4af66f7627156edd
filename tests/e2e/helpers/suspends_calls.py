"""The calls of docs/suspends.md. Each is PHP code that is run several times at once; test_suspends.py tells what it finds
around it: $i (which one it is), $p (what `prepare` returned), $port of the server, $folder, $shared for all of them.

`server` names what the call talks to, `at` what is held back there: bytes in what the client says, or with None the server's first
word. `wake` is run once all of them wait, where it is the script itself that ends the waiting.
"""

import dataclasses
from typing import Any

CLIENTS = 4


@dataclasses.dataclass(frozen=True)
class Call:
    name: str
    code: str
    waits_for: str
    prepare: str = ""
    wake: str = ""
    server: str | None = None
    at: Any = None
    count: int = CLIENTS
    needs: str = ""  # an extension
    tries: int = 1  # where the waiting may be over before anybody has begun to wait
    ini: tuple = ()
    cold: bool = False  # it reads what is not in memory


def sleeping(name, code):
    return Call(name, code, "time")


def at_line(name, code, waits_for="bytes of a socket", **more):
    return Call(name, code, waits_for, prepare="return stream_socket_client(\"tcp://127.0.0.1:$port\");", server="line", **more)


def in_http(name, code, waits_for="the whole exchange", **more):
    return Call(name, code, waits_for, server="http", **more)


def with_pair(name, code, waits_for, wake):
    return Call(name, code, waits_for, needs="sockets", wake=wake,
                prepare="socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair); return $pair;")


PDO_MYSQL = 'return new PDO("mysql:host=127.0.0.1;port=$port;dbname=test", "sluice", "secret");'
PDO_PGSQL = 'return new PDO("pgsql:host=127.0.0.1;port=$port;user=postgres");'
MYSQLI = 'return new mysqli("127.0.0.1", "sluice", "secret", "test", $port);'
PGSQL = 'return pg_connect("host=127.0.0.1 port=$port user=postgres sslmode=disable", PGSQL_CONNECT_FORCE_NEW);'
REDIS = '$r = new Redis(); $r->connect("127.0.0.1", $port); return $r;'
MEMCACHED = '$m = new Memcached(); $m->addServer("127.0.0.1", $port); $m->set("mark", "answer"); return $m;'
FTP = '$f = ftp_connect("127.0.0.1", $port); ftp_login($f, "me", "secret"); ftp_pasv($f, true); return $f;'
SSH = '$s = ssh2_connect("127.0.0.1", $port); ssh2_auth_password($s, "me", "secret"); return $s;'
LDAP = ('$l = ldap_connect("ldap://127.0.0.1:$port"); ldap_set_option($l, LDAP_OPT_PROTOCOL_VERSION, 3);'
        'ldap_set_option($l, LDAP_OPT_REFERRALS, 0); return $l;')
SQLITE = '$db = new PDO("sqlite:$folder/db"); $db->setAttribute(PDO::ATTR_TIMEOUT, 20); return $db;'
FILE = 'file_put_contents("$folder/file$i", str_repeat("some bytes\\n", 1000)); return "$folder/file$i";'
# Written to the disk, and gone from memory.
COLD = ('$f = "$folder/cold$i"; file_put_contents($f, random_bytes(4 << 20)); forget($f); return $f;')
LOCKED = 'if (!isset($shared->holder)) { $shared->holder = fopen("$folder/lock", "w"); flock($shared->holder, LOCK_EX); }'
NC = "nc 127.0.0.1 $port </dev/null"


def pdo(name, code, at, driver):
    prepare, server = {"mysql": (PDO_MYSQL, "mariadb"), "pgsql": (PDO_PGSQL, "postgresql")}[driver]
    return Call(name, code, "the server's answer", prepare=prepare if at else "", server=server, at=at, needs=f"pdo_{driver}")


def mysqli(name, code, at=b"mark", waits_for="the server's answer"):
    return Call(name, code, waits_for, prepare=MYSQLI if at else "", server="mariadb", at=at, needs="mysqli")


def pgsql(name, code, at=b"mark", waits_for="the server's answer", prepare=PGSQL):
    return Call(name, code, waits_for, prepare=prepare, server="postgresql", at=at, needs="pgsql")


def redis(name, code, at=b"mark", waits_for="the server's answer"):
    return Call(name, code, waits_for, prepare=REDIS if at else "", server="redis", at=at, needs="redis")


def memcached(name, code, at=b"get mark"):
    return Call(name, code, "the server's answer", prepare=MEMCACHED, server="memcached", at=at, needs="memcached")


def curl(name, code, server="http", waits_for="the whole exchange", **more):
    return Call(name, code, waits_for, server=server, needs="curl", **more)


def ftp(name, code, at, waits_for="the server's answer", prepare=FTP):
    return Call(name, code, waits_for, prepare=prepare, server="ftp", at=at, needs="ftp")


def ssh(name, code, at, prepare=SSH):
    return Call(name, code, "the server's answer", prepare=prepare, server="ssh", at=at, needs="ssh2")


def ldap(name, code, at):
    return Call(name, code, "the server's answer", prepare=LDAP, server="ldap", at=at, needs="ldap")


def child(name, code, **more):
    return Call(name, code, "the child's output or end", server="line", **more)


def name_service(name, code):
    return Call(name, code, "the name service", tries=300, ini=("RES",))


def machine(name, code, waits_for="the disk", prepare=FILE, **more):
    return Call(name, code, waits_for, prepare=prepare, **more)


CURL = ('$c = curl_init("http://127.0.0.1:$port/"); curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 60]); ')

SECTIONS = {
    "Sleeping": [
        sleeping("`sleep()`", "return sleep(1) === 0;"),
        sleeping("`usleep()`", "usleep(20000); return true;"),
        sleeping("`time_nanosleep()`", "return time_nanosleep(0, 20_000_000);"),
        sleeping("`time_sleep_until()`", "return time_sleep_until(microtime(true) + 0.05);"),
        sleeping("`Sluice\\Coroutine\\sleep()`", "Sluice\\Coroutine\\sleep(0.02); return true;"),
    ],
    "Streams": [
        Call("`stream_socket_client()`, `fsockopen()`", 'return is_resource(stream_socket_client("tcp://127.0.0.1:$port", $e, $m, 30));',
             "the connection", server="backlog"),
        Call("`stream_socket_client('tls://…')`", 'return is_resource(stream_socket_client("tls://127.0.0.1:$port", $e, $m, 30, '
             'STREAM_CLIENT_CONNECT, stream_context_create(["ssl" => ["verify_peer" => false, "verify_peer_name" => false]])));',
             "the handshake", server="tls", needs="openssl"),
        Call("`stream_socket_enable_crypto()`", 'return stream_socket_enable_crypto($p, true, STREAM_CRYPTO_METHOD_TLS_CLIENT);',
             "the handshake", prepare='return stream_socket_client("tcp://127.0.0.1:$port", $e, $m, 30, STREAM_CLIENT_CONNECT, '
             'stream_context_create(["ssl" => ["verify_peer" => false, "verify_peer_name" => false]]));', server="tls",
             needs="openssl"),
        at_line("`fread()`", "return fread($p, 100);"),
        at_line("`fgets()`", "return fgets($p);"),
        at_line("`fgetc()`", "return fgetc($p);"),
        at_line("`stream_get_line()`", 'return stream_get_line($p, 100, "\\n");'),
        at_line("`stream_get_contents()`", "return stream_get_contents($p);"),
        at_line("`stream_copy_to_stream()`", 'return stream_copy_to_stream($p, fopen("php://memory", "w"));'),
        at_line("`stream_socket_recvfrom()`", "return stream_socket_recvfrom($p, 100);"),
        Call("`fwrite()` to a socket", "return fwrite($p, str_repeat('x', 8 << 20)) === 8 << 20;", "room at the other side",
             prepare='return stream_socket_client("tcp://127.0.0.1:$port");', server="sink"),
        at_line("`stream_select()`", "[$read, $none] = [[$p], null]; return stream_select($read, $none, $none, 60) === 1;",
                "one of several streams"),
        Call("`stream_socket_accept()`", "return is_resource(stream_socket_accept($p, 60));", "a client",
             prepare='return stream_socket_server("tcp://127.0.0.1:0");',
             wake='foreach ($prepared as $p) { $keep[] = stream_socket_client("tcp://" . stream_socket_get_name($p, false)); }'),
        Call("`fread()` from a FIFO or pipe", "return fread($p, 1) === 'x';", "bytes of a pipe", needs="posix",
             prepare='posix_mkfifo("$folder/fifo$i", 0600); return fopen("$folder/fifo$i", "r+");',
             wake="foreach ($prepared as $p) { fwrite($p, 'x'); }"),
        Call("`fopen()` of a FIFO", 'return is_resource(fopen($p, "r"));', "somebody at the other end", needs="posix",
             prepare='posix_mkfifo("$folder/fifo$i", 0600); return "$folder/fifo$i";',
             wake='foreach ($prepared as $p) { $keep[] = fopen($p, "r+"); }'),
    ],
    "HTTP and the like": [
        in_http("`file_get_contents('http://…')`", 'return file_get_contents("http://127.0.0.1:$port/");'),
        in_http("`fopen('http://…')`", 'return is_resource(fopen("http://127.0.0.1:$port/", "r"));', "the head of the response"),
        in_http("`copy('http://…')`", 'return copy("http://127.0.0.1:$port/", "$folder/copy$i");'),
        in_http("`get_headers()`", 'return get_headers("http://127.0.0.1:$port/");'),
        Call("`file_get_contents('https://…')`", 'return file_get_contents("https://127.0.0.1:$port/", false, '
             'stream_context_create(["ssl" => ["verify_peer" => false, "verify_peer_name" => false]]));', "the whole exchange",
             server="https", needs="openssl"),
        Call("`file_get_contents('ftp://…')`", 'return file_get_contents("ftp://me:secret@127.0.0.1:$port/file");',
             "the whole exchange", server="ftp", at="RETR", needs="ftp"),
        in_http("`SoapClient::__soapCall()`", '$c = new SoapClient(null, ["location" => "http://127.0.0.1:$port/", "uri" => "urn:gate"]); '
                'return $c->__soapCall("ask", []) === "answer";', needs="soap"),
        in_http("`Sluice\\Http\\Client::get()`", 'return (new Sluice\\Http\\Client())->get("http://127.0.0.1:$port/")->body();',
                needs="curl"),
        Call("`libxml`: `simplexml_load_file('http://…')`", '@simplexml_load_file("http://127.0.0.1:$port/"); return true;',
             "the whole exchange", server="http", needs="simplexml"),
    ],
    "curl": [
        curl("`curl_exec()` of http", CURL + "return curl_exec($c);"),
        curl("`curl_exec()` of https", '$c = curl_init("https://127.0.0.1:$port/"); curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, '
             'CURLOPT_SSL_VERIFYPEER => false, CURLOPT_SSL_VERIFYHOST => 0]); return curl_exec($c);', "https"),
        curl("`curl_exec()` of ftp", '$c = curl_init("ftp://127.0.0.1:$port/file"); curl_setopt($c, CURLOPT_RETURNTRANSFER, true); '
             'return curl_exec($c);', "ftp", at="RETR"),
        curl("`curl_multi_select()`", CURL + '$m = curl_multi_init(); curl_multi_add_handle($m, $c); '
             'do { curl_multi_exec($m, $running); if ($running) { curl_multi_select($m, 60); } } while ($running); '
             'return curl_multi_getcontent($c);', waits_for="one of several transfers"),
        curl("`curl_exec()`: finding the host's address", '$c = curl_init("http://localhost:$port/"); '
             'curl_setopt($c, CURLOPT_RETURNTRANSFER, true); return curl_exec($c);', waits_for="a thread of curl's own, then the exchange"),
    ],
    "PDO": [
        pdo("`new PDO('mysql:…')`", PDO_MYSQL.replace("return", "$db =") + " return $db !== null;", None, "mysql"),
        pdo("mysql: `PDO::query()`", "return $p->query('SELECT \"mark\"')->fetchAll();", b"mark", "mysql"),
        pdo("mysql: `PDO::exec()`", "return $p->exec('SET @mark = 1') !== false;", b"@mark", "mysql"),
        pdo("mysql: `PDO::prepare()` of the server's", "$p->setAttribute(PDO::ATTR_EMULATE_PREPARES, false); "
            "return $p->prepare('SELECT \"mark\"') !== false;", b"mark", "mysql"),
        pdo("mysql: `PDOStatement::execute()`", "$s = $p->prepare('SELECT ?'); $s->execute(['mark']); return $s->fetchAll();", b"mark",
            "mysql"),
        pdo("mysql: `PDO::commit()`", "$p->beginTransaction(); return $p->commit();", b"COMMIT", "mysql"),
        pdo("`new PDO('pgsql:…')`", PDO_PGSQL.replace("return", "$db =") + " return $db !== null;", None, "pgsql"),
        pdo("pgsql: `PDO::query()`", "return $p->query(\"SELECT 'mark'\")->fetchAll();", b"mark", "pgsql"),
        pdo("pgsql: `PDOStatement::execute()`", "$s = $p->prepare('SELECT ?::text'); $s->execute(['mark']); return $s->fetchAll();", b"mark",
            "pgsql"),
        pdo("pgsql: `PDO::commit()`", "$p->beginTransaction(); $p->exec('SELECT 1'); return $p->commit();", b"COMMIT", "pgsql"),
        Call("pgsql: `PDO::pgsqlGetNotify()`", "return $p->pgsqlGetNotify(PDO::FETCH_NUM, 60000);", "a notification",
             prepare=PDO_PGSQL.replace("return", "$db =") + ' $db->exec("LISTEN bell"); return $db;', server="postgresql",
             at=b"nothing is held", needs="pdo_pgsql", wake=PDO_PGSQL.replace("return", "$db =") + ' $db->exec("NOTIFY bell");'),
        machine("sqlite: `PDO::query()`", "return $p->query('SELECT 1')->fetchAll();", "the disk, and SQLite itself", prepare=SQLITE,
                needs="pdo_sqlite"),
        Call("sqlite: a database that is locked", "$p->exec('PRAGMA busy_timeout = 20000'); return $p->exec('BEGIN IMMEDIATE') !== false "
             "&& $p->exec('COMMIT') !== false;", "the lock", needs="pdo_sqlite",
             prepare='if (!isset($shared->db)) { $shared->db = new PDO("sqlite:$folder/db"); $shared->db->exec("BEGIN IMMEDIATE"); } '
             + SQLITE, wake="$shared->db->exec('COMMIT');"),
    ],
    "mysqli": [
        mysqli("`new mysqli()`, `mysqli_connect()`", MYSQLI.replace("return", "$db =") + " return $db->ping();", None,
               "the server's greeting"),
        mysqli("`mysqli_query()`", "return $p->query('SELECT \"mark\"')->fetch_all();"),
        mysqli("`mysqli_real_query()`", "return $p->real_query('SELECT \"mark\"') && $p->store_result();"),
        mysqli("`mysqli_prepare()`", "return $p->prepare('SELECT \"mark\"') !== false;"),
        mysqli("`mysqli_stmt_execute()`", "$s = $p->prepare('SELECT ?'); return $s->execute(['mark']);"),
        mysqli("`mysqli_multi_query()`", "$p->multi_query('SELECT 1; SELECT \"mark\"'); $n = 0; "
               "do { $r = $p->store_result(); $n++; } while ($p->more_results() && $p->next_result()); return $n === 2;"),
        mysqli("`mysqli_poll()`", "$p->query('SELECT \"mark\"', MYSQLI_ASYNC); [$r, $e, $j] = [[$p], [$p], []]; "
               "return mysqli_poll($r, $e, $j, 60) === 1 && $p->reap_async_query()->fetch_all();",
               waits_for="one of several connections"),
        mysqli("`mysqli_commit()`", "$p->begin_transaction(); return $p->commit();", b"COMMIT"),
    ],
    "pgsql": [
        pgsql("`pg_connect()`", PGSQL.replace("return", "$db =") + " return $db !== false;", None, prepare=""),
        pgsql("`pg_query()`", "return pg_fetch_all(pg_query($p, \"SELECT 'mark'\"));"),
        pgsql("`pg_query_params()`", "return pg_fetch_all(pg_query_params($p, 'SELECT $1::text', ['mark']));"),
        pgsql("`pg_prepare()`", "return pg_prepare($p, '', \"SELECT 'mark'\") !== false;"),
        pgsql("`pg_get_result()`", "pg_send_query($p, \"SELECT 'mark'\"); return pg_fetch_all(pg_get_result($p));"),
        pgsql("`pg_copy_to()`", "return pg_copy_to($p, \"(SELECT 'mark')\");"),
    ],
    "Redis and memcached": [
        redis("`Redis::connect()`, `Redis::auth()`, `Redis::ping()`", '$r = new Redis(); $r->connect("127.0.0.1", $port); return $r->ping();',
              None),
        redis("`Redis::get()`, `Redis::set()`", "return $p->set('mark', 'answer');"),
        Call("`Redis::blPop()`", "return $p->blPop(['items'], 20)[1] === 'x';", "an item", server="redis", at=b"BLPOP", needs="redis",
             prepare=REDIS.replace("return", "$r->rPush('items', 'x'); return")),
        redis("`Redis::exec()` of a pipeline", "return $p->multi(Redis::PIPELINE)->set('mark', '1')->incr('mark')->exec();"),
        Call("`Redis::xRead()`", "return $p->xRead(['stream' => '0'], 1, 20000);", "an entry", server="redis", at=b"XREAD", needs="redis",
             prepare=REDIS.replace("return", "$r->xAdd('stream', '*', ['a' => 'b']); return")),
        memcached("`Memcached::get()`", "return $p->get('mark');"),
        memcached("`Memcached::getMulti()`", "return count($p->getMulti(['mark', 'other'])) === 1;"),
        memcached("`Memcached::set()`", "return $p->set('mark2', 'answer');", at=b"set mark2"),
    ],
    "The extension sockets": [
        Call("`socket_connect()`", '$s = socket_create(AF_INET, SOCK_STREAM, SOL_TCP); return socket_connect($s, "127.0.0.1", $port);',
             "the connection", server="backlog", needs="sockets"),
        with_pair("`socket_read()`", "return socket_read($p[0], 10) === 'x';", "bytes", "foreach ($prepared as $p) { socket_write($p[1], 'x'); }"),
        with_pair("`socket_recv()`", "return socket_recv($p[0], $data, 10, 0) === 1;", "bytes",
                  "foreach ($prepared as $p) { socket_write($p[1], 'x'); }"),
        with_pair("`socket_recvmsg()`", "$m = ['name' => [], 'buffer_size' => 100, 'controllen' => 100]; return socket_recvmsg($p[0], $m) === 1;", "bytes",
                  "foreach ($prepared as $p) { socket_write($p[1], 'x'); }"),
        Call("`socket_recvfrom()`", "return socket_recvfrom($p, $data, 100, 0, $from, $from_port) === 1;", "a datagram", needs="sockets",
             prepare='$s = socket_create(AF_INET, SOCK_DGRAM, SOL_UDP); socket_bind($s, "127.0.0.1", 0); return $s;',
             wake='foreach ($prepared as $p) { socket_getsockname($p, $a, $n); socket_sendto($p, "x", 1, 0, $a, $n); }'),
        with_pair("`socket_write()`, `socket_send()`", "return socket_write($p[0], str_repeat('x', 4 << 20)) === 4 << 20;", "room",
                  "foreach ($prepared as $p) { for ($n = 0; $n < 4 << 20; $n += strlen(socket_read($p[1], 1 << 20))); }"),
        with_pair("`socket_select()`", "[$r, $n] = [[$p[0]], null]; return socket_select($r, $n, $n, 60) === 1;", "one of several sockets",
                  "foreach ($prepared as $p) { socket_write($p[1], 'x'); }"),
        Call("`socket_accept()`", "return socket_accept($p) instanceof Socket;", "a client", needs="sockets",
             prepare='$s = socket_create(AF_INET, SOCK_STREAM, SOL_TCP); socket_bind($s, "127.0.0.1"); socket_listen($s); return $s;',
             wake='foreach ($prepared as $p) { socket_getsockname($p, $a, $n); $keep[] = stream_socket_client("tcp://$a:$n"); }'),
    ],
    "FTP, LDAP, SSH, mail": [
        ftp("`ftp_login()`", '$f = ftp_connect("127.0.0.1", $port); return ftp_login($f, "me", "secret");', "PASS", prepare=""),
        ftp("`ftp_get()`", 'return ftp_get($p, "$folder/got$i", "file");', "RETR", "the transfer"),
        ftp("`ftp_put()`", '$m = fopen("php://memory", "r+"); fwrite($m, "x"); rewind($m); return ftp_fput($p, "file", $m);', "STOR",
            "the transfer"),
        ftp("`ftp_nlist()`", 'return ftp_nlist($p, ".");', "NLST"),
        ldap("`ldap_bind()`", "return ldap_bind($p);", 0x60),
        ldap("`ldap_search()`", 'return ldap_bind($p) && ldap_search($p, "dc=test", "(a=b)") !== false;', 0x63),
        ldap("`ldap_add()`", 'return ldap_bind($p) && ldap_add($p, "cn=a,dc=test", ["cn" => "a", "objectClass" => "b"]);', 0x68),
        ssh("`ssh2_connect()`", 'return is_resource(ssh2_connect("127.0.0.1", $port));', None, prepare=""),
        ssh("`ssh2_auth_password()`", '$s = ssh2_connect("127.0.0.1", $port); return ssh2_auth_password($s, "me", "secret");', "auth",
            prepare=""),
        ssh("`ssh2_exec()` and what it says", '$e = ssh2_exec($p, "ask"); stream_set_blocking($e, true); return stream_get_contents($e);',
            "exec"),
        ssh("`file_get_contents('ssh2.sftp://…')`", '$f = ssh2_sftp($p); return fread(fopen("ssh2.sftp://" . (int) $f . "/file", "r"), 6);', "sftp"),
        child("`mail()`", "return mail('a@localhost', 'subject', 'text');", ini=("sendmail_path=nc 127.0.0.1 $port",)),
    ],
    "Names": [
        name_service("`gethostbyname()`", "return gethostbyname('localhost');"),
        name_service("`gethostbynamel()`", "return gethostbynamel('localhost');"),
        name_service("`gethostbyaddr()`", "return gethostbyaddr('127.0.0.1');"),
        name_service("`dns_get_record()`, `checkdnsrr()`, `getmxrr()`", "@checkdnsrr('localhost', 'A'); return true;"),
        Call("`stream_socket_client('tcp://name:…')`", 'return is_resource(stream_socket_client("tcp://localhost:$port"));',
             "the name service, then the connection", server="line", tries=300),
    ],
    "Children": [
        child("`exec()`", f'return exec("{NC}");'),
        child("`shell_exec()`, backticks", f'return shell_exec("{NC}");'),
        child("`system()`", f'ob_start(); $last = system("{NC}"); ob_end_clean(); return $last;'),
        child("`passthru()`", f'ob_start(); passthru("{NC}", $status); ob_end_clean(); return $status === 0;'),
        child("`popen()` and `fgets()`", f'$f = popen("{NC}", "r"); return fgets($f);'),
        child("`pclose()`", f'return pclose(popen("{NC} >/dev/null", "w")) === 0;'),
        child("`proc_open()` and its pipes", f'$c = proc_open("{NC}", [1 => ["pipe", "w"]], $pipes); return stream_get_contents($pipes[1]);'),
        child("`proc_close()`", f'return proc_close(proc_open("exec {NC} >/dev/null", [], $none)) === 0;'),
        Call("`pcntl_waitpid()`", "return pcntl_waitpid($p, $status) === $p;", "the child's end", needs="pcntl",
             prepare='$pid = pcntl_fork(); if ($pid === 0) { pcntl_exec("/bin/sleep", ["60"]); } return $pid;',
             wake="foreach ($prepared as $p) { posix_kill($p, SIGKILL); }"),
        Call("`pcntl_wait()`", "return pcntl_wait($status) > 0;", "any child's end", needs="pcntl",
             prepare='$pid = pcntl_fork(); if ($pid === 0) { pcntl_exec("/bin/sleep", ["60"]); } return $pid;',
             wake="foreach ($prepared as $p) { posix_kill($p, SIGKILL); }"),
    ],
    "Locks, signals, other processes": [
        Call("`flock()`", '$f = fopen("$folder/lock", "r"); return flock($f, LOCK_SH);', "the lock", prepare=LOCKED,
             wake="flock($shared->holder, LOCK_UN);"),
        Call("`file_put_contents()` with `LOCK_EX`", 'return file_put_contents("$folder/lock", "x", LOCK_EX) === 1;', "the lock",
             prepare=LOCKED, wake="flock($shared->holder, LOCK_UN);"),
        Call("`sem_acquire()`", "return sem_acquire($p);", "the semaphore", needs="sysvsem", count=1,
             prepare='$s = sem_get(ftok("$folder", "s")); sem_acquire($s); return $s;', wake="sem_release($prepared[0]);"),
        Call("`msg_receive()`", "return msg_receive($p, 0, $type, 100, $message);", "a message", needs="sysvmsg",
             prepare='return msg_get_queue(ftok("$folder", chr(97 + $i)));', wake="foreach ($prepared as $p) { msg_send($p, 1, 'x'); }"),
        Call("`pcntl_sigwaitinfo()`", "return pcntl_sigwaitinfo([SIGUSR1]) === SIGUSR1;", "a signal", needs="pcntl", count=1,
             prepare="pcntl_sigprocmask(SIG_BLOCK, [SIGUSR1]);", wake="posix_kill(getmypid(), SIGUSR1);"),
    ],
    "Files": [
        Call("`file_get_contents()`, `file()`: not in memory", "return strlen(file_get_contents($p)) === 4 << 20;", "the disk", prepare=COLD,
             tries=50, cold=True),
        Call("`fread()`, `fgets()`: not in memory", "return strlen(fread(fopen($p, 'r'), 100_000)) > 0;", "the disk", prepare=COLD, tries=50,
             cold=True),
        machine("`file_get_contents()`, `fread()`: in memory", "return file_get_contents($p);", "nothing"),
        Call("`fsync()`, `fdatasync()`", "$f = fopen($p, 'a'); fwrite($f, random_bytes(1 << 20)); return fsync($f);", "the disk", prepare=FILE,
             tries=50),
        machine("`file_put_contents()`, `fwrite()` to a file", "return file_put_contents($p, 'x');"),
        machine("`copy()`", 'return copy($p, "$p.copy");'),
        machine("`fopen()`, `stat()`, `file_exists()`, `filesize()`", "return is_resource(fopen($p, 'r')) && filesize($p);"),
        machine("`mkdir()`, `rename()`, `unlink()`", 'return mkdir("$p.d") && rename($p, "$p.d/x") && unlink("$p.d/x");'),
        machine("`scandir()`, `glob()`, `opendir()`", "return scandir(dirname($p));"),
        machine("`include`, `require`", "return (include $p) === 5;",
                prepare='file_put_contents("$folder/code$i.php", "<?php return 5;"); return "$folder/code$i.php";'),
    ],
    "Computing": [
        machine("`password_hash()`, and whatever computes", "return password_hash('secret', PASSWORD_BCRYPT, ['cost' => 4]);", "the processor",
                prepare=""),
    ],
}
