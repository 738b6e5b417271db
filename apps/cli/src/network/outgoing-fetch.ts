/**
 * Requests of this program to servers: through a proxy of the environment, and with a sentence for each failure, also
 * for one in the middle of an answer.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type ConnectionFault, connectionFault } from '@wirebench/contract/connection-fault';
import {
  connectionThrough,
  type Environment,
  namesProxy,
  ProxyError,
  proxyAway,
  proxyFor,
  proxyHeaders,
  proxyOptions,
  proxyRefusal,
  requestAt,
} from './proxy.ts';

/** A server that could not be asked. The message is `what` and `remedy`. */
export class ConnectionError extends Error implements ConnectionFault {
  readonly what: string;
  readonly remedy: string;

  constructor({ what, remedy }: ConnectionFault, options: ErrorOptions) {
    super(`${what} ${remedy}`, options);
    this.name = 'ConnectionError';
    this.what = what;
    this.remedy = remedy;
  }
}

/** Most redirects of a request, as in the Fetch standard. */
const MAX_REDIRECTS = 20;
/** Longest time without progress, in milliseconds: that of Node's fetch. */
const IDLE_LIMIT = 300_000;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Returns the sentences for an error of a request, or of the WebSocket of an address. */
export function faultOf(error: unknown, address: string, environment: Environment = process.env): ConnectionFault {
  if (error instanceof ProxyError) {
    return error;
  }
  const cause = error instanceof Error && error.cause instanceof ProxyError ? error.cause : null;
  if (cause !== null) {
    return cause;
  }
  const { host } = new URL(address);
  const proxy = proxyFor(address, environment);
  const fault = connectionFault(error, address, proxy === null ? null : undefined) ?? {
    what: `${host} could not be reached.`,
    remedy: 'Check the address and the network.',
  };
  return proxy === null
    ? fault
    : {
        ...fault,
        remedy: `${fault.remedy} The connection went through the proxy ${proxy.url.host} of ${proxy.variable}.`,
      };
}

/** Requests an address as `fetch` does. @throws ConnectionError, or the reason of the signal. */
export async function outgoingFetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { href } = new URL(address);
  const failed = (error: unknown): never => {
    if (init.signal?.aborted && !isTimeout(init.signal.reason)) {
      throw init.signal.reason;
    }
    throw new ConnectionError(faultOf(error, href), { cause: error });
  };
  const answer = await (namesProxy(process.env) ? requested(new URL(href), init) : fetch(href, init)).catch(failed);
  return answer.body === null ? answer : new Response(named(answer.body, failed), answer);
}

const isTimeout = (reason: unknown) => reason instanceof Error && reason.name === 'TimeoutError';

/** Gives the error of a body its sentence. */
function named(body: ReadableStream<Uint8Array>, failed: (error: unknown) => never): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reader.read().catch(failed);
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Requests by `http` and `https`, through the proxy of each address, and follows redirects (Fetch, section 4.4). */
async function requested(address: URL, init: RequestInit): Promise<Response> {
  const { signal = null } = init;
  let { method = 'GET' } = init;
  const sent = init.body === undefined || init.body === null ? null : new Response(init.body);
  const headers = new Headers(init.headers);
  let body = sent === null ? null : Buffer.from(await sent.arrayBuffer());
  const type = sent?.headers.get('content-type') ?? null;
  if (type !== null && !headers.has('content-type')) {
    headers.set('content-type', type);
  }
  if (init.cache === 'no-cache') {
    headers.set('cache-control', 'max-age=0');
  }
  let url = address;
  for (let hop = 0; ; hop++) {
    const answer = await ask(url, { method, headers, body, signal });
    const { statusCode: status = 500 } = answer;
    const to = redirects.has(status) ? answer.headers.location : undefined;
    if (to === undefined || !URL.canParse(to, url)) {
      return responseOf(answer, method);
    }
    answer.destroy();
    if (hop === MAX_REDIRECTS) {
      throw new Error('redirect count exceeded');
    }
    const next = new URL(to, url);
    if (!/^https?:$/.test(next.protocol)) {
      throw new Error(`redirected to ${next.protocol}`);
    }
    if (next.origin !== url.origin) {
      headers.delete('authorization');
    }
    if (method === 'POST' ? status <= 303 : status === 303 && method !== 'HEAD') {
      method = 'GET';
      body = null;
      headers.delete('content-type');
    }
    url = next;
  }
}

interface OneRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Buffer | null;
  readonly signal: AbortSignal | null;
}

/** Sends one request. Resolves with the head of its answer. */
function ask(url: URL, { method, headers, body, signal }: OneRequest): Promise<IncomingMessage> {
  const proxy = proxyFor(url, process.env);
  const isPlain = url.protocol === 'http:';
  const options = {
    method,
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'wirebench',
      ...Object.fromEntries(headers),
      ...(body !== null && { 'content-length': String(body.length) }),
    },
    timeout: IDLE_LIMIT,
    ...(signal !== null && { signal }),
  };
  const asked =
    proxy === null
      ? (isPlain ? requestHttp : requestHttps)(url, { ...options, agent: false })
      : isPlain
        ? requestAt(proxy)({
            ...options,
            ...proxyOptions(proxy),
            path: `${url.origin}${url.pathname}${url.search}`,
            headers: { ...options.headers, host: url.host, ...proxyHeaders(proxy) },
          })
        : requestHttps(url, { ...options, createConnection: connectionThrough(proxy, url, signal) as never });
  return new Promise((resolve, reject) => {
    asked
      .on('response', (answer) => {
        if (proxy !== null && isPlain && answer.statusCode === 407) {
          answer.destroy();
          reject(proxyRefusal(proxy, url.host, 407));
        } else {
          resolve(answer);
        }
      })
      .on('timeout', () => asked.destroy(Object.assign(new Error('no progress'), { code: 'ETIMEDOUT' })))
      .on('error', (error) => {
        // Over https, `connectionThrough` says by its error what failed at the proxy.
        const isAtProxy = proxy !== null && isPlain && error.name !== 'AbortError';
        reject(isAtProxy ? proxyAway(proxy, error) : error);
      })
      .end(body ?? undefined);
  });
}

function responseOf(answer: IncomingMessage, method: string): Response {
  const { statusCode = 500, statusMessage = '' } = answer;
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) {
      headers.append(name, value);
    }
  }
  const init = { status: statusCode, statusText: statusMessage, headers };
  if (method === 'HEAD' || [204, 205, 304].includes(statusCode)) {
    answer.resume();
    return new Response(null, init);
  }
  const decode = decoders[answer.headers['content-encoding']?.toLowerCase() ?? ''];
  return new Response(
    Readable.toWeb(decode === undefined ? answer : decoded(answer, decode())) as ReadableStream,
    init,
  );
}

/** Decodes a body. An answer that is cut off is an error, too. */
function decoded(answer: IncomingMessage, decoder: NodeJS.ReadWriteStream): Readable {
  const stream = decoder as NodeJS.ReadWriteStream & Readable;
  answer.on('error', (error) => stream.destroy(error));
  answer.pipe(decoder);
  return stream;
}
