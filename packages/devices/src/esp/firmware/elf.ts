/**
 * The ELF file of a demo application: code, functions, lines and variables, so that a crash can be decoded. Sources:
 * System V ABI, chapter 4 (32 bits); DWARF Debugging Information Format, version 4, section 6.2 (lines).
 */
import { joined, words16, words32 } from '../../byte-fields.ts';
import type { EspChip } from '../chips/chip.ts';
import { debugAbbreviations, debugInfo, signedLeb } from './demo-dwarf.ts';
import { demoSource, lineAddresses, type SourceFunction } from './demo-source.ts';

/** `e_machine`: Tensilica Xtensa, RISC-V. */
const machines = { xtensa: 94, riscv: 243 } as const;
/** Chips with an Xtensa core. All others are RISC-V. */
const xtensaChips: readonly string[] = ['esp8266', 'esp8285', 'esp32', 'esp32s2', 'esp32s3'];

const sectionType = { none: 0, content: 1, symbols: 2, strings: 3 } as const;
/** Section flags: allocated and executable. */
const codeFlags = 0x6;
const headerSize = 52;
const sectionHeaderSize = 40;

interface Section {
  readonly name: string;
  readonly type: number;
  readonly data: Uint8Array;
  readonly flags?: number;
  readonly address?: number;
  /** Index of the section with the strings. `info`: index of the first symbol that is not local. */
  readonly link?: number;
  readonly info?: number;
  readonly entrySize?: number;
}

/**
 * Returns an ELF file.
 * @param chip Chip of the application.
 * @param code Bytes at `chip.layout.code` when the application runs.
 */
export function demoElf(chip: EspChip, code: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = chip.layout.code;
  const strings = new Strings();
  const symbols = joined(
    new Uint8Array(16),
    ...demoSource.functions.map(({ name, offset, size }) =>
      // A global function (0x12) in section 1, the first one after the empty section.
      joined(words32(strings.add(name), start + offset, size), Uint8Array.of(0x12, 0), words16(1)),
    ),
  );
  const sections: Section[] = [
    { name: '', type: sectionType.none, data: new Uint8Array() },
    { name: '.iram0.text', type: sectionType.content, flags: codeFlags, address: start, data: code },
    { name: '.symtab', type: sectionType.symbols, data: symbols, link: 3, info: 1, entrySize: 16 },
    { name: '.strtab', type: sectionType.strings, data: strings.bytes },
    { name: '.debug_abbrev', type: sectionType.content, data: debugAbbreviations },
    { name: '.debug_info', type: sectionType.content, data: debugInfo(start, code.length) },
    { name: '.debug_line', type: sectionType.content, data: debugLine(start) },
  ];
  return elfFile(xtensaChips.includes(chip.name) ? machines.xtensa : machines.riscv, start, sections);
}

function elfFile(machine: number, entry: number, given: readonly Section[]): Uint8Array<ArrayBuffer> {
  const names = new Strings();
  const nameOffsets = [...given.map(({ name }) => names.add(name)), names.add('.shstrtab')];
  const sections: Section[] = [...given, { name: '.shstrtab', type: sectionType.strings, data: names.bytes }];
  let at = headerSize;
  const placed = sections.map((section) => {
    const offset = at;
    at += Math.ceil(section.data.length / 4) * 4;
    return { ...section, offset };
  });
  const file = new Uint8Array(at + sections.length * sectionHeaderSize);
  file.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  // An executable of version 1, without program headers.
  file.set(joined(words16(2, machine), words32(1, entry, 0, at, 0), words16(headerSize, 0, 0, sectionHeaderSize)), 16);
  file.set(words16(sections.length, sections.length - 1), 48);
  for (const [index, section] of placed.entries()) {
    const { type, data, offset, flags = 0, address = 0, link = 0, info = 0, entrySize = 0 } = section;
    file.set(data, offset);
    const head = [nameOffsets[index] ?? 0, type, flags, address, offset, data.length, link, info, 4, entrySize];
    file.set(words32(...head), at + index * sectionHeaderSize);
  }
  return file;
}

const lineOpcode = { copy: 1, advancePc: 2, advanceLine: 3, extended: 0, endSequence: 1, setAddress: 2 } as const;
/** Operands of the standard opcodes 1 to 12. */
const operandCounts = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];

function debugLine(start: number): Uint8Array {
  const { file, functions } = demoSource;
  // Smallest instruction one byte, one operation each, statements by default. The values for special opcodes are
  // unused.
  const settings = Uint8Array.of(1, 1, 1, 0xfb, 14, operandCounts.length + 1, ...operandCounts);
  // No directories. One file, in the unit's directory.
  const files = joined(Uint8Array.of(0), text(file), Uint8Array.of(0, 0, 0, 0));
  const head = joined(settings, files);
  const program = functions.map((one) => lineSequence(start, one));
  return withLength(joined(words16(4), words32(head.length), head, ...program));
}

/** Returns a line sequence with one row for each line of a function. */
function lineSequence(start: number, source: SourceFunction): Uint8Array {
  const rows = lineAddresses(source);
  const parts: Uint8Array[] = [
    Uint8Array.of(lineOpcode.extended, 5, lineOpcode.setAddress),
    words32(start + source.offset),
  ];
  let [address, line] = [source.offset, 1];
  for (const row of rows) {
    parts.push(Uint8Array.of(lineOpcode.advancePc, ...unsignedLeb(row.offset - address)));
    parts.push(Uint8Array.of(lineOpcode.advanceLine, ...signedLeb(row.line - line), lineOpcode.copy));
    [address, line] = [row.offset, row.line];
  }
  const end = source.offset + source.size;
  parts.push(Uint8Array.of(lineOpcode.advancePc, ...unsignedLeb(end - address)));
  parts.push(Uint8Array.of(lineOpcode.extended, 1, lineOpcode.endSequence));
  return joined(...parts);
}

/** Encodes an unsigned LEB128 number (DWARF 4, section 7.6). */
function unsignedLeb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsignedLeb(value >>> 7)];
}

function withLength(content: Uint8Array): Uint8Array {
  return joined(words32(content.length), content);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(`${value}\0`);
}

/** A section of strings. It begins with the empty string. */
class Strings {
  #parts: Uint8Array[] = [Uint8Array.of(0)];
  #length = 1;

  /** @returns Offset of the string in the section. */
  add(value: string): number {
    if (value === '') {
      return 0;
    }
    const bytes = text(value);
    const at = this.#length;
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return at;
  }

  get bytes(): Uint8Array {
    return joined(...this.#parts);
  }
}
