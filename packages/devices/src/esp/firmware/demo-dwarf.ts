/**
 * Debug information for the ELF file of a demo application: its functions, variables and types. Source: DWARF
 * Debugging Information Format, version 4, chapters 3 to 5 and section 7.5.
 */
import { joined, words16, words32 } from '../../byte-fields.ts';
import { demoSource, demoStructures, demoTypes, type SourceFunction, type SourceType } from './demo-source.ts';

const tag = {
  arrayType: 0x01,
  formalParameter: 0x05,
  member: 0x0d,
  pointerType: 0x0f,
  compileUnit: 0x11,
  structureType: 0x13,
  subrangeType: 0x21,
  baseType: 0x24,
  constType: 0x26,
  subprogram: 0x2e,
  variable: 0x34,
} as const;
const attribute = {
  location: 0x02,
  name: 0x03,
  byteSize: 0x0b,
  statements: 0x10,
  lowPc: 0x11,
  highPc: 0x12,
  language: 0x13,
  directory: 0x1b,
  count: 0x37,
  memberLocation: 0x38,
  file: 0x3a,
  line: 0x3b,
  encoding: 0x3e,
  frameBase: 0x40,
  type: 0x49,
} as const;
const form = {
  address: 0x01,
  data4: 0x06,
  string: 0x08,
  data1: 0x0b,
  ref4: 0x13,
  sectionOffset: 0x17,
  expression: 0x18,
} as const;

type Attribute = readonly [name: number, form: number];
const named: Attribute = [attribute.name, form.string];
const typed: Attribute = [attribute.type, form.ref4];
const sized: Attribute = [attribute.byteSize, form.data1];
const code: readonly Attribute[] = [
  [attribute.lowPc, form.address],
  [attribute.highPc, form.data4],
];

interface Shape {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly attributes: readonly Attribute[];
}

/** Abbreviations in the order of their codes, which begin at 1. */
const shapes = {
  unit: {
    tag: tag.compileUnit,
    hasChildren: true,
    attributes: [
      named,
      [attribute.directory, form.string],
      [attribute.language, form.data1],
      [attribute.statements, form.sectionOffset],
      ...code,
    ],
  },
  subprogram: {
    tag: tag.subprogram,
    hasChildren: true,
    attributes: [
      named,
      [attribute.file, form.data1],
      [attribute.line, form.data1],
      ...code,
      [attribute.frameBase, form.expression],
    ],
  },
  parameter: {
    tag: tag.formalParameter,
    hasChildren: false,
    attributes: [named, typed, [attribute.location, form.expression]],
  },
  variable: {
    tag: tag.variable,
    hasChildren: false,
    attributes: [named, typed, [attribute.location, form.expression]],
  },
  base: { tag: tag.baseType, hasChildren: false, attributes: [named, sized, [attribute.encoding, form.data1]] },
  pointer: { tag: tag.pointerType, hasChildren: false, attributes: [sized, typed] },
  const: { tag: tag.constType, hasChildren: false, attributes: [typed] },
  structure: { tag: tag.structureType, hasChildren: true, attributes: [named, sized] },
  member: { tag: tag.member, hasChildren: false, attributes: [named, typed, [attribute.memberLocation, form.data1]] },
  array: { tag: tag.arrayType, hasChildren: true, attributes: [typed] },
  subrange: { tag: tag.subrangeType, hasChildren: false, attributes: [[attribute.count, form.data1]] },
} satisfies Record<string, Shape>;
type ShapeName = keyof typeof shapes;

const codes = Object.keys(shapes);
const codeOf = (shape: ShapeName) => Uint8Array.of(codes.indexOf(shape) + 1);
const endOfChildren = Uint8Array.of(0);

export const debugAbbreviations = joined(
  ...Object.values(shapes).map(({ tag: number, hasChildren, attributes }, index) =>
    Uint8Array.of(index + 1, number, hasChildren ? 1 : 0, ...attributes.flat(), 0, 0),
  ),
  Uint8Array.of(0),
);

const LANGUAGE_C99 = 0x0c;
const [OP_FBREG, OP_CALL_FRAME_CFA] = [0x91, 0x9c];
/** Size of length, version, offset of the abbreviations and size of an address. */
const headerSize = 11;

/**
 * Returns the content of `.debug_info`.
 * @param start Address of the code.
 * @param length Length of the code in bytes.
 */
export function debugInfo(start: number, length: number): Uint8Array {
  const { directory, file, functions } = demoSource;
  const unit = joined(
    codeOf('unit'),
    text(file),
    text(directory),
    Uint8Array.of(LANGUAGE_C99),
    words32(0, start, length),
  );
  const first = headerSize + unit.length;
  // Types refer to each other by offset. A first pass without offsets determines their sizes.
  const sizes = typeNames.map((name) => typeEntry(name, () => 0).length);
  const offsets = new Map(
    typeNames.map((name, index) => [name, first + sizes.slice(0, index).reduce((sum, size) => sum + size, 0)]),
  );
  const offsetOf = (type: SourceType) => offsets.get(type) ?? 0;
  const types = typeNames.map((name) => typeEntry(name, offsetOf));
  const entries = functions.map((one) => functionEntry(start, one, offsetOf));
  // Version 4, abbreviations from the start of their section, addresses of 4 bytes.
  const content = joined(words16(4), words32(0), Uint8Array.of(4), unit, ...types, ...entries, endOfChildren);
  return joined(words32(content.length), content);
}

type OffsetOf = (type: SourceType) => number;

function functionEntry(
  start: number,
  { name, offset, size, lines: [first = 0], variables }: SourceFunction,
  offsetOf: OffsetOf,
): Uint8Array {
  const children = variables.map((variable) => {
    const place = Uint8Array.of(OP_FBREG, ...signedLeb(variable.offset));
    return joined(
      codeOf(variable.isParameter ? 'parameter' : 'variable'),
      text(variable.name),
      words32(offsetOf(variable.type)),
      Uint8Array.of(place.length, ...place),
    );
  });
  return joined(
    codeOf('subprogram'),
    text(name),
    Uint8Array.of(1, first),
    words32(start + offset, size),
    Uint8Array.of(1, OP_CALL_FRAME_CFA),
    ...children,
    endOfChildren,
  );
}

const typeNames = Object.keys(demoTypes) as SourceType[];

function typeEntry(name: SourceType, offsetOf: OffsetOf): Uint8Array {
  const type = demoTypes[name];
  switch (type.kind) {
    case 'base':
      return joined(codeOf('base'), text(name), Uint8Array.of(type.size, type.encoding));
    case 'pointer':
      return joined(codeOf('pointer'), Uint8Array.of(4), words32(offsetOf(type.target)));
    case 'const':
      return joined(codeOf('const'), words32(offsetOf(type.target)));
    case 'array':
      return joined(
        codeOf('array'),
        words32(offsetOf(type.target)),
        codeOf('subrange'),
        Uint8Array.of(type.count),
        endOfChildren,
      );
    case 'structure': {
      const { size, members } = demoStructures[type.name];
      const entries = Object.entries(members).map(([member, { type: of, offset }]) =>
        joined(codeOf('member'), text(member), words32(offsetOf(of)), Uint8Array.of(offset)),
      );
      return joined(codeOf('structure'), text(type.name), Uint8Array.of(size), ...entries, endOfChildren);
    }
  }
}

/** Encodes a signed LEB128 number (DWARF 4, section 7.6). */
export function signedLeb(value: number): number[] {
  const [low, rest] = [value & 0x7f, value >> 7];
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signedLeb(rest)];
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(`${value}\0`);
}
