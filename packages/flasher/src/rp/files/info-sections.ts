/** Sections of facts about a program, in the words and the order of `picotool info -a` (picotool 2.3.0, `main.cpp`). */
import { hexOf } from '../../core/bytes.ts';
import type { BinaryInfo, InfoEntry } from './binary-info.ts';
import type { BlockProof, Proof } from './block-proof.ts';
import type { PicobinBlock } from './picobin-block.ts';
import type { BlockContents, ImageType, LoadMapEntry } from './picobin-contents.ts';
import { hexText, rpFamilyOf } from './rp-families.ts';
import type {
  RpChip,
  RpField,
  RpInfoSection,
  RpPartition,
  RpPartitions,
  RpPartitionTable,
  RpPermissions,
} from './rp-firmware.ts';
import { flashStart } from './rp-firmware.ts';
import { shownLines, shownText } from './shown-text.ts';

/** Tag of Raspberry Pi: the letters R and P. */
const RASPBERRY_PI = 0x5052;

/** IDs of Raspberry Pi (pico-sdk, `pico/binary_info/structure.h`). */
const infoId = {
  name: 0x02031c86,
  version: 0x11a9bc3a,
  buildDate: 0x9da22254,
  binaryEnd: 0x68f465de,
  url: 0x1856239a,
  description: 0xb6a07c19,
  feature: 0xa1f4b453,
  buildAttribute: 0x4275f0d3,
  sdkVersion: 0x5360b3ab,
  board: 0xb63cffbb,
  boot2: 0x7f8882e1,
} as const;

/** Flags of a group of features. */
const SEPARATED_BY_COMMAS = 2;

/** A block with everything that is shown of it. */
export interface ShownBlock {
  readonly block: PicobinBlock;
  readonly contents: BlockContents;
  readonly proof: BlockProof;
}

export interface ShownProgram {
  readonly start: number;
  readonly chip: RpChip | null;
  readonly info: BinaryInfo | null;
  readonly blocks: readonly ShownBlock[];
  /** The block that stands for the program; null without one. */
  readonly main: ShownBlock | null;
}

/** Returns the sections that have fields. */
export function infoSections({ start, chip, info, blocks, main }: ShownProgram): RpInfoSection[] {
  const told = info === null ? [] : programFields(info.entries, start);
  const sections: RpInfoSection[] = [
    {
      title: 'Program Information',
      fields: [...told, ...(main === null ? [] : blockFields(main, chip, false))],
    },
    { title: 'Fixed Pin Information', fields: info === null ? [] : pinFields(info.entries) },
    { title: 'Build Information', fields: info === null ? [] : buildFields(info.entries) },
    ...blocks.map((block, index) => ({
      title: `Metadata Block ${index + 1}`,
      fields: blockFields(block, chip, true),
    })),
  ];
  return sections.filter(({ fields }) => fields.length > 0);
}

const field = (key: string, ...values: readonly string[]): RpField => ({ key, values });

/** Leaves out a field without a value. */
const told = (key: string, values: readonly string[]): RpField[] =>
  values.every((value) => value === '') ? [] : [field(key, ...values)];

type TextEntry = Extract<InfoEntry, { kind: 'text' }>;
type GroupEntry = Extract<InfoEntry, { kind: 'group' }>;

const keyOf = ({ tag, id }: { readonly tag: number; readonly id: number }) => tag * 2 ** 32 + id;

/** Groups of features that the program itself names, by tag and ID. */
function groupsOf(entries: readonly InfoEntry[]): ReadonlyMap<number, GroupEntry> {
  const groups = entries.filter(
    (entry): entry is GroupEntry =>
      entry.kind === 'group' && entry.parentTag === RASPBERRY_PI && entry.parentId === infoId.feature,
  );
  return new Map(groups.map((group) => [keyOf(group), group]));
}

/** Lines of all entries of Raspberry Pi with this ID that belong to no group. */
function linesOf(entries: readonly InfoEntry[], id: number): string[][] {
  const groups = groupsOf(entries);
  const isOwn = (entry: InfoEntry): entry is TextEntry =>
    entry.kind === 'text' && entry.tag === RASPBERRY_PI && entry.id === id && !groups.has(keyOf(entry));
  return entries.filter(isOwn).map(({ value }) => shownLines(value));
}

/** Returns the last of several entries that exclude each other. */
const lastOf = (entries: readonly InfoEntry[], id: number) => linesOf(entries, id).at(-1) ?? [];

function programFields(entries: readonly InfoEntry[], start: number): RpField[] {
  const end = entries.findLast(
    (entry) => entry.kind === 'int' && entry.tag === RASPBERRY_PI && entry.id === infoId.binaryEnd,
  );
  return [
    ...told('name', lastOf(entries, infoId.name)),
    ...told('version', lastOf(entries, infoId.version)),
    ...told('web site', lastOf(entries, infoId.url)),
    ...told('description', lastOf(entries, infoId.description)),
    ...told('features', linesOf(entries, infoId.feature).flat()),
    ...groupFields(entries),
    field('binary start', hexText(start)),
    ...(end?.kind === 'int' && end.value !== 0 ? [field('binary end', hexText(end.value))] : []),
    ...entries.flatMap((entry) => (entry.kind === 'drive' ? [field('embedded drive', driveText(entry))] : [])),
  ];
}

