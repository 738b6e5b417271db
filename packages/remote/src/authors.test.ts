/** Tests the authors of sent lines from the host's tap log to a guest's tap reader. */
import { expect, it } from 'vitest';
import { TapReader } from './guest/tap-reader.ts';
import { TapLog } from './host/tap-log.ts';
import { limits } from './limits.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (words: string) => new TextEncoder().encode(words);

function watched() {
  const log = new TapLog(limits);
  const seen: string[] = [];
  const reader = new TapReader(
    {
      piece: ({ lane, bytes: piece }) => seen.push(`${lane} ${text(piece)}`),
      author: (port, words) => seen.push(`port ${port}: ${words}`),
      missing: ({ lane, count }) => seen.push(`${count} bytes of ${lane} missing`),
    },
    () => undefined,
  );
  reader.connected(log.head, log.places);
  const next = () => log.next() ?? new Uint8Array();
  return { log, reader, seen, next };
}

it('comes after the bytes that it is about', () => {
  const { log, reader, seen, next } = watched();
  log.add(2, 'sent', bytes('help'), 1);
  log.sign(2, 'typed by Jonas W.', 1);
  log.add(2, 'received', bytes('no help'), 2);
  reader.take(next());
  expect(seen).toEqual(['sent help', 'port 2: typed by Jonas W.', 'received no help']);
});

it('is not said of an earlier line when its own is missing', () => {
  const { log, reader, seen, next } = watched();
  log.add(1, 'sent', bytes('own'), 1);
  reader.take(next());
  log.add(1, 'sent', bytes('help'), 2);
  next();
  log.sign(1, 'typed by Jonas W.', 2);
  const signed = next();
  reader.noticeHead(log.head);
  // The host no longer keeps the frame of the line. The kept frames begin after it.
  reader.caughtUp(3, [signed], log.head);
  log.add(1, 'sent', bytes('more'), 3);
  reader.take(next());
  expect(seen).toEqual(['sent own', '4 bytes of sent missing', 'sent more']);
});

it('is known of what comes after a guest has joined', () => {
  const { log, seen, next } = watched();
  log.add(1, 'sent', bytes('before'), 1);
  log.sign(1, 'typed by Aylin K.', 1);
  next();
  const reader = new TapReader(
    {
      piece: ({ bytes: piece }) => seen.push(text(piece)),
      author: (_port, words) => seen.push(words),
      missing: () => seen.push('missing'),
    },
    () => undefined,
  );
  reader.connected(log.head, log.places);
  log.add(1, 'sent', bytes('after'), 2);
  log.sign(1, 'typed by Jonas W.', 2);
  reader.take(next());
  expect(seen).toEqual(['after', 'typed by Jonas W.']);
});

it('keeps its words short, without half a character at their end', () => {
  const { log, reader, seen, next } = watched();
  log.add(1, 'sent', bytes('x'), 1);
  log.sign(1, `typed by ${'😀'.repeat(80)}`, 1);
  reader.take(next());
  expect(seen[1]).toBe(`port 1: typed by ${'😀'.repeat(27)}`);
});
