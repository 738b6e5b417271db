/** One side of a ZMODEM session: writes headers and waits for those of the other side. */

import { TransferEnd } from '../transfer-end.ts';
import type { TransferSession } from '../transfer-session.ts';
import { encodeHexHeader, type FrameType } from './frame.ts';
import { type FrameEvent, FrameReader } from './frame-reader.ts';

/** Longest wait for an answer, in milliseconds (section 9.1). */
export const ANSWER_LIMIT = 10_000;
/** Failures in a row without progress before the session ends. */
export const MAX_ERRORS = 12;
/** Longest wait for the end of the last header, in milliseconds. */
const HEADER_END_LIMIT = 100;
/** Bytes of the longest frame part that must arrive within the limit. */
const LONGEST_PART = 2_100;

export class FramePort {
  readonly session: TransferSession;
  readonly #reader: FrameReader;

  constructor(session: TransferSession) {
    this.session = session;
    this.#reader = new FrameReader(session.reader);
  }

  async sendHex(type: FrameType, data: Uint8Array): Promise<void> {
    await this.session.write(encodeHexHeader(type, data));
  }

  /**
   * Waits for the next event.
   *
   * @param limit Milliseconds; the time of a subpacket on the wire is added.
   * @returns Null when the limit is over.
   * @throws TransferEnd if the other side cancels.
   */
  async next(limit = ANSWER_LIMIT): Promise<Exclude<FrameEvent, { kind: 'cancel' }> | null> {
    const { clock, byteTime } = this.session;
    const now = () => clock.now();
    return checked(await this.#reader.next(now, now() + limit + LONGEST_PART * byteTime));
  }

  /** Takes the end of a hex header off the line: CR, LF and perhaps XON, with or without the parity bit. */
  async skipHeaderEnd(): Promise<void> {
    const { reader } = this.session;
    while ((await reader.more(HEADER_END_LIMIT)) && [0x0d, 0x0a, 0x11].includes(reader.peek() & 0x7f)) {
      const isLast = (reader.next() & 0x7f) === 0x0a;
      if (isLast) {
        return;
      }
    }
  }

  /** Returns the next event in what has arrived; null without one. Throws as `next` does. */
  poll(): Exclude<FrameEvent, { kind: 'cancel' }> | null {
    return checked(this.#reader.poll());
  }
}

function checked(event: FrameEvent | null): Exclude<FrameEvent, { kind: 'cancel' }> | null {
  if (event?.kind === 'cancel') {
    throw new TransferEnd('peer-cancelled');
  }
  return event;
}
