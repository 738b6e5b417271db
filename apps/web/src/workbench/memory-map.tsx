/** Draws the flash as boxes in a row. The addresses below are exact, the widths are not to scale. */
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { memoryText, sizeText } from '../shared/format/bytes.ts';
import { addressText } from '../shared/format/hex.ts';
import { classNames } from '../shared/ui/class-names.ts';
import { type Fate, type MapContent, type MapSegment, type MapState, mapSegments, mapTicks } from './map-segments.ts';
import styles from './memory-map.module.css';

/** Width of one character of a tick's label, and gap between two labels, in px. */
const tick = { character: 6.7, gap: 12 };

const stateText = {
  planned: 'to write',
  waiting: 'waiting',
  writing: 'being written',
  verified: 'written and verified',
  written: 'written, not verified',
  unchanged: 'already there',
  kept: 'kept',
  restored: 'kept: read, then written back',
  erased: 'erased',
  left: 'not kept',
  overlap: 'overlap',
  unfit: 'for another chip',
  beyond: 'beyond the end of the flash',
} satisfies Record<MapState, string>;

const legendText = {
  planned: 'To write',
  waiting: 'Waiting',
  writing: 'Writing',
  verified: 'Written and verified',
  written: 'Written, not verified',
  unchanged: 'Already there',
  kept: 'Not touched',
  restored: 'Read and written back',
  erased: 'Erased',
  left: 'Not kept',
  overlap: 'Overlap',
  unfit: 'For another chip',
  beyond: 'Beyond the end of the flash',
} satisfies Record<MapState, string>;

const fateText = { kept: 'kept', restored: 'restored', erased: 'erased', left: 'not kept' } satisfies Record<
  Fate,
  string
>;

const isFate = (state: MapState): state is Fate => Object.hasOwn(fateText, state);

const legendOrder = Object.keys(legendText) as MapState[];

export interface MemoryMapProps extends MapContent {
  /** Shown below the map. */
  readonly hint?: string | undefined;
}

export function MemoryMap({ hint, ...content }: MemoryMapProps) {
  const map = useRef<HTMLDivElement>(null);
  const width = useWidth(map);
  const segments = mapSegments(content);
  const { size } = content.flash;
  const states = new Set(segments.map(({ state }) => state));
  const last = segments.at(-1);
  const longest = addressText(last?.end ?? 0).length;
  const room = width === 0 ? 1 : (longest * tick.character + tick.gap) / width;
  const ticks = mapTicks(segments, room);
  const columns = segments.map(({ weight }) => `minmax(0, ${weight.toFixed(3)}fr)`).join(' ');
  return (
    <div className={styles['map']}>
      <div className={styles['head']}>
        <span className="silk">Memory map</span>
        <span className={styles['legend']}>
          {legendOrder
            .filter((state) => states.has(state))
            .map((state) => (
              <span key={state}>
                <i className={styles[state]} />
                {legendText[state]}
              </span>
            ))}
        </span>
        <span className={styles['scale']}>
          {size === null ? unknownSize(content) : `${memoryText(size)} flash`}, not to scale
        </span>
      </div>
      <div
        ref={map}
        className={styles['boxes']}
        role="img"
        aria-label={`Flash: ${segments.map(spoken).join('; ')}`}
        style={{ gridTemplateColumns: columns }}
      >
        {segments.map((segment) => (
          <Box key={segment.start} segment={segment} />
        ))}
      </div>
      <div className={styles['ticks']} aria-hidden="true">
        {ticks.map(({ address, at }) => (
          <span key={address} style={{ left: `min(${at * 100}%, 100% - ${addressText(address).length}ch)` }}>
            {addressText(address)}
          </span>
        ))}
        {last === undefined || (ticks.at(-1)?.at ?? 0) > 1 - 2 * room ? null : (
          <span className={styles['end']}>{addressText(last.end - 1)}</span>
        )}
      </div>
      {hint === undefined ? null : <div className={styles['hint']}>{hint}</div>}
    </div>
  );
}

const unknownSize = ({ areas }: MapContent) => (areas.length === 0 ? 'size unknown until connected' : 'size unknown');

function Box({ segment }: { readonly segment: MapSegment }) {
  const { state, done, label } = segment;
  // Bytes that flash already contained have styles of their own: the box of `unchanged`, and `there` in a partly
  // equal box. The fill is the look of verified bytes, so `written` has none.
  const filled = state === 'verified' ? 1 : state === 'unchanged' || state === 'written' ? 0 : done;
  return (
    <div className={classNames(styles['box'], styles[state])} title={spoken(segment)}>
      <BoxLabel segment={segment} />
      {filled > 0 && label !== null ? (
        <div
          className={classNames(styles['fill'], state === 'planned' && styles['there'])}
          style={{ '--done': `${filled * 100}%` } as CSSProperties}
          aria-hidden="true"
        >
          <BoxLabel segment={segment} />
        </div>
      ) : null}
    </div>
  );
}

/** Drawn twice in a partly filled box, so that the text is readable on both backgrounds. */
function BoxLabel({ segment }: { readonly segment: MapSegment }) {
  const { label, start, end, state, inside: area } = segment;
  return label === null ? null : (
    <span className={styles['label']}>
      {area === null || area === label ? null : <span className={styles['area']}>{area} · </span>}
      {label}
      <small>{isFate(state) ? fateText[state] : sizeText(end - start)}</small>
    </span>
  );
}

const listed = new Intl.ListFormat('en');

function spoken({ label, within, start, end, state, done }: MapSegment): string {
  const place = within.length === 0 ? '' : ` in ${listed.format(within)}`;
  const part = state === 'planned' && done > 0 ? `, ${Math.floor(done * 100)} % already there` : '';
  return `${label ?? 'free'} ${addressText(start)} to ${addressText(end - 1)}${place}, ${stateText[state]}${part}`;
}

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element.current === null || typeof ResizeObserver === 'undefined') {
      return;
    }
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
