/**
 * Programs for the simulated boards: a second stage or an image definition, a vector table, and a text that the
 * simulation prints when it "runs" the program. They contain no real code.
 */
import { joined, words32 } from '../byte-fields.ts';
import { type ChipName, checksum } from './chip/rp-chip.ts';

/**
 * Kinds of programs by their ways into BOOTSEL. `arduino`: Arduino-Pico, a touch at 1200 baud. `sdk`:
 * `pico_stdio_usb`, a touch and the reset interface. `micropython`: the REPL. `plain`: a USB port without any. `uart`:
 * no USB, output on a UART.
 */
const rpProgramKinds = ['arduino', 'sdk', 'micropython', 'plain', 'uart'] as const;
export type RpProgramKind = (typeof rpProgramKinds)[number];

export interface RpFirmwareOptions {
  /** Printed at the start. */
  readonly text: string;
  /** Default `sdk`. */
  readonly kind?: RpProgramKind;
  /** Default `rp2040`. */
  readonly chip?: ChipName;
  /** Processor of a program for the RP2350. Default `arm`. */
  readonly architecture?: 'arm' | 'riscv';
  /** Minimum size in bytes, reached by filler. Default: as short as possible. */
  readonly size?: number;
  /** Seed of the filler. Default 1. */
  readonly seed?: number;
  /** Name and version in its binary info. Default: it has none. */
  readonly info?: { readonly name: string; readonly version: string };
  /** True: add a mark for which flashers refuse to write it to a real board. Default false. */
  readonly demoOnly?: boolean;
  /** File system that the program states in its binary info. Default: it has no binary info. */
  readonly drive?: StatedDrive;
}

/** A block device as binary info states it (pico-sdk, `pico/binary_info/structure.h`, `binary_info_block_device_t`). */
interface StatedDrive {
  /** Name of the interpreter: `MicroPython`, `CircuitPython`. */
  readonly name: string;
  /** MicroPython states an address, CircuitPython an offset from the start of flash. */
  readonly address: number;
  /** In bytes. */
  readonly size: number;
}

export interface RpProgram {
  readonly kind: RpProgramKind;
  readonly text: string;
}

const secondStageSize = 256;
/** 16 exceptions and 26 interrupts (RP2040 datasheet, section 2.3.2), rounded up. */
const vectors = 48;
const initialStack = 0x2004_2000;
const flashStart = 0x1000_0000;
/** Precedes kind and text: this name with a 0, the kind, a 0, the text, a 0. */
const marker = new TextEncoder().encode('wirebench-rp2-program\0');
/** Mark by which flashers recognise demo firmware. */
const demoMark = new TextEncoder().encode('wirebench-boot-text:\0');
/** Bytes that are searched for a marker. */
const searched = 65_536;

/** An executable image for the RP2350 in the secure state, by processor (RP2350 datasheet, section 5.9.3.1). */
const imageTypes = { arm: 0x1021, riscv: 0x1101 } as const;

/** Binary info (pico-sdk, `pico/binary_info/defs.h` and `structure.h`): marks, types of entries, tags, IDs. */
const binaryInfoMarks = { start: 0x7188_ebf2, end: 0xe71a_a390 } as const;
const binaryInfoTypes = { int: 5, text: 6, blockDevice: 7 } as const;
const binaryInfoIds = { name: 0x0203_1c86, version: 0x11a9_bc3a, end: 0x68f4_65de } as const;
const raspberryPiTag = 0x5052_0000;
const microPythonTag = 0x504d_0000;
/** Flags of a block device: readable, writable. */
const READ_WRITE = 3;

/** An entry: words before and behind the address of its text. */
interface InfoEntry {
  readonly before: readonly number[];
  readonly text: string;
  readonly behind: readonly number[];
}

function entriesOf({ info, drive }: Pick<RpFirmwareOptions, 'info' | 'drive'>): readonly InfoEntry[] {
  const told = (id: number, text: string): InfoEntry => ({
    before: [raspberryPiTag + binaryInfoTypes.text, id],
    text,
    behind: [],
  });
  return [
    ...(info === undefined ? [] : [told(binaryInfoIds.name, info.name), told(binaryInfoIds.version, info.version)]),
    ...(drive === undefined
      ? []
      : [
          {
            before: [microPythonTag + binaryInfoTypes.blockDevice],
            text: drive.name,
            behind: [drive.address, drive.size, 0, READ_WRITE],
          },
        ]),
  ];
}

/**
 * Returns the header, the list of entries, the empty table of addresses that are copied, the entries, and their texts;
 * nothing for a program that states nothing.
 *
 * @param at Offset in flash, in bytes.
 */
