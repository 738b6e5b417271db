/**
 * Reads the header of a unit's line table: parameters of its program, directories and files. Versions: DWARF 5,
 * section 6.2.4; for the older format DWARF 4, same section.
 */
import { ByteCursor, stringAt } from '../byte-cursor.ts';
import { form } from './constants.ts';
import type { DebugSections } from './debug-sections.ts';
import { type Encoding, readValue } from './forms.ts';
import { readInitialLength } from './initial-length.ts';

const contentType = { path: 1, directoryIndex: 2 } as const;

export interface SourceFile {
  readonly name: string;
  /** Index of the directory in the table. */
  readonly directory: number;
}

export interface LineHeader extends Encoding {
  /** Offset of the program in `.debug_line`. */
  readonly programStart: number;
  readonly programEnd: number;
  readonly minimumInstructionLength: number;
  /** Maximum operations per instruction; above 1 on machines with very long instructions (VLIW). */
  readonly operationsPerInstruction: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Operand counts of the standard opcodes, by opcode. */
  readonly operandCounts: readonly number[];
  /**
   * Directories by index. Up to version 4 numbered from 1; entry 0 is the unit's directory and empty here. From
   * version 5 on numbered from 0.
   */
  readonly directories: readonly string[];
  /**
   * Files by index: up to version 4 numbered from 1 (entry 0 is absent), from version 5 on from 0. Programs may add
   * files.
   */
  readonly files: (SourceFile | undefined)[];
}

/**
 * Reads the header of the line table at `offset` in `.debug_line`.
 * @param addressSize of the unit; version 5 tables have their own
 * @throws RangeError if the table is damaged.
 */
export function readLineHeader(sections: DebugSections, offset: number, addressSize: number): LineHeader {
  const cursor = new ByteCursor(sections.line, sections.littleEndian, offset);
  const { end, offsetSize } = readInitialLength(cursor);
  const version = cursor.u16();
  if (version < 2 || version > 5 || end > sections.line.length) {
    throw new RangeError(`A line table of version ${version}`);
  }
  const encoding = { version, offsetSize, addressSize: version === 5 ? cursor.u8() : addressSize };
  // Skips the size of segment selectors.
  cursor.advance(version === 5 ? 1 : 0);
  const headerLength = cursor.unsigned(offsetSize);
  const programStart = cursor.position + headerLength;
  const minimumInstructionLength = cursor.u8();
  const operationsPerInstruction = version >= 4 ? Math.max(1, cursor.u8()) : 1;
  // Skips `default_is_stmt`: lookups use all rows, not only statements.
  cursor.advance(1);
  const lineBase = cursor.i8();
  const lineRange = cursor.u8();
  const opcodeBase = cursor.u8();
  const operandCounts = [0, ...Array.from({ length: Math.max(0, opcodeBase - 1) }, () => cursor.u8())];
  const tables = version === 5 ? readTables(cursor, sections, encoding) : readOldTables(cursor);
  return {
    ...encoding,
    ...tables,
    programStart,
    programEnd: end,
    minimumInstructionLength,
    operationsPerInstruction,
    lineBase,
    lineRange,
    opcodeBase,
    operandCounts,
  };
}

type Tables = Pick<LineHeader, 'directories' | 'files'>;

function readOldTables(cursor: ByteCursor): Tables {
  const directories = [''];
  for (let directory = cursor.string(); directory !== ''; directory = cursor.string()) {
    directories.push(directory);
  }
  const files: (SourceFile | undefined)[] = [undefined];
  for (let name = cursor.string(); name !== ''; name = cursor.string()) {
    files.push(readOldFile(cursor, name));
  }
  return { directories, files };
}

/** Reads the fields after a file name in the older format, also where a program defines a file. */
export function readOldFile(cursor: ByteCursor, name: string): SourceFile {
  const directory = cursor.uleb();
  // Skips modification time and length.
  cursor.uleb();
  cursor.uleb();
  return { name, directory };
}

function readTables(cursor: ByteCursor, sections: DebugSections, encoding: Encoding): Tables {
  const directories = readEntries(cursor, sections, encoding).map(({ name }) => name);
  return { directories, files: readEntries(cursor, sections, encoding) };
}

/**
 * Reads a list of directories or files. Its header gives the format of all entries; fields other than path and
 * directory index are ignored.
 */
function readEntries(cursor: ByteCursor, sections: DebugSections, encoding: Encoding): SourceFile[] {
  const shape = Array.from({ length: cursor.u8() }, () => ({ content: cursor.uleb(), form: cursor.uleb() }));
  const count = cursor.uleb();
  if (count > cursor.bytes.length) {
    throw new RangeError(`${count} files`);
  }
  const entries: SourceFile[] = [];
  for (let index = 0; index < count; index++) {
    let name = '';
    let directory = 0;
    for (const { content, form: kind } of shape) {
      const value = readValue(cursor, kind, 0, encoding);
      if (content === contentType.path) {
        name = pathOf(value.form, value.number, sections);
      } else if (content === contentType.directoryIndex) {
        directory = value.number;
      }
    }
    entries.push({ name, directory });
  }
  return entries;
}

function pathOf(kind: number, offset: number, sections: DebugSections): string {
  switch (kind) {
    case form.string:
      return stringAt(sections.line, offset);
    case form.lineStrp:
      return stringAt(sections.line_str, offset);
    case form.strp:
      return stringAt(sections.str, offset);
    default:
      return '';
  }
}
