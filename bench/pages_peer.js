'use strict';
// The pages of pages.php by Node: node pages_peer.js <address>

const http = require('node:http');

const [host, port] = process.argv[2].split(':');
http.createServer((request, response) => {
    if (request.url === '/json') {
        const rows = [];
        for (let id = 1; id <= 10; ++id) rows.push({ id, name: `item ${id}`, price: id * 1.25, available: id % 3 > 0 });
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ count: rows.length, rows }));
    } else {
        response.setHeader('Content-Type', 'text/plain; charset=utf-8');
        response.end('hello world');
    }
}).listen(Number(port), host);
