/** A guest without a page who has opened the link of a shared bench. */
import { RemoteGuest } from '@wirebench/remote';

type GuestParts = Pick<
  ConstructorParameters<typeof RemoteGuest>[0],
  'clock' | 'dial' | 'secret' | 'name' | 'browserKey'
>;

export function visitorOf(parts: GuestParts) {
  const pieces: { readonly port: number; readonly lane: string; readonly bytes: Uint8Array }[] = [];
  const authors: string[] = [];
  /** Lines from before the guest joined: port, lane, text and author. */
  const earlier: string[] = [];
  const guest = new RemoteGuest({
    ...parts,
    onChange: () => undefined,
    onEarlier: ({ lines }) =>
      earlier.push(
        ...lines.map(({ port, lane, bytes, author }) =>
          [port, lane, JSON.stringify(new TextDecoder().decode(bytes)), ...(author === null ? [] : [author])].join(' '),
        ),
      ),
    onPiece: ({ port, lane, bytes }) => pieces.push({ port, lane, bytes: bytes.slice() }),
    onAuthor: (port, words) => authors.push(`${port} ${words}`),
    onMissing: () => undefined,
  });
  const lane = (port: number, wanted: 'received' | 'sent') =>
    pieces
      .filter((piece) => piece.port === port && piece.lane === wanted)
      .map(({ bytes }) => new TextDecoder().decode(bytes))
      .join('');
  return { guest, lane, authors, earlier };
}
