/** A recorded session with a ROM: the frames sent, and the words that the ROM read. */
import { readFileSync } from 'node:fs';

export interface Recording {
  readonly chip: 'esp32' | 'esp32c3';
  /** Frames in hexadecimal. */
  readonly sent: readonly string[];
  /** Words that READ_REG returned, in order. */
  readonly words: readonly number[];
}

/** The same recordings test the simulated chips. */
const recordings = new URL('../../../devices/src/esp/testing/lab-recordings/', import.meta.url);

const READ_REG = '010a0400';

export function recording(name: string): Recording {
  const [first = '{}', ...lines] = readFileSync(new URL(`${name}.jsonl`, recordings), 'utf8')
    .trim()
    .split('\n');
  const { chip } = JSON.parse(first) as { chip: Recording['chip'] };
  const frames = lines.map((line) => JSON.parse(line) as { tx?: string; rx?: string });
  return {
    chip,
    sent: frames.flatMap(({ tx }) => (tx === undefined ? [] : [tx])),
    words: frames
      .flatMap(({ rx }) => (rx === undefined ? [] : [unescaped(rx)]))
      .filter((frame) => frame.startsWith(READ_REG))
      .map((frame) => Buffer.from(frame, 'hex').readUInt32LE(4)),
  };
}

/** Removes delimiters and escapes from a frame in hexadecimal. */
export function unescaped(frame: string): string {
  const bytes = (frame.match(/../g) ?? []).slice(1, -1).join(' ');
  return bytes.replaceAll('db dc', 'c0').replaceAll('db dd', 'db').replaceAll(' ', '');
}
