/**
 * Puts load on a local server. Each connection sends its next request when the previous answer is complete. It uses
 * plain sockets, because a client library would need as much processor time as the server.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Complete requests, sent in rotation. */
  readonly requests: readonly Buffer[];
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds from each request to the end of its answer, unsorted. */
  readonly times: readonly number[];
}

const HEAD_END = Buffer.from('\r\n\r\n');

type Headers = Readonly<Record<string, string>>;

/** Returns a GET request for `path`. */
export function getRequest(path: string, headers: Headers = {}): Buffer {
  return wholeRequest('GET', path, headers, '');
}

/** Returns a request that sends `body` as JSON. */
export function sendRequest(method: 'POST' | 'PUT', path: string, headers: Headers, body: object): Buffer {
  const text = JSON.stringify(body);
  const length = `${Buffer.byteLength(text)}`;
  return wholeRequest(method, path, { ...headers, 'content-type': 'application/json', 'content-length': length }, text);
}

function wholeRequest(method: string, path: string, headers: Headers, body: string): Buffer {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Runs the load.
 *
 * @throws Error for an answer that is a refusal, or a lost connection.
 */
export async function runLoad({ port, connections, milliseconds, requests }: Load): Promise<LoadResult> {
  const times: number[] = [];
  const until = performance.now() + milliseconds;
  const start = performance.now();
  let next = 0;
  const ask = () => requests[next++ % requests.length] ?? Buffer.alloc(0);
  await Promise.all(Array.from({ length: connections }, () => runConnection(port, { until, ask, times })));
  return { perSecond: (times.length / (performance.now() - start)) * 1_000, times };
}

interface Turn {
  readonly until: number;
  readonly ask: () => Buffer;
  readonly times: number[];
}

function runConnection(port: number, { until, ask, times }: Turn): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(ask());
    };
    const answers = new AnswerReader(() => {
      const now = performance.now();
      times.push(now - sentAt);
      if (now >= until) {
        socket.destroy();
        resolve();
      } else {
        send();
      }
    });
    socket.once('connect', send);
    socket.on('data', (chunk: Buffer) => {
      try {
        answers.take(chunk);
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('The server closed a connection')));
  });
}

/** Finds the ends of answers with a `content-length` or without a body. */
class AnswerReader {
  readonly #onAnswer: () => void;
  #head: Buffer = Buffer.alloc(0);
  /** Missing bytes of the body; null while the head is incomplete. */
  #left: number | null = null;

  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer;
  }

  take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#left === null ? this.#takeHead(rest) : this.#takeBody(rest, this.#left);
    }
  }

  #takeHead(chunk: Buffer): Buffer {
    const head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) {
      this.#head = head;
      return Buffer.alloc(0);
    }
    const text = head.toString('latin1', 0, end);
    const isEmpty = /^HTTP\/1\.1 [23]04 /.test(text);
    const length = isEmpty ? '0' : /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    if (!/^HTTP\/1\.1 (2\d\d|304) /.test(text) || length === undefined) {
      throw new Error(`Unexpected answer: ${text}`);
    }
    this.#head = Buffer.alloc(0);
    this.#left = Number(length);
    return this.#takeBody(head.subarray(end + HEAD_END.length), this.#left);
  }

  #takeBody(chunk: Buffer, left: number): Buffer {
    const taken = Math.min(left, chunk.length);
    if (taken < left) {
      this.#left = left - taken;
    } else {
      this.#left = null;
      this.#onAnswer();
    }
    return chunk.subarray(taken);
  }
}
