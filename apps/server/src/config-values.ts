/**
 * Kinds of values that configuration variables take. Each message completes the sentence '{variable} must be …'. The
 * values have no white space at their ends.
 */
import { isIP } from 'node:net';
import { readSwitch } from '@wirebench/contract/read-switch';
import { hasQuotationMark } from '@wirebench/contract/setting-text';
import * as z from 'zod/mini';
import { reservedCharacters, withEncodedPercents } from './credential-address.ts';
import type { TrustedProxies } from './plugins/forwarded.ts';

/** A whole number in decimal digits, from `minimum` to `maximum` inclusive. */
export function wholeNumber(minimum: number, maximum: number) {
  const message = `a whole number from ${minimum} to ${maximum}`;
  return z.pipe(
    z.string().check(z.regex(/^\d{1,10}$/, { message, abort: true })),
    z.pipe(z.transform(Number), z.number().check(z.minimum(minimum, message), z.maximum(maximum, message))),
  );
}

/** One of the options, in any case. */
export function choice<const Option extends string>(options: readonly Option[]) {
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((value: string) => value.toLowerCase()),
    ),
    z.enum(options, `one of ${options.join(', ')}`),
  );
}

/** On or off. True: on. */
export const onOff = z.pipe(
  z.string().check(z.refine((value) => readSwitch(value) !== null, 'on or off')),
  z.transform((value: string) => readSwitch(value) === true),
);

/** Strict, because it becomes part of a page: no name, no second recipient, no parameters. */
const mailbox = /^(?:mailto:)?([\w.+-]{1,64}@[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?)$/i;

/** A name in a provider or a token: any short text that a person can read. */
export const name = z.string().check(z.regex(/^[^\s/\p{Cc}]{1,200}$/u, 'a name without spaces or slashes'));

export const roleName = z.string().check(z.regex(/^[^\p{Cc}]{1,200}$/u, 'the name of a realm role'));

/** Parts separated by dots. A part may contain dots itself, because some claim names are addresses. */
export const claimPath = z
  .string()
  .check(
    z.regex(
      /^(?!.*\.\.)[^\s.\p{Cc}]([^\s\p{Cc}]{0,198}[^\s.\p{Cc}])?$/u,
      'the path of a claim, such as realm_access.roles',
    ),
  );

/** Starts of paths that only a shell replaces. Elsewhere they would be the name of a folder. */
const SHELL_START = /^(?:~(?:\/|$)|\$\{?[A-Za-z_])/;

const path = (what: string) =>
  z.string().check(
    z.regex(/^[^\p{Cc}]{1,4096}$/u, `the path of a ${what}`),
    z.refine(
      (value) => !SHELL_START.test(value),
      `the path of a ${what}, without ~ or a variable of the shell at its start`,
    ),
  );

export const filePath = path('file');
export const folderPath = path('folder');

export const listenHost = z
  .string()
  .check(
    z.refine(
      (host) => isIP(host) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host),
      'an address or host name of this machine, such as 127.0.0.1 or 0.0.0.0',
    ),
  );

/** Host names and addresses. The result is in lower case. */
export const hostNames = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => value.split(',').every((entry) => z.safeParse(listenHost, entry.trim()).success),
        'a list of host names and addresses such as files.lan,10.0.0.5',
      ),
    ),
  z.transform((value: string) => value.split(',').map((entry) => entry.trim().toLowerCase())),
);

export const webUrl = url('a complete http or https address', () => true);

/** An issue tracker, or an e-mail address with or without `mailto:`. The result is an address that a link can have. */
export const contactAddress = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => mailbox.test(value) || z.safeParse(webUrl, value).success,
        'the address of an issue tracker or an e-mail address, such as https://git.example.org/bench/issues or help@example.org',
      ),
    ),
  z.transform((value: string) => value.replace(mailbox, 'mailto:$1')),
);

/** Scheme, host and port. The result has no trailing slash. */
export const origin = z.pipe(
  url('an address like https://bench.example.org, without a path', ({ pathname, search }) => pathname + search === '/'),
  z.transform((address: string) => new URL(address).origin),
);

/** May have a path, for example Keycloak below `/auth`. The result has no trailing slash. */
export const providerUrl = z.pipe(
  url('the address of your identity provider, like https://id.example.org', ({ search }) => search === ''),
  z.transform((address: string) => address.replace(/\/+$/, '')),
);

/**
 * Kept unchanged: tokens name their issuer with or without a trailing slash. The address of the discovery document is
 * not an issuer.
 */
