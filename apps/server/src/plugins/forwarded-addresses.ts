/**
 * Reads the addresses in `X-Forwarded-For`. Proxies write them with and without a port, in brackets and quotes, and
 * some write an identifier in place of an address (RFC 7239, section 6, whose node names are in use here as well).
 */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { TrustedProxies } from './forwarded.ts';

/** Replaces an entry that is not an address (RFC 7239, section 6.2). */
const UNKNOWN = 'unknown';

/** A port, or an obfuscated one (RFC 7239, section 6). */
const PORT = String.raw`(?::(?:\d{1,5}|_[\w.-]+))?`;
const bracketed = new RegExp(String.raw`^\[([\da-f:.]+)(?:%[^\]]*)?\]${PORT}$`, 'i');
const dotted = new RegExp(String.raw`^([\d.]+)${PORT}$`);
/** Eight groups of IPv6 and a port. With fewer groups, the last group and a port look alike. */
const grouped = /^((?:[\da-f]{1,4}:){7}[\da-f]{1,4}):\d{1,5}$/i;

/**
 * Returns the address of an entry, without quotes, brackets, port and zone. Null for anything that is not an address.
 */
export function readForwardedAddress(entry: string): string | null {
  const text = withoutQuotes(entry);
  const [, inBrackets] = bracketed.exec(text) ?? [];
  const [, address = text.replace(/%.*$/s, '')] = dotted.exec(text) ?? grouped.exec(text) ?? [];
  if (inBrackets !== undefined) {
    return isIPv6(inBrackets) ? inBrackets : null;
  }
  return isIPv4(address) || isIPv6(address) ? address : null;
}

const withoutQuotes = (entry: string) =>
  entry
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim();

/** Kinds of entries, as the log names them. An entry itself is not logged: it may be personal. */
function kindOf(entry: string): string {
  const text = withoutQuotes(entry);
  if (text === '') {
    return 'an empty entry';
  }
  if (text.toLowerCase() === UNKNOWN) {
    return 'the word unknown';
  }
  if (/^_[\w.-]+(?::|$)/.test(text)) {
    return 'an obfuscated identifier';
  }
  if (/^(?:unix:|\/)/i.test(text)) {
    return 'a Unix socket';
  }
  return /^[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d+)?$/i.test(text) ? 'a host name' : 'text that is not an address';
}

/**
 * Makes `request.ip` an address on each request that came through trusted proxies. A client whose entry is not an
 * address counts by the connection. Register it before the hooks that read `request.ip`.
 */
export function readForwardedAddresses(app: FastifyInstance, trusted: TrustedProxies): void {
  if (trusted === false) {
    return;
  }
  const logged = new Set<string>();
  const isNew = (kind: string) => !logged.has(kind) && logged.add(kind);
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const given = headers['x-forwarded-for'];
    if (typeof given === 'string') {
      const entries = given.split(',');
      headers['x-forwarded-for'] = entries.map((entry) => readForwardedAddress(entry) ?? UNKNOWN).join(', ');
      // The first address is that of the connection.
      const hops = (request.ips?.length ?? 1) - 1;
      const entry = hops === 0 ? null : (entries[entries.length - hops] ?? '');
      if (entry !== null && request.ip === UNKNOWN) {
        // Present, because the header shows that a proxy is in front. Empty, so that the connection counts.
        headers['x-forwarded-for'] = '';
        const kind = kindOf(entry);
        if (isNew(kind)) {
          const remedy = 'let the proxy write addresses, so that each client has limits of its own';
          app.log.warn(
            `X-Forwarded-For has ${kind} in place of the client's address, so the connection counts: ${remedy}`,
          );
        }
      } else if (entry !== null && isIP(entry.trim()) === 0 && isNew('decorated')) {
        app.log.info("X-Forwarded-For has more than the client's address, such as its port: the address alone counts");
      }
    }
    done();
  });
}
