/** The expected `output` of programs/answers.c, calculated independently. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { joined, words32 } from '../../byte-fields.ts';

function bytes64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return bytes;
}

export function answers(): Uint8Array {
  let seed = 1;
  const next = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed;
  };
  const values = Int32Array.from({ length: 40 }, next).sort();
  const sorted = new Uint8Array(values.buffer);
  const parts: Uint8Array[] = [words32(crc32(sorted)), sorted.slice(0, 4), sorted.slice(-4)];
  parts.push(new Uint8Array(createHash('sha256').update('abc').digest()));

  const source = joined(...parts);
  let copies = 0;
  for (const to of [0, 1, 2, 3]) {
    for (const from of [0, 1, 2, 3]) {
      const area = new Uint8Array(64).fill(0x55);
      area.set(source.subarray(from, from + 21), to);
      copies = (Math.imul(copies, 31) + crc32(area)) >>> 0;
    }
  }
  parts.push(words32(copies));

  for (let round = 0; round < 4; round++) {
    const one = BigInt.asIntN(64, (BigInt(next()) << 32n) | BigInt(next()));
    const other = BigInt(next()) - BigInt(next()) * 3n + 1n;
    const results = [one + other, one - other, one * other, one / other, one % other, one >> 13n];
    parts.push(...results.map(bytes64));
    const [dividend, divisor] = [next(), (next() >>> 20) + 1];
    const signed = dividend | 0;
    parts.push(
      words32(Math.trunc(dividend / divisor), dividend % divisor, Math.trunc(signed / -divisor), signed % -divisor),
    );
  }
  return joined(...parts);
}
