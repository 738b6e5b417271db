/** The link of a shared bench: its room in the query, its secret in the fragment, which a browser sends to no server. */
import { livePage } from '@wirebench/contract/constants';
import { RemoteError } from './remote-failure.ts';
import { readSecret } from './sealing/secret.ts';

export interface ShareLink {
  /** The server that passes frames on: scheme, host and port. */
  readonly origin: string;
  /** The id of the room. */
  readonly room: string;
  readonly secret: string;
}

/** What stands behind it, such as the full stop of a sentence, is none of it; a longer word is another one. */
const secretText = /^[A-Za-z0-9_-]+/;
const roomText = /^[A-Za-z0-9_-]{22,64}$/;

export function formatShareLink({ origin, room, secret }: ShareLink): string {
  return `${origin}${livePage}?id=${room}#${secret}`;
}

/** How often programs on the way have escaped a link at most: a mail program, and a filter behind it. */
const MAX_ESCAPES = 2;

/**
 * Reads a link as people paste it: with spaces around it, in angle brackets (RFC 3986, appendix C), with the full stop of a sentence, or
 * with characters such as `#` escaped by a mail program, as `%23` or as `&#35;`.
 * @throws RemoteError `no-link` for other text, `wrong-key` for a link without its key, or with a part of it.
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

/** Null for an address that is not one of a shared bench. */
function roomOf(url: URL): string | null {
  const room = url.searchParams.get('id') ?? '';
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.pathname === livePage && roomText.test(room) ? room : null;
}

/** Undoes one round of percent-encoding (RFC 3986, section 2.1). Escapes that are invalid stay as they are. */
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
