/** Notices packets of Improv in what a port receives. Cheap: it looks for one byte in a chunk without a packet. */
import { type ImprovState, readPacket } from './messages.ts';
import { PacketStream } from './packet.ts';

const FIRST = 0x49;

export class PacketWatch {
  readonly #stream = new PacketStream();

  /**
   * Takes a chunk as received.
   *
   * @returns Null without a whole packet of a board; else its last reported state, `unknown` without one.
   */
  received(bytes: Uint8Array): ImprovState | 'unknown' | null {
    if (!this.#stream.isWaiting && !bytes.includes(FIRST)) {
      return null;
    }
    const messages = this.#stream.take(bytes).packets.map(readPacket);
    let seen: ImprovState | 'unknown' | null = null;
    for (const message of messages) {
      if (message !== null) {
        seen = message.kind === 'state' ? message.state : (seen ?? 'unknown');
      }
    }
    return seen;
  }
}
