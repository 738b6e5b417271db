/** List of what is in a board's flash: the bootloader, the partition table, and the partitions. */
import { boardPartitions, isOtaData, type Partition, partitionType, typesText } from '@wirebench/flasher/esp';
import { appTitle } from '../../../../../protocol/app-title.ts';
import type { EspFacts, PartitionHead } from '../../../../../protocol/esp-types.ts';
import { counted } from '../../../../../shared/format/numbers.ts';
import type { PlannedChange } from '../../../store/board-changes.ts';
import type { BoardContents } from '../../../store/board-contents.ts';
import { describedLine } from './described-lines.ts';
import { kindOf } from './kinds.ts';
import { isWhole } from './whole-draft.ts';

export interface BoardEntry {
  /** Unique among the entries of a board. */
  readonly key: string;
  readonly partition: Partition;
  /** Null if nothing was read of it. */
  readonly head: PartitionHead | null;
}

/** `holds`: something. `empty`: erased. `changed`: planned and not written. `crash`: a core dump. */
export type EntryMark = 'holds' | 'empty' | 'changed' | 'crash' | 'unknown';

/** Returns the entries in the order of addresses. A chip without partition tables has none. */
export function entriesOf(board: EspFacts): BoardEntry[] {
  const { heads = [] } = board;
  return boardPartitions(board).map((partition) => ({
    key: `${partition.name} ${partition.offset}`,
    partition,
    head: heads.find(({ offset }) => offset === partition.offset) ?? null,
  }));
}

export interface EntryState {
  readonly board: EspFacts;
  readonly contents: BoardContents | null;
  readonly planned: PlannedChange | null;
}

export function markOf({ partition, head }: BoardEntry, { board, contents, planned }: EntryState): EntryMark {
  if (planned !== null) {
    return 'changed';
  }
  if (board.crash?.offset === partition.offset) {
    return 'crash';
  }
  const isTable = partition.type === partitionType.partitionTable;
  const empty =
    contents === null
      ? isTable
        ? board.table === null && board.info.security.flashEncryption !== true
        : (head?.empty ?? null)
      : contents.bytes.every((byte) => byte === 0xff);
  return empty === null ? 'unknown' : empty ? 'empty' : 'holds';
}

/** Returns the line of an entry. It says only what was read. */
export function lineOf(entry: BoardEntry, state: EntryState): string {
  const { partition, head } = entry;
  const { board, contents, planned } = state;
  const said = describedLine(kindOf(partition, contents?.bytes ?? null), partition, contents?.bytes ?? null, planned);
  if (planned !== null) {
    return said === null || isWhole(planned) ? `${planned.title ?? planned.what}, not written yet` : said;
  }
  if (said !== null) {
    return said;
  }
  if (partition.type === partitionType.partitionTable) {
    return tableLine(board);
  }
  if (board.crash?.offset === partition.offset) {
    return 'Holds a crash';
  }
  if (isOtaData(partition) && board.startsFrom) {
    return `Starts ${board.startsFrom}`;
  }
  const described = head?.described ?? null;
  if (described !== null) {
    return 'project' in described
      ? `${appTitle(described)}${board.startsFrom === partition.name ? ', starts' : ''}`
      : [described.idfVersion, described.built].filter((text) => text !== '').join(', ');
  }
  if (head?.empty === true) {
    return 'Empty';
  }
  return partition.type === partitionType.bootloader ? '' : typesText(partition);
}

function tableLine({ table, info }: EspFacts): string {
  if (table === null) {
    return info.security.flashEncryption === true ? 'Encrypted' : 'No partition table';
  }
  const slots = table.partitions.filter(({ type }) => type === partitionType.app).length;
  return `${counted(table.partitions.length, 'partition')}, ${counted(slots, 'app slot')}`;
}

/** Returns what the head of *On the board* says, from what was read so far. */
export function summaryOf(board: EspFacts, stateOf: (entry: BoardEntry) => EntryState): string {
  const entries = entriesOf(board);
  const running = entries.find(({ partition }) => partition.name === board.startsFrom);
  const described = running?.head?.described ?? null;
  const runs =
    described !== null && 'project' in described
      ? [`Starts ${appTitle(described)} from ${running?.partition.name}`]
      : [];
  const read = entries.flatMap((entry) => {
    const bytes = stateOf(entry).contents?.bytes ?? null;
    const kind = kindOf(entry.partition, bytes);
    const text =
      bytes === null
        ? null
        : kind.summary
          ? kind.summary(entry.partition, bytes)
          : describedLine(kind, entry.partition, bytes);
    return text === null ? [] : [text];
  });
  return [...runs, ...read, ...crashText(board, entries)].join(' · ');
}

function crashText({ crash }: EspFacts, entries: readonly BoardEntry[]): string[] {
  if (crash !== null) {
    return ['holds a crash'];
  }
  const place = entries.find(({ partition }) => partition.type === partitionType.data && partition.subtype === 3);
  return place?.head?.empty === true ? ['no crash'] : [];
}
