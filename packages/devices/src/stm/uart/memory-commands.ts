/** Read Memory, Go, Write Memory and Get Checksum: AN3155, sections 3.4 to 3.6 and 3.13. */
import { viewOf } from '../../byte-fields.ts';
import {
  answer,
  type Dialogue,
  hasSum,
  type Leaving,
  type ProgramContext,
  receive,
  receiveWord,
  xor,
} from './dialogue.ts';
import { optionsChanged } from './protection-commands.ts';

/** Section 3.4. */
export function* readMemory({ chip }: ProgramContext): Dialogue<null> {
  if (!(yield* answer('read-command', chip.protection === 0, { nacks: chip.part.doubleNack ? 2 : 1 }))) {
    return null;
  }
  const address = yield* receiveWord();
  if (!(yield* answer('read-address', address !== null && chip.mayRead(address))) || address === null) {
    return null;
  }
  const { bytes, intact } = yield* receive(2);
  const [count = 0, complement] = bytes;
  const data = () => chip.read(address, count + 1);
  yield* answer('read-data', intact && complement === (count ^ 0xff), { data });
  return null;
}

/** Section 3.5. */
export function* go({ chip }: ProgramContext): Dialogue<Leaving | null> {
  if (!(yield* answer('go-command', chip.protection === 0))) {
    return null;
  }
  const address = yield* receiveWord();
  const valid = address !== null && chip.mayStart(address);
  return (yield* answer('go-address', valid)) && address !== null ? { kind: 'jump', address } : null;
}

/** Section 3.6. The number of bytes must be a multiple of four (AN2606, section 4.4). */
export function* writeMemory({ chip, now }: ProgramContext): Dialogue<Leaving | null> {
  if (!(yield* answer('write-command', chip.protection === 0, { nacks: chip.part.doubleNack ? 2 : 1 }))) {
    return null;
  }
  const address = yield* receiveWord();
  if (!(yield* answer('write-address', address !== null && chip.mayWrite(address))) || address === null) {
    return null;
  }
  const first = yield* receive(1);
  const count = (first.bytes[0] ?? 0) + 1;
  const rest = yield* receive(count + 1);
  const work = () => chip.write(now(), address, rest.bytes.subarray(0, count));
  const written = yield* answer('write-data', hasSum(first, rest) && count % 4 === 0, { work });
  return written && chip.isOption(address) ? optionsChanged(chip) : null;
}

/** Section 3.13. The last parameter has its own ACK, before the ACK with the checksum. */
export function* getChecksum({ chip }: ProgramContext): Dialogue<null> {
  if (!(yield* answer('checksum-command', chip.protection === 0))) {
    return null;
  }
  const parameters: number[] = [];
  const checks = [
    (address: number) => chip.mayRead(address),
    (words: number) => words > 0 && words * 4 <= chip.flash.size,
    () => true,
    () => true,
  ];
  for (const check of checks) {
    const parameter = yield* receiveWord();
    if (!(yield* answer('checksum', parameter !== null && check(parameter))) || parameter === null) {
      return null;
    }
    parameters.push(parameter);
  }
  const [address = 0, words = 0, polynomial = 0, initial = 0] = parameters;
  const sum = wordChecksum(chip.read(address, words * 4), polynomial, initial);
  const bytes = [24, 16, 8, 0].map((shift) => (sum >>> shift) & 0xff);
  yield* answer('checksum', true, { data: () => [...bytes, xor(bytes)] });
  return null;
}

/**
 * Returns the checksum of the parts' CRC unit (reference manuals, "CRC calculation unit"). It takes little-endian
 * 32-bit words, each from its highest bit on, without reversal or inversion.
 * @param bytes Length is a multiple of 4.
 * @param polynomial Polynomial without its highest bit.
 * @param initial Initial value.
 */
function wordChecksum(bytes: Uint8Array, polynomial: number, initial: number): number {
  const view = viewOf(bytes);
  let sum = initial | 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    sum ^= view.getInt32(at, true);
    for (let bit = 0; bit < 32; bit++) {
      sum = sum < 0 ? (sum << 1) ^ polynomial : sum << 1;
    }
  }
  return sum >>> 0;
}
