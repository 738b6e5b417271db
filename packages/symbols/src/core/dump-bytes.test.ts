import { expect, it } from 'vitest';
import { coreDumpBytes } from './dump-bytes.ts';
import { coreElf, extraInfo, joined, printed, riscvStatus } from './testing/dump-files.ts';
import { wrapped } from './testing/wrapped-dump.ts';

const elf = coreElf({
  machine: 243,
  notes: [
    riscvStatus(
      0x3fc9_1000,
      Array.from({ length: 32 }, (_, index) => index),
    ),
    extraInfo(0x3fc9_1000),
  ],
  memory: [],
});
const contained = wrapped(5, 0x102, [1, 2, 3], elf);

it('of a text there is the dump alone, not the log around it', () => {
  const log = `wifi: password hunter2\r\n${printed(contained)}\r\nrebooting`;
  expect(coreDumpBytes(new TextEncoder().encode(log))).toEqual(contained);
});

it('of a partition there is the dump alone, not what an older one left behind it', () => {
  expect(coreDumpBytes(joined(contained, new Uint8Array(4_096).fill(0x5a)))).toEqual(contained);
});

it('a bare ELF core file is all of it', () => {
  expect(coreDumpBytes(elf)).toEqual(elf);
});
