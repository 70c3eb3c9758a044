// Baseline: a process that copies bytes both ways and reads nothing. byte-copy.mjs FROM TO: FROM is `stdio` or a port to listen on,
// TO is a URL or the command of a stdio server. Between HTTP and stdio it looks for the member `id`, to know whether an answer is due.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';

const [from, ...to] = process.argv.slice(2);
const [url] = to;
if (from !== 'stdio') httpToStdio(Number(from), to);
else if (url.startsWith('http:')) stdioToHttp(url);
else stdioToStdio(to);

function stdioToStdio([command, ...args]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  process.stdin.pipe(child.stdin);
  child.stdout.pipe(process.stdout);
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** A child for each session; answers go out in the order of the requests, as the echo server gives them. */
function httpToStdio(port, [command, ...args]) {
  const sessions = new Map();
  const open = (id) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const waiting = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      const headers = { 'content-type': 'application/json', 'mcp-session-id': id };
      waiting.shift()?.writeHead(200, headers).end(line);
    });
    const session = { child, waiting };
    sessions.set(id, session);
    return session;
  };
  const server = createServer((request, response) => {
    const id = request.headers['mcp-session-id'] ?? randomUUID();
    if (request.method === 'DELETE') {
      sessions.get(id)?.child.stdin.end();
      response.writeHead(200).end();
      return;
    }
    const { child, waiting } = sessions.get(id) ?? open(id);
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat([...chunks, Buffer.from('\n')]);
      if (body.includes('"id"')) waiting.push(response);
      else response.writeHead(202).end();
      child.stdin.write(body);
    });
  });
  server.listen(port, '127.0.0.1');
}

function stdioToHttp(target) {
  const agent = new Agent({ keepAlive: true });
  let session;
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      if (session !== undefined) headers['mcp-session-id'] = session;
      const request = httpRequest(target, { method: 'POST', agent, headers }, (response) => {
        session ??= response.headers['mcp-session-id'];
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          if (chunks.length > 0) process.stdout.write(Buffer.concat([...chunks, Buffer.from('\n')]));
        });
      });
      request.end(line);
    })
    .on('close', () => agent.destroy());
}
