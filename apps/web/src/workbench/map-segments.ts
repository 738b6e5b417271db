/**
 * Computes the memory map as data: boxes in address order for stretches that are written, that overlap, or that stay.
 * The weight of a box is its drawn width. It grows with the logarithm of the size, because a bootloader beside an
 * application would be too narrow to see.
 */

/** State of a stretch of flash, during or after a write. */
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
  /** Its bytes stay, and the new program does not use them. */
  | 'left'
  | 'overlap'
  /** Built for another chip. */
  | 'unfit'
  | 'beyond';

/** Fate of a stretch that no file covers. `restored`: read before an erase, and written back. */
export type Fate = Extract<MapState, 'kept' | 'restored' | 'erased' | 'left'>;

/** A stretch to write. `end` is the address after its last byte. */
export interface MapRegion {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly state: Exclude<MapState, Fate | 'overlap' | 'beyond'>;
  /** Fraction that is already on the board, 0 to 1. */
  readonly done: number;
}

/** A named stretch of flash, usually a partition. */
export interface MapArea {
  /** Null for a stretch without a name. */
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
  /** For a written segment: names of the stretches that it reaches into, in address order. */
  readonly within: readonly string[];
  /** The stretch in which all of it lies; null if it reaches beyond one. */
  readonly inside: string | null;
  readonly state: MapState;
  readonly done: number;
  readonly weight: number;
}

export interface MapContent {
  readonly regions: readonly MapRegion[];
  readonly areas: readonly MapArea[];
  /**
   * First address of the flash, and its size in bytes. Null: size unknown, so the map ends at the last known address.
   */
  readonly flash: { readonly start: number; readonly size: number | null };
}

/** Size in bytes up to which a stretch has the smallest weight: one sector. */
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
      const inside = before.inside === (box.within[0] ?? null) ? before.inside : null;
      segments[segments.length - 1] = sized({ ...before, within, inside, end: next });
    } else {
      segments.push(sized({ ...box, inside: box.within[0] ?? null, start, end: next }));
    }
  }
  return segments;
}

type Box = Pick<MapSegment, 'label' | 'within' | 'state' | 'done'>;

/**
 * Returns true if a box extends the segment before it. Adjacent overlaps stay separate, because they may be of
 * different files.
 */
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

/** Smallest weight of a written segment, so that it is never drawn as a mere line. */
const leastWrittenWeight = 3;

function sized(segment: Omit<MapSegment, 'weight'>): MapSegment {
  const { start, end } = segment;
  const weight = Math.log2(1 + Math.max(1, (end - start) / sector));
  return { ...segment, weight: isFree(segment) ? weight : Math.max(weight, leastWrittenWeight) };
}

/** Returns true if no file is written to the segment. */
function isFree({ state }: Pick<MapSegment, 'state'>): boolean {
  return state === 'kept' || state === 'restored' || state === 'erased' || state === 'left';
}

interface MapTick {
  readonly address: number;
  /** Position as a fraction of the width. */
  readonly at: number;
}

/**
 * Returns address ticks in address order. If two would touch, the start of a written segment takes precedence over
 * the start of a free one.
 *
 * @param room Minimum distance between two ticks, as a fraction of the width.
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
    // A tick at the very end would extend beyond the edge.
    if (at <= 1 - room / 2 && ticks.every((tick) => Math.abs(tick.at - at) >= room)) {
      ticks.push({ address, at });
    }
  }
  return ticks.sort((one, other) => one.at - other.at);
}
