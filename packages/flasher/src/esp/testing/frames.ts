/** Takes apart the frames that a client sent. Written from "Serial Protocol", without the code under test. */

export interface SentRequest {
  readonly op: number;
  /** Payload as 32-bit words; bytes after the last whole word are left out. */
  readonly words: readonly number[];
}

export function decodeFrames(frames: readonly Uint8Array[]): SentRequest[] {
  return frames.flatMap((frame) => {
    const bytes = unescaped(frame);
    const view = new DataView(bytes.buffer);
    return bytes.length < 8 || bytes[0] !== 0
      ? []
      : [
          {
            op: bytes[1] ?? 0,
            words: Array.from({ length: (bytes.length - 8) >> 2 }, (_, index) => view.getUint32(8 + index * 4, true)),
          },
        ];
  });
}

function unescaped(frame: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (let at = 0; at < frame.length; at++) {
    const byte = frame[at] ?? 0;
    if (byte === 0xdb) {
      at++;
      bytes.push(frame[at] === 0xdc ? 0xc0 : 0xdb);
    } else if (byte !== 0xc0) {
      bytes.push(byte);
    }
  }
  return Uint8Array.from(bytes);
}