/** Sorted by tag and ID. Groups with the same label share their values. */
function groupFields(entries: readonly InfoEntry[]): RpField[] {
  const groups = groupsOf(entries);
  const labels = new Map([...groups].map(([key, { label }]) => [key, shownText(label)]));
  const values = new Map<string, string[]>();
  for (const entry of entries) {
    const label = entry.kind === 'text' || entry.kind === 'variable' ? labels.get(keyOf(entry)) : undefined;
    if (label !== undefined && (entry.kind === 'text' || entry.kind === 'variable')) {
      values.set(label, [...(values.get(label) ?? []), ...valueLines(entry)]);
    }
  }
  const sorted = [...groups].sort(([one], [other]) => one - other);
  return sorted.flatMap(([key, { flags }]) => {
    const label = labels.get(key) ?? '';
    const lines = values.get(label) ?? [];
    return told(label, (flags & SEPARATED_BY_COMMAS) === 0 ? lines : [lines.join(', ')]);
  });
}

function valueLines(entry: TextEntry | Extract<InfoEntry, { kind: 'variable' }>): string[] {
  if (entry.kind === 'text') {
    return shownLines(entry.value);
  }
  const { label, value } = entry;
  return [`${shownText(label)} = ${typeof value === 'number' ? value : `"${shownText(value)}"`}`];
}

function driveText({ name, address, size, flags }: Extract<InfoEntry, { kind: 'drive' }>): string {
  const rights = [flags & 1 ? 'r' : '', flags & 2 ? 'w' : '', flags & 4 ? 'f' : ''].join('');
  const end = hexText((address + size) % 2 ** 32);
  const range = `${hexText(address)}-${end} (${Math.floor(((size + 1_023) % 2 ** 32) / 1_024)}K): ${shownText(name)}`;
  return flags === 0 ? range : `${range} flags ${hexText(flags, 4)} ${rights}`.trimEnd();
}

/** Pins in order; those that follow each other and have the same labels share a line. */
function pinFields(entries: readonly InfoEntry[]): RpField[] {
  const labels = new Map<number, string[]>();
  for (const entry of entries) {
    if (entry.kind === 'pin') {
      const label = typeof entry.label === 'string' ? entry.label : shownText(entry.label);
      labels.set(entry.pin, [...(labels.get(entry.pin) ?? []), label]);
    }
  }
  const pins = [...labels].sort(([one], [other]) => one - other);
  const fields: RpField[] = [];
  let first: number | null = null;
  pins.forEach(([pin, texts], index) => {
    const [next, nextTexts] = pins[index + 1] ?? [-1, []];
    first ??= pin;
    if (next !== pin + 1 || nextTexts.join('\n') !== texts.join('\n')) {
      const range = first === pin ? `${pin}` : `${first}-${pin}`;
      fields.push(field(range, texts.toSorted(byCodeUnits).join(', ')));
      first = null;
    }
  });
  return fields;
}

const byCodeUnits = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function buildFields(entries: readonly InfoEntry[]): RpField[] {
  return [
    ...told('sdk version', lastOf(entries, infoId.sdkVersion)),
    ...told('pico_board', lastOf(entries, infoId.board)),
    ...told('boot2_name', lastOf(entries, infoId.boot2)),
    ...told('build date', lastOf(entries, infoId.buildDate)),
    ...told('build attributes', linesOf(entries, infoId.buildAttribute).flat()),
  ];
}

/** @param isWhole False: the fields that also stand among those of the program. */
function blockFields({ block, contents, proof }: ShownBlock, chip: RpChip | null, isWhole: boolean): RpField[] {
  const { image, partitionTable, version, loadMap, windowDelta, vectorTable, entry } = contents;
  const whole = (...fields: readonly RpField[]) => (isWhole ? fields : []);
  return [
    ...whole(field('address', hexText(block.address)), field('next block address', hexText(block.next))),
    ...(contents.hasIgnored ? whole(field('block type', 'ignored')) : []),
    ...(image === null ? [] : whole(field('block type', 'image def'))),
    ...imageFields(image),
    ...(image === null ? [] : whole(field('extra security', image.extraSecurity ? 'enabled' : 'not enabled'))),
    ...(partitionTable === null ? [] : whole(field('block type', 'partition table'))),
    ...(partitionTable === null ? [] : tableFields(partitionTable)),
    ...(version === null ? [] : [field('version', `${version.major}.${version.minor}`)]),
    ...(version === null || version.rows.length === 0
      ? []
      : [
          field('rollback version', `${version.rollback}`),
          field('rollback rows', version.rows.map((row) => hexText(row, 3)).join(' ')),
        ]),
    ...whole(...(loadMap ?? []).map((one, index) => field(`load map entry ${index}`, mapText(one, chip)))),
    ...(windowDelta === null ? [] : whole(field('rolling window delta', deltaText(windowDelta)))),
    ...(vectorTable === null ? [] : whole(field('vector table', hexText(vectorTable)))),
    ...(entry === null ? [] : whole(field('entry point', entryText(entry)))),
    ...proofField('hash', proof.hash),
    ...(proof.hash === 'none' || contents.hash === null ? [] : whole(field('hash value', upperHex(contents.hash)))),
    ...proofField('signature', proof.signature),
    ...(proof.signature === 'none' || contents.signature === null
      ? []
      : whole(
          field('signature value', upperHex(contents.signature.bytes)),
          field('public key', upperHex(contents.signature.publicKey)),
        )),
  ];
}

