/**
 * Proxies of the environment, as curl, pip and npm use them: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in small
 * letters too, which win. The global `fetch` of Node 20 uses none.
 */
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ConnectionFault, connectionFault } from '@wirebench/contract/connection-fault';
import { readSetting, withoutOuterSpace } from '@wirebench/contract/setting-text';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface WebProxy {
  readonly url: URL;
  /** Name of the variable that has it. */
  readonly variable: string;
}

/** A proxy that cannot be used, or that did not let a connection out. No text of it has the proxy's password. */
export class ProxyError extends Error implements ConnectionFault {
  readonly what: string;
  readonly remedy: string;

  constructor({ what, remedy }: ConnectionFault, options?: ErrorOptions) {
    super(`${what} ${remedy}`, options);
    this.name = 'ProxyError';
    this.what = what;
    this.remedy = remedy;
  }
}

const PROXY_EXAMPLE = 'http://proxy.example:3128';
/** Longest wait for a proxy, in milliseconds. */
const PROXY_WAIT = 30_000;
const standardPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443' };
const isTls = ({ protocol }: URL) => protocol === 'https:' || protocol === 'wss:';

/** Returns the port of an address. */
const portOf = ({ port, protocol }: URL): string => port || (standardPorts[protocol] ?? '');

/** Returns the host without the brackets of IPv6, in lower case. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * Returns the first variable that has a value.
 *
 * @throws ProxyError for a value with quotation marks.
 */
function setVariable(
  names: readonly string[],
  environment: Environment,
  example: string,
): readonly [name: string, value: string] | null {
  for (const name of names) {
    const { value, fault } = readSetting(name, environment[name] ?? '');
    if (fault !== null) {
      throw new ProxyError({ what: fault, remedy: `Set it as in ${example}.` });
    }
    if (value !== '') {
      return [name, value];
    }
  }
  return null;
}

const proxyNames = (scheme: string) => [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, 'all_proxy', 'ALL_PROXY'];

/** True: the environment names a proxy for some addresses. */
export const namesProxy = (environment: Environment): boolean =>
  [...proxyNames('http'), ...proxyNames('https')].some((name) => withoutOuterSpace(environment[name] ?? '') !== '');

/**
 * Returns the proxy for an address; null without one.
 *
 * @throws ProxyError for a variable that names no proxy of http or https.
 */
export function proxyFor(address: string | URL, environment: Environment): WebProxy | null {
  const url = new URL(address);
  const found = setVariable(proxyNames(isTls(url) ? 'https' : 'http'), environment, PROXY_EXAMPLE);
  if (
    found === null ||
    isExcepted(url, setVariable(['no_proxy', 'NO_PROXY'], environment, 'localhost,.example')?.[1] ?? '')
  ) {
    return null;
  }
  const [variable, value] = found;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (proxy === null || !/^https?:$/.test(proxy.protocol) || proxy.hostname === '') {
    const kind = /^socks/.test(proxy?.protocol ?? '') ? 'names a SOCKS proxy' : 'is not the address of a proxy';
    throw new ProxyError({
      what: `${variable} ${kind}.`,
      remedy: `Set it to a proxy of http or https, as in ${PROXY_EXAMPLE}.`,
    });
  }
  return { url: proxy, variable };
}

/** Returns true for an address that NO_PROXY names: by host, domain, address, range, or with a port. */
function isExcepted(url: URL, list: string): boolean {
  const host = hostOf(url);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const { name, port } = exceptionOf(entry);
      if (name === '' || (port !== null && port !== portOf(url))) {
        return false;
      }
      const isBelow = isIP(host) === 0 && host.endsWith(`.${name}`);
      return name === '*' || host === name || isBelow || isInRange(host, name);
    });
}

/** Reads an entry of NO_PROXY: `name`, `.name`, `*.name`, `name:port`, an address, `[address]:port`. */
function exceptionOf(entry: string): { readonly name: string; readonly port: string | null } {
  const [, bracketed, plain, port = null] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: (bracketed ?? plain ?? entry).replace(/^\*?\./, ''), port };
}

