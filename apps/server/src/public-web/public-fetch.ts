/**
 * Requests files of the public internet in a user's name. Every address is checked after its name was resolved, and the
 * connection goes to the checked address, so that a name cannot lead elsewhere afterwards. Redirects are followed by
 * the same rules.
 */
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

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
 * Decides which addresses the server may ask in a user's name. Only addresses of the public internet: anything else
 * could be a service of the operator's network that trusts this server.
 */

/** Special-purpose addresses of IPv4 (IANA registry, RFC 6890 and successors), multicast and reserved ones. */
const specialIpv4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

/** The part of IPv6 that is assigned to the public internet (RFC 4291, section 2.4). */
const globalIpv6 = blockList('ipv6', [['2000::', 3]]);

/** Special-purpose addresses within it: protocol assignments with Teredo, documentation, 6to4. */
const specialIpv6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]);

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) {
    list.addSubnet(address, bits, family);
  }
  return list;
}

/** Returns false for text that is no IP address. IPv6 forms that contain an IPv4 address are never public. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}

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
    const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
    // Also ends the wait for a resolver that does not answer.
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      signal?.throwIfAborted();
      const addresses = await Promise.race([checkedAddresses(host), promise.then(() => [])]);
      const request = url.protocol === 'https:' ? requestHttps : requestHttp;
      const asked = request(url, {
        agent: false,
        lookup: lookupOf(addresses),
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Wirebench' },
        ...(signal === null ? {} : { signal }),
      });
      asked
        .on('response', answer)
        .on('error', reject)
        .on('upgrade', (_answer, socket) => {
          socket.destroy();
          reject(new AddressRefusedError(`${url.host} answers with another protocol (101) and not with a file.`));
        })
        // Every request ends with this event. It changes nothing after one of the others.
        .on('close', () => reject(new Error(`${url.host} closed the connection without an answer`)))
        .end();
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
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
