/**
 * Removes from a stream what a terminal does not draw: NUL, control strings such as the marks of OSC 3008 and OSC 133,
 * and control sequences that do not edit their line, colours included. The result does not depend on how the stream is
 * cut, and a sequence without an end costs at most `MAX_HELD` bytes.
 */
import { ByteList } from './byte-list.ts';
import { ControlReader, MAX_HELD } from './control-reader.ts';
import { lineEdit, NUL } from './control-sequences.ts';

export class DrawnBytes {
  readonly #reader = new ControlReader({
    text: (byte, out) => {
      if (byte !== NUL) {
        out.push(byte);
      }
    },
    sequence: (sequence, out) => {
      if (lineEdit(sequence, 0, sequence.length) !== null) {
        out.pushAll(sequence, 0, sequence.length);
      }
    },
    escape: () => undefined,
    // It is drawn as `\x1b`.
    stray: (bytes, out) => out.pushAll(bytes, 0, bytes.length),
  });

  /** Takes the next piece of the stream. Returns the bytes that are drawn, in their order. */
  take(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = new ByteList(bytes.length + MAX_HELD);
    for (const byte of bytes) {
      this.#reader.take(byte, out);
    }
    return out.take(out.length);
  }
}
