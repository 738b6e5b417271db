/** What proxies in front of the server say of a request, and whom of them the server believes. */
import type { IncomingHttpHeaders } from 'node:http';

/** Headers with which a proxy passes a request on (RFC 7239 section 4, RFC 9110 section 7.6.3, and those in use before them). */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Whether a request carries a header of a proxy. Anybody may send one; a proxy without any is possible. */
export function cameThroughProxy(headers: IncomingHttpHeaders): boolean {
  return PASSED_ON.some((name) => headers[name] !== undefined);
}

/**
 * Which proxies are believed: none, all that are so many hops from here, or those with these addresses. `true` is one hop: the
 * other end of the connection.
 */
export type TrustedProxies = boolean | number | readonly string[];

/** As Fastify takes it: of a number it would believe nobody. */
export function trustOf(trusted: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) {
  if (trusted === false) {
    return false;
  }
  const hops = trusted === true ? 1 : trusted;
  return typeof hops === 'number' ? (_address, hop) => hop < hops : [...hops];
}
