// Clients of Laravel Echo and pusher-js, as they are on npm. Prints what each client has seen, as JSON: node echo.cjs <folder with node_modules> <port>

const { createRequire } = require('node:module');
const required = createRequire(process.argv[2] + '/');
const port = Number(process.argv[3]);
const Pusher = required('pusher-js');
let Echo;  // a module, which is imported
const root = `http://127.0.0.1:${port}`;

const deadline = setTimeout(() => { console.error('timed out', JSON.stringify(seen)); process.exit(1); }, 20_000);
const seen = {};
const note = (who, what) => (seen[who] ??= []).push(what);
const until = async (condition, what) => {
    const end = Date.now() + 10_000;
    while (!condition()) {
        if (Date.now() > end) { throw new Error(`${what} has not come: ${JSON.stringify(seen)}`); }
        await new Promise(resolve => setTimeout(resolve, 5));
    }
};
const has = (who, what) => until(() => (seen[who] ?? []).some(one => JSON.stringify(one) === JSON.stringify(what)), `${who} ${JSON.stringify(what)}`);

async function login(name) {
    const answer = await fetch(`${root}/login/${name}`);
    return answer.headers.getSetCookie().map(cookie => cookie.split(';')[0]).join('; ');
}

function connect(cookie, key = 'app') {
    const client = new Pusher(key, {
        wsHost: '127.0.0.1', wsPort: port, forceTLS: false, enabledTransports: ['ws'], disableStats: true, cluster: 'none',
        channelAuthorization: {
            customHandler: async ({ socketId, channelName }, callback) => {
                const answer = await fetch(`${root}/broadcasting/auth`, {
                    method: 'POST', headers: { Cookie: cookie, 'Content-Type': 'application/json', Accept: 'application/json' },
                    body: JSON.stringify({ socket_id: socketId, channel_name: channelName }),
                });
                callback(answer.ok ? null : new Error(`status ${answer.status}`), answer.ok ? await answer.json() : null);
            },
        },
    });
    return { client, echo: new Echo({ broadcaster: 'pusher', client, key }) };
}

(async () => {
    Echo = (await import(`${process.argv[2]}/node_modules/laravel-echo/dist/echo.js`)).default;
    const [annasCookie, bensCookie] = [await login('anna'), await login('ben')];
    const anna = connect(annasCookie), ben = connect(bensCookie), guest = connect('');
    await until(() => [anna, ben, guest].every(one => one.client.connection.state === 'connected'), 'the connections');

    // A public channel.
    for (const [who, one] of Object.entries({ anna, ben, guest })) {
        one.echo.channel('news').listen('.said', event => note(who, ['news', event.text])).subscribed(() => note(who, 'news'));
        await has(who, 'news');
    }
    await fetch(`${root}/say/public/news/hello`);
    for (const who of ['anna', 'ben', 'guest']) { await has(who, ['news', 'hello']); }
    // A broadcast to all but the client that has asked for it.
    await fetch(`${root}/say/public/news/others?others=yes`, { headers: { 'X-Socket-ID': anna.echo.socketId() } });
    await has('ben', ['news', 'others']);
    await fetch(`${root}/say/public/news/last`);
    await has('anna', ['news', 'last']);
    anna.echo.leave('news');

    // Private channels: the user's own, and another user's.
    for (const [who, one] of Object.entries({ anna, ben, guest })) {
        one.echo.private('users.1').listen('.said', event => note(who, ['users.1', event.text])).subscribed(() => note(who, 'users.1'))
            .error(error => note(who, ['users.1 refused', String(error.error ?? error)]));
    }
    await has('anna', 'users.1');
    await until(() => ['ben', 'guest'].every(who => JSON.stringify(seen[who]).includes('refused')), 'the refusals');
    await fetch(`${root}/say/private/users.1/secret`);
    await has('anna', ['users.1', 'secret']);
    // A signature that the server has not made.
    guest.client.send_event('pusher:subscribe', { channel: 'private-users.1', auth: 'app:0000' });
    guest.client.connection.bind('message', event => event.event === 'pusher:subscription_error' && note('guest', ['status', event.data.status]));
    await has('guest', ['status', 401]);

    // A message from client to client.
    for (const [who, one] of Object.entries({ anna, ben })) {
        one.echo.private('all').listenForWhisper('typing', event => note(who, ['typing', event.name])).subscribed(() => note(who, 'all'));
        await has(who, 'all');
    }
    anna.echo.private('all').whisper('typing', { name: 'anna' });
    await has('ben', ['typing', 'anna']);

    // A presence channel.
    const join = (who, one) => one.echo.join('room.1').here(users => note(who, ['here', users.map(user => user.name).sort()])).joining(user => note(who, ['joining', user.name]))
        .leaving(user => note(who, ['leaving', user.name])).listen('.said', event => note(who, ['room', event.text]));
    join('anna', anna);
    await has('anna', ['here', ['anna']]);
    join('ben', ben);
    await has('ben', ['here', ['anna', 'ben']]);
    await has('anna', ['joining', 'ben']);
    // A second connection of one user does not change the members, and its end does not either.
    const again = connect(bensCookie);
    join('again', again);
    await has('again', ['here', ['anna', 'ben']]);
    again.echo.disconnect();
    await fetch(`${root}/say/presence/room.1/hello`);
    await has('anna', ['room', 'hello']);
    ben.echo.disconnect();
    await has('anna', ['leaving', 'ben']);
    guest.echo.join('room.2').error(error => note('guest', ['room.2 refused']));
    await has('guest', ['room.2 refused']);

    // A connection with another key.
    const stranger = connect('', 'another');
    stranger.client.connection.bind('error', error => note('stranger', ['error', error.data?.code ?? error.error?.data?.code]));
    await has('stranger', ['error', 4001]);

    clearTimeout(deadline);
    console.log(JSON.stringify(seen));
    process.exit(0);
})().catch(error => { console.error(error); process.exit(1); });
