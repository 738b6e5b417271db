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

/**
 * Takes a link as people paste it: with spaces around it, in angle brackets (RFC 3986, appendix C), or with the full stop of a sentence.
 * @throws RemoteError `no-link` for what is no link of a shared bench, `wrong-key` for one that has lost its key.
 */
export function parseShareLink(text: string): ShareLink {
  const url = urlOf(text.trim().replace(/^<(.*)>$/, '$1'));
  const room = url?.searchParams.get('id') ?? '';
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.pathname !== livePage || !roomText.test(room)) {
    throw new RemoteError('no-link');
  }
  const [secret = ''] = secretText.exec(url.hash.slice(1)) ?? [];
  readSecret(secret);
  return { origin: url.origin, room, secret };
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