export const issuerUrl = url(
  'the issuer exactly as it appears in the tokens',
  ({ search, pathname }) => search === '' && !pathname.includes('/.well-known/'),
);

/** Maximum number of proxies in a row. */
const MAX_PROXIES = 16;

/**
 * The proxies whose `X-Forwarded-*` headers are trusted. `off` and 0: none. `on`: the proxy that connects. A number:
 * that many proxies in a row. A list: addresses, networks or Fastify's names for them.
 */
export const trustedProxies = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) =>
          isHops(value) || readSwitch(value) !== null || value.split(',').every((entry) => isNetwork(entry.trim())),
        `on, off, a number of proxies from 1 to ${MAX_PROXIES}, or a list of addresses and networks such as 10.0.0.0/8,127.0.0.1`,
      ),
    ),
  z.transform((value: string): TrustedProxies => {
    if (isHops(value)) {
      return Number(value) === 0 ? false : Number(value);
    }
    return readSwitch(value) ?? value.split(',').map((entry) => entry.trim());
  }),
);

function isHops(value: string): boolean {
  return /^\d{1,2}$/.test(value) && Number(value) <= MAX_PROXIES;
}

/** May have a path. The result has no trailing slash. */
export const storeUrl = z.pipe(
  url('the address of your S3 store, like https://s3.example.org', ({ search }) => search === ''),
  z.transform((address: string) => address.replace(/\/+$/, '')),
);

/** Names that Amazon accepts, and therefore every other store (S3 User Guide, "Bucket naming rules"). */
export const bucketName = z
  .string()
  .check(
    z.regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'the name of a bucket: lower-case letters, digits, dots and hyphens'),
  );

/** A key or password. It contains no spaces: a space comes only from a copying mistake. */
export const secret = z.string().check(z.regex(/^[\x21-\x7e]{1,1000}$/, 'a key without spaces'));

/** Only the scheme is checked. The driver parses the rest: host, sockets, certificates. */
export const postgresUrl = credentialUrl(
  /^postgres(?:ql)?:/i,
  'the address of a PostgreSQL database, like postgres://user:password@host:5432/name',
  () => true,
);

/** `rediss:` uses TLS. A path is the number of a database. */
export const redisUrl = credentialUrl(
  /^rediss?:/i,
  'the address of a Redis or Valkey, like redis://:password@host:6379',
  ({ hostname, pathname }) => hostname !== '' && !hasQuotationMark(hostname) && /^\/?\d*$/.test(pathname),
);

/** Origins separated by commas. */
export const origins = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => value.split(',').every((entry) => z.safeParse(origin, entry.trim()).success),
        'a list of origins such as https://bench.example.org,https://other.example.org',
      ),
    ),
  z.transform((value: string) => value.split(',').map((entry) => new URL(entry.trim()).origin)),
);

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  return (
    ['loopback', 'linklocal', 'uniquelocal'].includes(entry) ||
    (family !== 0 && rest.length === 0 && (bits === undefined || isPrefixLength(bits, family === 4 ? 32 : 128)))
  );
}

function isPrefixLength(bits: string, longest: number): boolean {
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}

/** An address that may have a password. Its faults are named without it. */
function credentialUrl(scheme: RegExp, message: string, accepts: (address: URL) => boolean) {
  return z.pipe(
    z.string().check(
      z.refine((value) => !scheme.test(value) || reservedCharacters(value).length === 0, {
        error: ({ input }) => encodingText(String(input)),
        abort: true,
      }),
      z.refine((value) => {
        const address = URL.parse(value);
        return address !== null && scheme.test(address.protocol) && accepts(address);
      }, message),
    ),
    z.transform(withEncodedPercents),
  );
}

function encodingText(address: string): string {
  const places = reservedCharacters(address).map(
    (character) => `${encodeURIComponent(character)} in place of ${character}`,
  );
  return `written with ${places.join(' and ')} in its user name and password`;
}

function url(message: string, accepts: (address: URL) => boolean) {
  return z.string().check(
    z.refine((value) => {
      const address = URL.parse(value);
      return (
        address !== null &&
        /^https?:$/.test(address.protocol) &&
        address.username + address.password + address.hash === '' &&
        !hasQuotationMark(authorityOf(value)) &&
        accepts(address)
      );
    }, message),
  );
}

/** Returns host and port as typed. `URL` would encode characters that the operator did not mean. */
function authorityOf(address: string): string {
  return /^[^:]*:\/*([^/?#]*)/.exec(address)?.[1] ?? '';
}
