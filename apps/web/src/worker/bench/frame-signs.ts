/** Finds out which ready decoder takes the first bytes of a port for frames. Loaded when they may be frames. */
import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import { readyReader } from '@wirebench/frames/ready-reader';

/** Decoders whose frames are known by a checksum or by marks at both ends, so that nothing else is taken for them. */
const known = ['modbus', 'nmea', 'ubx', 'mavlink', 'dmx'] as const satisfies readonly ReadyDecoder[];
/** Fewest frames, and fewest of all bytes in them. What comes before the first frame and after the last does not count. */
const LEAST_FRAMES = 3;
const LEAST_SHARE = 0.8;

/** Returns the decoder whose frames the bytes are; null for none. */
export async function framesIn(bytes: Uint8Array): Promise<ReadyDecoder | null> {
  for (const name of known) {
    if (await isMadeOf(name, bytes)) {
      return name;
    }
  }
  return null;
}

async function isMadeOf(name: ReadyDecoder, bytes: Uint8Array): Promise<boolean> {
  const { reader } = await readyReader(name);
  const cutter = reader.cutter('received');
  let frames = 0;
  let framed = 0;
  let between = 0;
  let since = 0;
  cutter.push(bytes, 0, bytes.length, 0);
  for (let piece = cutter.next(); piece !== null; piece = cutter.next()) {
    if (piece.kind === 'frame') {
      between += frames === 0 ? 0 : since;
      since = 0;
      frames++;
      framed += piece.length;
    } else {
      since += piece.length;
    }
  }
  return frames >= LEAST_FRAMES && framed / (framed + between) >= LEAST_SHARE;
}
