/**
 * The memory map as data: what is written, what lies in the way of each other, and what stays, cut into boxes in the order of
 * their addresses. Knows no screen; a box's weight is how wide it is drawn, log-like, because a bootloader beside
 * an application would not be seen at all.
 */

/** What is done to a stretch of flash. */
export type MapState =
  | 'planned'
  | 'waiting'
  | 'writing'
  | 'verified'
  | 'unchanged'
  | 'kept'
  | 'restored'
  | 'erased'
  | 'overlap';

/** What becomes of a stretch that no file covers. `restored`: read before an erase, and written back. */
export type Fate = Extract<MapState, 'kept' | 'restored' | 'erased'>;

/** Something to write. `end` is the address behind its last byte. */
export interface MapRegion {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly state: Exclude<MapState, Fate | 'overlap'>;
  /** How much of it is done, 0 to 1. */
  readonly done: number;
}

/** A stretch with a name, of the partition table most of all. */
export interface MapArea {
  /** Null for a stretch without one. */
  readonly label: string | null;
  readonly start: number;
  readonly end: number;
  readonly fate: Fate;
}

export interface MapSegment {
  readonly start: number;
  readonly end: number;
  /** Null for a stretch without a name. */
  readonly label: string | null;
  readonly state: MapState;
  readonly done: number;
  readonly weight: number;
}

export interface MapContent {
  readonly regions: readonly MapRegion[];
  readonly areas: readonly MapArea[];
  /** Where the flash begins, and its bytes; null while they are not known: then the map ends with what is known. */
  readonly flash: { readonly start: number; readonly size: number | null };
}

/** Smallest weight, for what has no more than a sector. */
const sector = 4_096;

export function mapSegments({ regions, areas, flash: { start: first, size } }: MapContent): MapSegment[] {
  const lastWritten = Math.max(first, ...regions.map(({ end }) => end));
  const lastKnown = size === null ? Math.max(first, ...areas.map(({ end }) => end)) : first + size;
  const end = Math.max(lastKnown, lastWritten);
  const edges = new Set([first, end, ...[...regions, ...areas].flatMap(({ start, end: last }) => [start, last])]);
  const cuts = [...edges].filter((edge) => first <= edge && edge <= end).sort((one, other) => one - other);
  const segments: MapSegment[] = [];
  for (const [index, start] of cuts.entries()) {
    const next = cuts[index + 1];
    if (next === undefined) {
      break;
    }
    const box = boxAt(start, regions, areas);
    const before = segments.at(-1);
    if (
      before !== undefined &&
      before.label === box.label &&
      before.state === box.state &&
      before.state !== 'overlap'
    ) {
      segments[segments.length - 1] = sized({ ...before, end: next });
    } else {
      segments.push(sized({ ...box, start, end: next }));
    }
  }
  return segments;
}

type Box = Pick<MapSegment, 'label' | 'state' | 'done'>;

function boxAt(start: number, regions: readonly MapRegion[], areas: readonly MapArea[]): Box {
  const covers = (range: { readonly start: number; readonly end: number }) => range.start <= start && start < range.end;
  const [region, other] = regions.filter(covers);
  if (region !== undefined && other !== undefined) {
    return { label: null, state: 'overlap', done: 0 };
  }
  if (region !== undefined) {
    return { label: region.label, state: region.state, done: region.done };
  }
  const area = areas.find(covers);
  return { label: area?.label ?? null, state: area?.fate ?? 'kept', done: 0 };
}

/** What is written is what one looks at, and is never drawn as a mere line. */
const leastWrittenWeight = 3;

function sized(segment: Omit<MapSegment, 'weight'>): MapSegment {
  const { start, end, state } = segment;
  const weight = Math.log2(1 + Math.max(1, (end - start) / sector));
  const untouched = state === 'kept' || state === 'restored' || state === 'erased';
  return { ...segment, weight: untouched ? weight : Math.max(weight, leastWrittenWeight) };
}

/** Where each tick stands, as a part of the width, without those that would touch the one before. @param room least distance */
export function mapTicks(segments: readonly MapSegment[], room: number): { address: number; at: number }[] {
  const total = segments.reduce((sum, { weight }) => sum + weight, 0);
  const ticks: { address: number; at: number }[] = [];
  let passed = 0;
  for (const { start, weight } of segments) {
    const at = total === 0 ? 0 : passed / total;
    const last = ticks.at(-1);
    // A tick at the very end would hang over the edge.
    if ((last === undefined || at - last.at >= room) && at <= 1 - room / 2) {
      ticks.push({ address: start, at });
    }
    passed += weight;
  }
  return ticks;
}
