(() => {
    if (window.sluiceRefresh) return;
    window.sluiceRefresh = true;
    const boot = document.currentScript.dataset.boot, path = '/_sluice/refresh';
    let isReloading = false;
    const pause = () => new Promise(resolve => setTimeout(resolve, 100));
    const serves = async () => {
        try {
            return await (await fetch(path, {cache: 'no-store'})).text();
        } catch {
            return boot;
        }
    };
    // The new boot says that it is there before it has taken over.
    const refresh = async () => {
        if (isReloading) return;
        isReloading = true;
        for (let tries = 0; tries < 100 && await serves() === boot; ++tries) await pause();
        location.reload();
    };
    const connect = () => {
        const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path);
        socket.onmessage = async event => { if ((event.data || await serves()) !== boot) refresh(); };
        socket.onclose = () => setTimeout(connect, 300);
    };
    connect();
})();