function binaryInfo(options: Pick<RpFirmwareOptions, 'info' | 'drive'>, at: number, size: number): Uint8Array {
  const stated = entriesOf(options);
  if (stated.length === 0) {
    return new Uint8Array();
  }
  const end = size === 0 ? [] : [raspberryPiTag + binaryInfoTypes.int, binaryInfoIds.end, flashStart + size];
  const list = flashStart + at + 5 * 4;
  const copies = list + (stated.length + (end.length === 0 ? 0 : 1)) * 4;
  let entryAt = copies + 4;
  const pointers: number[] = [];
  for (const { before, behind } of stated) {
    pointers.push(entryAt);
    entryAt += (before.length + 1 + behind.length) * 4;
  }
  if (end.length > 0) {
    pointers.push(entryAt);
  }
  let textAt = entryAt + end.length * 4;
  const entries: number[] = [];
  const texts: Uint8Array[] = [];
  for (const { before, text, behind } of stated) {
    const bytes = new TextEncoder().encode(text.padEnd(Math.ceil((text.length + 1) / 4) * 4, '\0'));
    entries.push(...before, textAt, ...behind);
    texts.push(bytes);
    textAt += bytes.length;
  }
  return joined(
    words32(binaryInfoMarks.start, list, copies, copies, binaryInfoMarks.end),
    words32(...pointers, 0),
    words32(...entries, ...end),
    ...texts,
  );
}

/** Returns a program that the simulated boards can run, from the start of flash. Its length is a multiple of 256. */
export function rpFirmware(options: RpFirmwareOptions): Uint8Array<ArrayBuffer> {
  const { text, kind = 'sdk', chip = 'rp2040', architecture = 'arm', size = 0, seed = 1, demoOnly = false } = options;
  const spoken = joined(marker, new TextEncoder().encode(`${kind}\0${text}\0`), demoOnly ? demoMark : new Uint8Array());
  const vectorTable = chip === 'rp2040' ? secondStageSize : 0;
  const block =
    chip === 'rp2040'
      ? new Uint8Array()
      : words32(0xffff_ded3, imageTypes[architecture] * 0x1_0000 + 0x0142, 0x0000_01ff, 0, 0xab12_3579);
  const infoAt = vectorTable + vectors * 4 + block.length;
  const told = binaryInfo(options, infoAt, size);
  const start = infoAt + told.length;
  const image = new Uint8Array(Math.ceil(Math.max(start + spoken.length, size) / 256) * 256);
  const view = new DataView(image.buffer);
  let state = seed >>> 0;
  for (let at = start + spoken.length; at < image.length; at++) {
    // A linear congruential generator (Numerical Recipes, section 7.1), so that the filler does not compress well.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    image[at] = state >>> 24;
  }
  view.setUint32(vectorTable, initialStack, true);
  for (let index = 1; index < vectors; index++) {
    view.setUint32(vectorTable + index * 4, flashStart + start + 1, true);
  }
  image.set(block, vectorTable + vectors * 4);
  image.set(told, infoAt);
  image.set(spoken, start);
  if (chip === 'rp2040') {
    // The second stage of the simulated boards is a loop to itself with its checksum.
    image.set([0xfe, 0xe7]);
    view.setUint32(secondStageSize - 4, checksum(image.subarray(0, secondStageSize - 4)), true);
  }
  return image;
}

/** Returns kind and text of a program; null for one without a marker. `image` begins at the start of flash. */
export function rpProgramIn(image: Uint8Array): RpProgram | null {
  const bytes = image.subarray(0, searched);
  for (let at = bytes.indexOf(marker[0] ?? 0); at >= 0; at = bytes.indexOf(marker[0] ?? 0, at + 1)) {
    if (marker.every((byte, index) => bytes[at + index] === byte)) {
      const [name, text] = new TextDecoder().decode(bytes.subarray(at + marker.length)).split('\0', 2);
      const kind = rpProgramKinds.find((one) => one === name);
      return kind === undefined || text === undefined ? null : { kind, text };
    }
  }
  return null;
}

/** Layout of a UF2 block: its size, its data (Microsoft, "USB Flashing Format"; RP2040 datasheet 2.8.4.2), its magic numbers. */
const uf2 = { block: 512, payload: 256, magics: [0x0a32_4655, 0x9e5d_5157, 0x0ab1_6f30], hasFamily: 0x2000 } as const;

/** UF2 families of programs (pico-sdk, `boot/uf2.h`): `rp2040`, `rp2350-arm-s`, `rp2350-riscv`. */
const uf2Families = { rp2040: 0xe48b_ff56, arm: 0xe48b_ff59, riscv: 0xe48b_ff5a } as const;

/** Returns the program as a UF2 file, as the SDK makes it. */
export function rpFirmwareUf2(options: RpFirmwareOptions): Uint8Array<ArrayBuffer> {
  const image = rpFirmware(options);
  const { chip = 'rp2040', architecture = 'arm' } = options;
  const family = chip === 'rp2040' ? uf2Families.rp2040 : uf2Families[architecture];
  const total = image.length / uf2.payload;
  const file = new Uint8Array(total * uf2.block);
  const [first, second, last] = uf2.magics;
  for (let number = 0; number < total; number++) {
    const at = number * uf2.payload;
    const head = words32(first, second, uf2.hasFamily, flashStart + at, uf2.payload, number, total, family);
    file.set(head, number * uf2.block);
    file.set(image.subarray(at, at + uf2.payload), number * uf2.block + head.length);
    file.set(words32(last), (number + 1) * uf2.block - 4);
  }
  return file;
}
