/** Tells a protocol from the text of a board whose program has ended, without taking the text off the line. */
import type { TransferSession } from './transfer-session.ts';

/** Text is over when nothing has come for this time, in milliseconds. */
const TEXT_QUIET = 300;
/** Longest wait for that, in milliseconds: a board that prints without an end. */
const TEXT_LIMIT = 2_000;

/**
 * - `protocol`: a byte that begins a part of the protocol has arrived.
 * - `text`: the board prints, such as a prompt. The text is still on the line, for the log.
 * - `silence`: nothing came. Bytes that are neither were dropped.
 */
export type Next = 'protocol' | 'text' | 'silence';

/**
 * Waits for the next bytes, where the other side may have left the protocol.
 *
 * @param limit Milliseconds.
 * @param begins Returns true for a byte with which a part of the protocol begins.
 * @throws TransferEnd after a cancel, or when the link is closed.
 */
export async function nextIs(
  { reader, clock }: TransferSession,
  limit: number,
  begins: (byte: number) => boolean,
): Promise<Next> {
  const end = clock.now() + limit;
  while (await reader.more(Math.max(0, end - clock.now()))) {
    if (!reader.ahead().some(begins)) {
      await reader.settle(TEXT_QUIET, TEXT_LIMIT);
    }
    const bytes = reader.ahead();
    if (bytes.some(begins)) {
      return 'protocol';
    }
    if (isText(bytes)) {
      return 'text';
    }
    reader.takeAll();
  }
  return 'silence';
}

/** Returns true for printable ASCII, ends of lines, tabs, backspaces and escapes with at least two printable characters. */
export function isText(bytes: Uint8Array): boolean {
  const isPrintable = (byte: number) => byte >= 0x20 && byte < 0x7f;
  return (
    bytes.every((byte) => isPrintable(byte) || [0x07, 0x08, 0x09, 0x0a, 0x0d, 0x1b].includes(byte)) &&
    bytes.filter(isPrintable).length >= 2
  );
}
