/**
 * Formats and parses the link of a shared bench: the room in the query, the secret in the fragment. A browser never
 * sends the fragment to a server.
 */
import { livePage } from '@wirebench/contract/constants';
import { RemoteError } from './remote-failure.ts';
import { readSecret } from './sealing/secret.ts';

export interface ShareLink {
  /** The relay's server: scheme, host and port. */
  readonly origin: string;
  readonly room: string;
  readonly secret: string;
}

/**
 * The secret at the start of the fragment. Characters behind it, such as the full stop of a sentence, are ignored. A
 * longer word is another secret.
 */
const secretText = /^[A-Za-z0-9_-]+/;
const roomText = /^[A-Za-z0-9_-]{22,64}$/;

export function formatShareLink({ origin, room, secret }: ShareLink): string {
  return `${origin}${livePage}?id=${room}#${secret}`;
}

/** Maximum number of times that programs on the way have escaped a link: for example a mail program and a filter. */
const MAX_ESCAPES = 2;

/**
 * Parses a link as people paste it: with spaces around it, in angle brackets (RFC 3986, appendix C), or with the full
 * stop of a sentence. A mail program may have escaped characters such as `#`, as `%23` or as `&#35;`.
 *
 * @throws RemoteError `no-link` for other text, `wrong-key` for a link without its complete key.
 */
export function parseShareLink(text: string): ShareLink {
  let link = text
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .replace(/&(?:#0*35|#x0*23|num);/i, '#')
    .replace(/&amp;/gi, '&');
  for (let escapes = 0; ; escapes++) {
    const url = urlOf(link);
    const room = url === null ? null : roomOf(url);
    if (url !== null && room !== null) {
      const [secret = ''] = secretText.exec(url.hash.slice(1)) ?? [];
      readSecret(secret);
      return { origin: url.origin, room, secret };
    }
    const unescaped = withoutEscapes(link);
    if (escapes === MAX_ESCAPES || unescaped === link) {
      throw new RemoteError('no-link');
    }
    link = unescaped;
  }
}

/** Returns the room of a shared bench's address; null for any other address. */
function roomOf(url: URL): string | null {
  const room = url.searchParams.get('id') ?? '';
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.pathname === livePage && roomText.test(room) ? room : null;
}

/** Undoes one round of percent-encoding (RFC 3986, section 2.1). Invalid escapes stay as they are. */
function withoutEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%[2-7][0-9a-f]/gi, decodeURIComponent);
  }
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
