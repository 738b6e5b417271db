/** Rules for the files of an STM32, which are data at addresses. */
import { memoryFiles, oneFormat } from '../given-files/memory-files.ts';
import {
  isBlank,
  type MemoryFile,
  notFirmware,
  notFirmwareTitle,
  readMemoryFile,
  usualExtensions,
  vectorTableOf,
} from '../images/index.ts';
import { printedStartOf } from '../images/printed-start.ts';
import { type StmPlanFile, stmChips, stmFlashStart } from './index.ts';

const dotted = ['bin', ...usualExtensions].map((extension) => `.${extension}`);

/** Formats of one program, the one that says most about it first. */
const formatOrder: readonly string[] = [...usualExtensions, 'bin'];

const readFile = (name: string, bytes: Uint8Array, address: number) =>
  readMemoryFile(bytes, address, { name, own: stmChips });

export const stmFiles = memoryFiles<MemoryFile, StmPlanFile>({
  family: 'stm',
  start: stmFlashStart,
  otherNameText: `Only ${dotted.slice(0, -1).join(', ')} and ${dotted.at(-1)} files are written.`,
  oneFormat: (opened, leftOut) => oneFormat(opened, formatOrder, leftOut),
  read: readFile,
  placesOf: ({ segments }) => segments.map(({ address, bytes }) => ({ offset: address, length: bytes.length })),
  describe({ contents }) {
    const prints = printedStartOf(...contents.segments.map(({ bytes }) => bytes));
    return { what: whatIs(contents), ...(prints !== null && { prints }) };
  },
  planFile({ name, bytes, contents }, offset) {
    const { segments, target, device, others } = contents.format === 'bin' ? readFile(name, bytes, offset) : contents;
    return { name, segments, target, device, others };
  },
});

/** Describes a file: `Intel HEX, program, 2 pieces`, `UF2, program for STM32F4, without the part for RP2040`. */
function whatIs({ format, formatName, segments, target, others }: MemoryFile): string {
  const [first] = segments;
  const not = format === 'bin' && first !== undefined ? notFirmware(first.bytes, 'stm') : null;
  if (not !== null && !isBlank(not.contents)) {
    return notFirmwareTitle(not);
  }
  const isProgram = segments.some((segment) => vectorTableOf(segment.bytes) !== null);
  const whose = target === null ? '' : ` for ${target}`;
  const pieces = segments.length > 1 ? `, ${segments.length} pieces` : '';
  const without = others.map(({ name }) => `, without the part for ${name}`).join('');
  return `${formatName}, ${isProgram ? 'program' : 'data'}${whose}${pieces}${without}`;
}
