/** Finds out which ready decoder takes the first bytes of a port for frames. Loaded when they may be frames. */
import type { FrameCutter } from '@wirebench/frames';
import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import { readyReader } from '@wirebench/frames/ready-reader';

/** Decoders whose frames are known by a checksum or by marks at both ends, so that nothing else is taken for them. */
const known = ['modbus', 'nmea', 'ubx', 'mavlink', 'dmx'] as const satisfies readonly ReadyDecoder[];
/** Fewest frames, and fewest of all bytes in them. What comes before the first frame and after the last does not count. */
const LEAST_FRAMES = 3;
const LEAST_SHARE = 0.8;

/** Frames of one decoder in what a port receives. */
export class FrameCount {
  readonly decoder: ReadyDecoder;
  readonly #cutter: FrameCutter;
  #right = 0;
  #broken = 0;
  /** Bytes of right frames, those between them, and those since the last one. */
  #framed = 0;
  #between = 0;
  #rest = 0;

  private constructor(decoder: ReadyDecoder, cutter: FrameCutter) {
    this.decoder = decoder;
    this.#cutter = cutter;
  }

  static async of(decoder: ReadyDecoder): Promise<FrameCount> {
    const { reader } = await readyReader(decoder);
    return new FrameCount(decoder, reader.cutter('received'));
  }

  get right(): number {
    return this.#right;
  }

  get broken(): number {
    return this.#broken;
  }

  /** True: nearly all bytes are frames. */
  get fits(): boolean {
    return this.#right >= LEAST_FRAMES && this.#framed / (this.#framed + this.#between) >= LEAST_SHARE;
  }

  add(bytes: Uint8Array): void {
    const cutter = this.#cutter;
    // Their checksums or ends say where frames end, not the time.
    cutter.push(bytes, 0, bytes.length, 0);
    for (let piece = cutter.next(); piece !== null; piece = cutter.next()) {
      if (piece.kind !== 'frame') {
        this.#rest += piece.length;
        this.#broken += piece.kind === 'broken' ? 1 : 0;
        continue;
      }
      if (this.#right === 0) {
        // Bytes before the first frame may be the end of one.
        this.#broken = 0;
      } else {
        this.#between += this.#rest;
      }
      this.#rest = 0;
      this.#right++;
      this.#framed += piece.length;
    }
  }
}

/** Returns the frames that the bytes are; null for none. */
export async function framesIn(bytes: Uint8Array): Promise<FrameCount | null> {
  for (const name of known) {
    const count = await FrameCount.of(name);
    count.add(bytes);
    if (count.fits) {
      return count;
    }
  }
  return null;
}
