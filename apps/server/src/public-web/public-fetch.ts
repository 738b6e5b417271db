/**
 * Requests files of the public internet in a user's name. Every address is checked after its name was resolved, and the
 * connection goes to the checked address, so that a name cannot lead elsewhere afterwards. Redirects are followed by
 * the same rules.
 */
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isPublicAddress } from './public-address.ts';

export interface PublicFetchOptions {
  /** Names and addresses of hosts to which the rules do not apply, in lower case. */
  readonly privateHosts: readonly string[];
  /** Resolves a name to all of its addresses. Default: the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

/** A request that the rules do not allow. The message is a sentence for the user. */
export class AddressRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefusedError';
  }
}

const MAX_REDIRECTS = 3;
/** Privileged ports that are the web's. Others below 1024 belong to other protocols. */
const WEB_PORTS: readonly number[] = [80, 443];

const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/** Requests an address. Only GET; the answer's body is not decoded. */
export type PublicFetch = (address: string, init?: Pick<RequestInit, 'signal'>) => Promise<Response>;

/**
 * @returns A function with which `@wirebench/flasher/release` loads manifests. It rejects with `AddressRefusedError`
 *   for what is not allowed, otherwise with the system's error.
 */
export function publicFetch({ privateHosts, resolve = allAddresses }: PublicFetchOptions): PublicFetch {
  const isPrivateHost = (host: string) => privateHosts.includes(host);

  /** Resolves a name for a connection. Refuses it if any of its addresses is not public. */
  async function checkedAddresses(name: string): Promise<readonly string[]> {
    const addresses = isIP(name) === 0 ? await resolve(name) : [name];
    if (addresses.length === 0 || (!isPrivateHost(name) && !addresses.every(isPublicAddress))) {
      throw new AddressRefusedError(`${name} is not an address of the public internet.`);
    }
    return addresses;
  }

  async function ask(url: URL, signal: AbortSignal | null): Promise<IncomingMessage> {
    const host = hostOf(url);
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    if (port < 1_024 && !WEB_PORTS.includes(port) && !isPrivateHost(host)) {
      throw new AddressRefusedError(`Port ${port} of ${host} is not one of a web server.`);
    }
    const addresses = await checkedAddresses(host);
    const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    request(url, {
      agent: false,
      lookup: lookupOf(addresses),
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Wirebench' },
      ...(signal === null ? {} : { signal }),
    })
      .on('response', answer)
      .on('error', reject)
      .end();
    return promise;
  }

  return async (address, { signal = null } = {}) => {
    let url = webAddress(address);
    for (let hop = 0; ; hop++) {
      const answer = await ask(url, signal);
      const to = redirects.has(answer.statusCode) ? answer.headers.location : undefined;
      if (to === undefined) {
        return responseOf(answer);
      }
      answer.destroy();
      if (hop === MAX_REDIRECTS || !URL.canParse(to, url)) {
        throw new AddressRefusedError(`${url.host} redirects too often, or to no address.`);
      }
      const next = webAddress(new URL(to, url).href);
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw new AddressRefusedError(`${url.host} redirects from https to http.`);
      }
      url = next;
    }
  };
}

async function allAddresses(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

function webAddress(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AddressRefusedError(
      'Only addresses that begin with https:// or http:// can be loaded, without a password.',
    );
  }
  return url;
}

/** Returns the host in lower case; an address of IPv6 without brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/** Answers a connection's question for an address with those that were checked. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, callback) => {
    const [first] = found;
    if (all === true) {
      callback(null, found);
    } else {
      callback(null, first?.address ?? '', first?.family ?? 4);
    }
  };
}

/** Only an answer with content keeps its body. */
function responseOf(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 500;
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    answer.destroy();
    throw new AddressRefusedError('The server sends its files compressed although it was asked not to.');
  }
  if (status !== 200) {
    answer.destroy();
    return new Response(null, { status: status < 200 || status > 599 ? 502 : status });
  }
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status });
}
