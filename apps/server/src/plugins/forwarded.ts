/** Headers of proxies in front of the server, and the proxies that the server trusts. */
import type { IncomingHttpHeaders } from 'node:http';

/** Headers that a proxy adds (RFC 7239 section 4, RFC 9110 section 7.6.3, and their predecessors). */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Returns true if a request carries a proxy's header. Clients can send one too, and a proxy may add none. */
export function cameThroughProxy(headers: IncomingHttpHeaders): boolean {
  return PASSED_ON.some((name) => headers[name] !== undefined);
}

/**
 * The trusted proxies: none, those up to a number of hops away, or those with the listed addresses. `true` means one
 * hop: the peer of the connection.
 */
export type TrustedProxies = boolean | number | readonly string[];

/** Returns Fastify's form of the setting. A plain number would make Fastify trust no proxy. */
export function trustOf(trusted: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) {
  if (trusted === false) {
    return false;
  }
  const hops = trusted === true ? 1 : trusted;
  return typeof hops === 'number' ? (_address, hop) => hop < hops : [...hops];
}