const upperHex = (bytes: Uint8Array) => hexOf(bytes).toUpperCase();

const proofField = (key: string, proof: Proof): RpField[] =>
  proof === 'none' ? [] : [field(key, proof === 'right' ? 'verified' : 'incorrect')];

function imageFields(image: ImageType | null): RpField[] {
  if (image === null) {
    return [];
  }
  const { kind, chip, tbyb } = image;
  const type = kind === 'data' ? 'data' : kind === 'program' && chip !== 'RP2040' ? cpuText(image) : '';
  return [
    ...(kind === 'program' ? [field('target chip', chip === 'unknown' ? 'RP-series' : chip)] : []),
    ...told('image type', [type]),
    ...(tbyb ? [field('tbyb', 'not bought')] : []),
  ];
}

function cpuText({ cpu, security }: ImageType): string {
  switch (cpu) {
    case 'riscv':
      return 'RISC-V';
    case 'varmulet':
      return 'Varmulet';
    case 'arm':
      return { secure: 'ARM Secure', 'non-secure': 'ARM Non-Secure', unspecified: 'ARM', unknown: '' }[security];
    default:
      return '';
  }
}

const tableFields = (table: RpPartitionTable): RpField[] => [
  field('partition table', table.singleton ? 'singleton' : 'non-singleton'),
  ...partitionFields(table),
];

/** Lists partitions in the words of picotool: range, permissions, ID, name, families, processors. */
export function partitionFields({ unpartitioned, partitions }: RpPartitions): RpField[] {
  const { permissions, families } = unpartitioned;
  return [
    field('un-partitioned space', `${permissionsText(permissions)}, ${familiesText(families)}`),
    ...partitions.map((partition) =>
      field(`partition ${partition.index} (${slotText(partition)})`, partitionText(partition)),
    ),
  ];
}

function slotText({ slot, owner }: RpPartition): string {
  return slot.kind === 'b' ? `B w/ ${slot.of}` : owner === null ? 'A' : `A ob/ ${owner}`;
}

function partitionText(partition: RpPartition): string {
  const { offset, size, permissions, id, name, hasName, families, bootable } = partition;
  const bare = (value: number) => hexText(value).slice(2);
  return [
    `${bare(offset)}->${bare(offset + size)} ${permissionsText(permissions)}`,
    ...(id === null ? [] : [`id=${id}`]),
    ...(hasName ? [`"${name}"`] : []),
    familiesText(families),
    `arm_boot ${bootable.includes('arm') ? 1 : 0}`,
    `riscv_boot ${bootable.includes('riscv') ? 1 : 0}`,
  ].join(', ');
}

const permissionsText = ({ secure, bootloader, nonSecure }: RpPermissions) =>
  `S(${secure || '-'}) NSBOOT(${bootloader || '-'}) NS(${nonSecure || '-'})`;

function familiesText(families: readonly number[]): string {
  const names = families.map((id) => {
    const row = rpFamilyOf(id);
    return row === null ? (id === 0 ? 'none' : hexText(id)) : `'${row.name}'`;
  });
  return `uf2 { ${names.join(', ')} }`;
}

/** Flash of the chips in bytes, as picotool knows it: programs cannot be copied to it. */
const flashSizes: Readonly<Record<RpChip, number>> = { RP2040: 0x100_0000, RP2350: 0x200_0000 };

function mapText({ stored, runtime, size }: LoadMapEntry, chip: RpChip | null): string {
  const plain = (value: number) => hexText(value % 2 ** 32, 1);
  const range = (from: number) => `${plain(from)}->${plain(from + size)}`;
  if (stored === 0) {
    return `Clear ${range(runtime)}`;
  }
  if (stored === runtime) {
    return `Load ${range(stored)}`;
  }
  const flashEnd = flashStart + flashSizes[chip ?? 'RP2350'];
  const isToFlash = runtime >= flashStart && runtime < flashEnd;
  return `${isToFlash ? 'ERROR: COPY TO FLASH NOT PERMITTED ' : ''}Copy ${range(stored)} to ${range(runtime)}`;
}

/** A negative distance is shown with 64 bits. */
const deltaText = (delta: number) => hexText(delta < 0 ? BigInt.asUintN(64, BigInt(delta)) : delta);

function entryText({ pc, sp, spLimit }: NonNullable<BlockContents['entry']>): string {
  const limit = spLimit === null ? '' : `, SPLIM ${hexText(spLimit)}`;
  return `EP ${hexText(pc)}, SP ${hexText(sp)}${limit}`;
}
