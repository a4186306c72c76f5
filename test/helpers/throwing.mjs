/**
 * Preloaded into a server (`node --import`): has it throw where nobody catches. A request with the header `x-throw`
 * throws, as the program handles it, in a callback of the named kind; a file that appears at THROW_FILE throws in a
 * timer that belongs to nothing. Nothing of this is in the program.
 */
import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { Worker } from 'node:worker_threads';

const raise = (where) => {
  throw new TypeError(`thrown in ${where}`);
};
const ways = {
  timer: () => setTimeout(() => raise('a timer'), 5),
  stream: () => new PassThrough().on('finish', () => raise('a stream')).end('x'),
  unheard: () => new PassThrough().destroy(new TypeError('thrown in an error event')),
  child: () => execFile('true', () => raise('a child')),
  socket: ({ socket }) =>
    connect(socket.localPort, '127.0.0.1').on('connect', () => raise('a socket')),
  promise: () => void Promise.reject(new TypeError('thrown in a promise')),
  body: (request) => request.on('end', () => raise('an event of the request')).resume(),
  begun: (_request, response) =>
    setTimeout(() => {
      response.write('[');
      setTimeout(() => raise('an answer under way'), 20);
    }, 20),
  over: (_request, response) =>
    setTimeout(() => {
      response.end('{}');
      setTimeout(() => raise('an answer that is over'), 20);
    }, 20),
};

const { setHeader } = ServerResponse.prototype;
ServerResponse.prototype.setHeader = function (...given) {
  const way = ways[this.req?.headers['x-throw']];
  // The first header that the application sets, as it handles the request.
  if (way && given[0] === 'X-Content-Type-Options') {
    delete this.req.headers['x-throw'];
    const { req } = this;
    // What is to answer it never does.
    this.json = this.send = () => this;
    way(req, this);
  }
  return setHeader.apply(this, given);
};

// The thread that is given a table with this word takes the program with it.
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...rest) {
  const { kind, bytes } = message ?? {};
  if (kind === 'table' && Buffer.from(bytes).includes('ABORT-HERE')) process.abort();
  return postMessage.call(this, message, ...rest);
};

const file = process.env.THROW_FILE;
// Workers inherit the environment.
if (file && process.argv[1]?.endsWith('cli.mjs')) {
  setInterval(() => {
    if (!existsSync(file)) return;
    rmSync(file);
    raise('background work');
  }, 20).unref();
}
