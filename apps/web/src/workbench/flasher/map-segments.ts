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
  | 'written'
  | 'unchanged'
  | 'kept'
  | 'restored'
  | 'erased'
  | 'overlap'
  | 'beyond';

/** What becomes of a stretch that no file covers. `restored`: read before an erase, and written back. */
export type Fate = Extract<MapState, 'kept' | 'restored' | 'erased'>;

/** Something to write. `end` is the address behind its last byte. */
export interface MapRegion {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly state: Exclude<MapState, Fate | 'overlap' | 'beyond'>;
  /** How much of it is on the board already, 0 to 1. */
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
  /** Of what is written: the named stretches that it reaches into, in the order of their addresses. */
  readonly within: readonly string[];
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
  const flashEnd = size === null ? end : first + size;
  const edges = new Set([
    first,
    flashEnd,
    end,
    ...[...regions, ...areas].flatMap(({ start, end: last }) => [start, last]),
  ]);
  const cuts = [...edges].filter((edge) => first <= edge && edge <= end).sort((one, other) => one - other);
  const segments: MapSegment[] = [];
  for (const [index, start] of cuts.entries()) {
    const next = cuts[index + 1];
    if (next === undefined) {
      break;
    }
    const box = boxAt(start, flashEnd, regions, areas);
    const before = segments.at(-1);
    if (before !== undefined && continues(before, box)) {
      const within = [...new Set([...before.within, ...box.within])];
      segments[segments.length - 1] = sized({ ...before, within, end: next });
    } else {
      segments.push(sized({ ...box, start, end: next }));
    }
  }
  return segments;
}

type Box = Pick<MapSegment, 'label' | 'within' | 'state' | 'done'>;

/** Two overlaps side by side may be of different files. */
function continues(before: Box, { label, state }: Box): boolean {
  return before.label === label && before.state === state && state !== 'overlap';
}

function boxAt(start: number, flashEnd: number, regions: readonly MapRegion[], areas: readonly MapArea[]): Box {
  const covers = (range: { readonly start: number; readonly end: number }) => range.start <= start && start < range.end;
  const [region, other] = regions.filter(covers);
  const area = areas.find(covers);
  const within = area?.label == null ? [] : [area.label];
  if (region !== undefined && other !== undefined) {
    return { label: null, within, state: 'overlap', done: 0 };
  }
  if (region !== undefined && start >= flashEnd) {
    return { label: region.label, within, state: 'beyond', done: 0 };
  }
  if (region !== undefined) {
    return { label: region.label, within, state: region.state, done: region.done };
  }
  return { label: area?.label ?? null, within: [], state: area?.fate ?? 'kept', done: 0 };
}

/** What is written is what one looks at, and is never drawn as a mere line. */
const leastWrittenWeight = 3;

function sized(segment: Omit<MapSegment, 'weight'>): MapSegment {
  const { start, end } = segment;
  const weight = Math.log2(1 + Math.max(1, (end - start) / sector));
  return { ...segment, weight: isFree(segment) ? weight : Math.max(weight, leastWrittenWeight) };
}

/** No file is written there. */
function isFree({ state }: Pick<MapSegment, 'state'>): boolean {
  return state === 'kept' || state === 'restored' || state === 'erased';
}

interface MapTick {
  readonly address: number;
  /** Part of the width. */
  readonly at: number;
}

/**
 * Ticks in the order of their addresses. Where two would touch, the start of what is written goes before the start of what is
 * not. @param room least distance, as a part of the width
 */
export function mapTicks(segments: readonly MapSegment[], room: number): MapTick[] {
  const total = segments.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  const places = segments.map((segment) => {
    const at = total === 0 ? 0 : passed / total;
    passed += segment.weight;
    return { address: segment.start, at, free: isFree(segment) };
  });
  const ticks: MapTick[] = [];
  for (const { address, at } of [...places.filter(({ free }) => !free), ...places.filter(({ free }) => free)]) {
    // A tick at the very end would hang over the edge.
    if (at <= 1 - room / 2 && ticks.every((tick) => Math.abs(tick.at - at) >= room)) {
      ticks.push({ address, at });
    }
  }
  return ticks.sort((one, other) => one.at - other.at);
}
