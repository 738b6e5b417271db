/** Compares the readers with trusted tools: SRecord's `srec_cat`, and `objcopy` of GNU binutils for Arm. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMerged, filler } from '../../esp/testing/esp-images.ts';
import { buildIntelHex, type Stretch } from '../testing/formats.ts';
import { missingCommands, run } from '../testing/tools.ts';
import { readElf } from './elf.ts';
import { readIntelHex } from './intel-hex.ts';
import { readSRecords } from './s-record.ts';
import { readTiTxt } from './ti-txt.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-images-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const numRuns = isLong ? 200 : 8;

const armTools = ['as', 'ld', 'objcopy'].map((tool) => `arm-none-eabi-${tool}`);
const missing = missingCommands('srec_cat', ...armTools);
if (missing.length > 0) {
  console.info(`Left out, because this machine has no ${missing.join(', ')}: formats that are compared with it.`);
}

/** Joins stretches into one image; gaps are 0xFF. */
function flat(stretches: readonly Stretch[]): Uint8Array {
  return buildMerged(
    stretches.map(({ address, bytes }) => [address, bytes] as const),
    stretches[0]?.address,
  );
}

function stretchesFrom(base: number) {
  const piece = fc.record({
    gap: fc.integer({ min: 1, max: 70_000 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }),
  });
  return fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => {
    let next = base;
    return pieces.map(({ gap, bytes }): Stretch => {
      const address = next + gap;
      next = address + bytes.length;
      return { address, bytes };
    });
  });
}

describe.runIf(missingCommands('srec_cat').length === 0)('srec_cat', () => {
  it.each([
    ['Intel HEX with plain addresses', '-intel', readIntelHex, 2, 0],
    ['Intel HEX with segments', '-intel', readIntelHex, 3, 0x20000],
    ['Intel HEX with linear addresses', '-intel', readIntelHex, 4, 0x08000000],
    ['S19', '-motorola', readSRecords, 2, 0],
    ['S28', '-motorola', readSRecords, 3, 0x20000],
    ['S37', '-motorola', readSRecords, 4, 0x08000000],
    ['TI-TXT', '-ti-txt', readTiTxt, 2, 0xf000],
    ['TI-TXT for MSP430X', '-ti-txt', readTiTxt, 3, 0x10000],
  ] as const)('writes what is read as it was meant: %s', (_, format, read, length, base) => {
    const gaps = length === 2 ? fc.constant([{ address: base + 300, bytes: filler(5_000) }]) : stretchesFrom(base);
    fc.assert(
      fc.property(gaps, (stretches) => {
        const inputs = stretches.flatMap(({ address, bytes }, index) => {
          writeFileSync(at(`part${index}.bin`), bytes);
          return [at(`part${index}.bin`), '-binary', '-offset', `${address}`];
        });
        run('srec_cat', ...inputs, '-o', at('out.txt'), format, `-address-length=${length}`);
        expect(read(readFileSync(at('out.txt'))).segments).toEqual(stretches);
      }),
      { numRuns },
    );
  });
});

describe.runIf(missingCommands(...armTools).length === 0)('objcopy', () => {
  it('reads the same from Intel HEX', () => {
    fc.assert(
      fc.property(stretchesFrom(0x08000000), (stretches) => {
        writeFileSync(at('in.hex'), buildIntelHex(stretches, { newline: '\r\n' }));
        run('arm-none-eabi-objcopy', '-I', 'ihex', '-O', 'binary', '--gap-fill', '0xff', at('in.hex'), at('out.bin'));
        const { segments } = readIntelHex(readFileSync(at('in.hex')));
        expect(readFileSync(at('out.bin')).equals(flat(segments))).toBe(true);
      }),
      { numRuns },
    );
  });

  it.each([
    ['with its data in flash and in memory', 0x08010000, false],
    ['whose first segment holds the headers of the file', 0x08010100, true],
  ])('takes the same from an ELF program: %s', (_, origin, hasHeaders) => {
    writeFileSync(
      at('program.s'),
      '.syntax unified\n.thumb\n.text\n.global start\nstart: ldr r0, =0x12345678\nb start\n.data\n.word 1, 2, 3\n.section .rodata\n.ascii "read only"\n.bss\n.space 64\n',
    );
    writeFileSync(
      at('program.ld'),
      `ENTRY(start) MEMORY { flash (rx): ORIGIN = ${origin}, LENGTH = 64K  ram (rwx): ORIGIN = 0x20000000, LENGTH = 16K }\n` +
        'SECTIONS { .text : { *(.text*) *(.rodata*) } > flash  .data : { *(.data*) } > ram AT> flash  .bss : { *(.bss*) } > ram }\n',
    );
    run('arm-none-eabi-as', '-mcpu=cortex-m4', at('program.s'), '-o', at('program.o'));
    run('arm-none-eabi-ld', '-T', at('program.ld'), at('program.o'), '-o', at('program.elf'));
    run('arm-none-eabi-objcopy', '-O', 'binary', '--gap-fill', '0xff', at('program.elf'), at('program.bin'));
    const file = readFileSync(at('program.elf'));
    const firstSegmentAt = file.readUInt32LE(file.readUInt32LE(28) + 4);
    expect(firstSegmentAt === 0).toBe(hasHeaders);
    const program = readElf(file);
    expect([program.machine, program.segments[0]?.address]).toEqual(['arm', origin]);
    expect(readFileSync(at('program.bin')).equals(flat(program.segments))).toBe(true);

    run('arm-none-eabi-objcopy', '-O', 'ihex', at('program.elf'), at('program.hex'));
    const hex = readIntelHex(readFileSync(at('program.hex')));
    expect([hex.segments, hex.entry]).toEqual([program.segments, program.entry]);
  });
});