/** Returns true if an address is in a range such as `10.0.0.0/8`. */
export function isInRange(host: string, range: string): boolean {
  const [net = '', bits = ''] = range.split('/');
  const family = isIP(net);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(net, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** A name or a password may have a percent sign that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the header with the name and password of a proxy; none without them. */
export function proxyHeaders({ url }: WebProxy): Readonly<Record<string, string>> {
  if (url.username === '' && url.password === '') {
    return {};
  }
  const pair = [url.username, url.password].map(decoded).join(':');
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Returns the failure of a proxy that answers a request with a refusal. */
export function proxyRefusal(proxy: WebProxy, host: string, status: number): ProxyError {
  const { url, variable } = proxy;
  if (status === 407) {
    const isNamed = url.username !== '';
    return new ProxyError({
      what: isNamed
        ? `The proxy ${url.host} does not accept the name and password in ${variable}.`
        : `The proxy ${url.host} of ${variable} asks for a name and a password.`,
      remedy: `Write them as in ${url.protocol}//NAME:PASSWORD@${url.host}.`,
    });
  }
  return new ProxyError({
    what: `The proxy ${url.host} of ${variable} did not connect to ${host}: it answered ${status}.`,
    remedy: 'Check the address. Ask the operator of the proxy, or name the host in NO_PROXY.',
  });
}

/** Returns the failure of a connection to a proxy. */
export function proxyAway({ url, variable }: WebProxy, cause: unknown): ProxyError {
  const fault = connectionFault(cause, url.origin);
  return new ProxyError(
    {
      what: `${fault?.what ?? `${url.host} could not be reached.`} It is the proxy of ${variable}.`,
      remedy: `Check ${variable}, or name the hosts in NO_PROXY that need no proxy.`,
    },
    { cause },
  );
}

/** Returns the request options of the connection to a proxy. */
export const proxyOptions = ({ url }: WebProxy): RequestOptions => ({
  host: hostOf(url),
  port: portOf(url),
  agent: false,
});

/** Returns the function that opens requests at a proxy. */
export const requestAt = ({ url }: WebProxy) => (isTls(url) ? requestHttps : requestHttp);

/** Opens a connection through a proxy (RFC 9110, section 9.3.6). @throws ProxyError without one. */
async function tunnel(proxy: WebProxy, target: URL, signal: AbortSignal | null): Promise<Socket> {
  const authority = `${target.hostname}:${portOf(target)}`;
  const asked = requestAt(proxy)({
    ...proxyOptions(proxy),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyHeaders(proxy) },
    timeout: PROXY_WAIT,
    ...(signal !== null && { signal }),
  });
  asked.on('timeout', () => asked.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
  let answer: IncomingMessage;
  let socket: Socket;
  let head: Buffer;
  try {
    const answered = once(asked, 'connect');
    asked.end();
    [answer, socket, head] = (await answered) as [IncomingMessage, Socket, Buffer];
  } catch (error) {
    signal?.throwIfAborted();
    throw proxyAway(proxy, error);
  }
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 299) {
    asked.destroy();
    throw proxyRefusal(proxy, target.host, statusCode);
  }
  socket.setTimeout(0);
  if (head.length > 0) {
    socket.unshift(head);
  }
  return socket;
}

/**
 * Returns a function that `http.request` and WebSockets take as `createConnection`: it connects through a proxy, by TLS
 * for an address with it.
 */
export function connectionThrough(proxy: WebProxy, target: URL, signal: AbortSignal | null = null) {
  return (_options: object, done: (error: Error | null, socket?: Socket) => void): undefined => {
    const host = hostOf(target);
    const secured = async (socket: Socket) => {
      const name = isIP(host) === 0 ? { servername: host } : {};
      const secure = connectTls({ socket, host, ...name, ALPNProtocols: ['http/1.1'] });
      await once(secure, 'secureConnect');
      return secure;
    };
    tunnel(proxy, target, signal)
      .then((socket) => (isTls(target) ? secured(socket) : socket))
      .then(
        (socket) => done(null, socket),
        (error: Error) => done(error),
      );
  };
}
