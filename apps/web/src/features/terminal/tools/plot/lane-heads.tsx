/** Heads of the lanes: names with the newest values, or the values at the pointer. A name is dragged to join or part its lane. */
import { type PortNumber, unitInName } from '@wirebench/serial';
import { EyeOff, Merge, MoveVertical, Split } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../../shared/ui/menu.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { joined, type Lane, parted } from './lanes.ts';
import type { PlotFacts, PointedValues } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import { plotNow, rateKey, setGroups, showSeries, usePlot } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { spanNumber } from './ticks.ts';
import { zoomStep } from './value-range.ts';

type Series = PlotFacts['series'][number];

/** Returns name and unit of a curve as they are shown. */
export function titleOf({ name, unit }: Pick<Series, 'name' | 'unit'>): {
  readonly title: string;
  readonly unit: string;
} {
  const named = unitInName(name);
  return { title: named.title, unit: unit === '' ? named.unit : unit };
}

/** Formats a value with its name, if it has one. NaN is shown as a dash. */
export function valueText(
  { valueNames, low, high }: Pick<Series, 'valueNames' | 'low' | 'high'>,
  value: number,
): string {
  return Number.isNaN(value) ? '–' : (valueNames.get(value) ?? spanNumber(value, high - low));
}

export function Swatch({ id }: { readonly id: number }) {
  const { colour, dash } = lookOf(id);
  return (
    <svg className={styles['swatch']} data-series={colour} viewBox="0 0 18 10" aria-hidden="true">
      <path d="M0 5H18" stroke="currentColor" strokeWidth="3" strokeDasharray={dash.join(' ') || undefined} />
    </svg>
  );
}

export interface LaneHeadsProps {
  readonly facts: PlotFacts;
  readonly lanes: readonly Lane[];
  readonly pointed: PointedValues | null;
  /** Id of the curve whose range is being changed; null without one. */
  readonly ranged: number | null;
  /** Opens or closes the form for the range of a lane. */
  readonly onRange: (id: number) => void;
  /** Zooms the values of a lane. @param factor Below 1 zooms in. */
  readonly onZoom: (id: number, factor: number) => void;
}

/** Movement from which a press on a name drags it, in px. */
const dragDistance = 6;
/** Distance from the edge of a lane within which a curve is dropped between two lanes, in px. */
const edgeDistance = 12;

interface Drag {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  moved: boolean;
}

export function LaneHeads({ facts, lanes, pointed, ranged, onRange, onZoom }: LaneHeadsProps) {
  const list = useRef<HTMLUListElement>(null);
  const drag = useRef<Drag | null>(null);
  /** Lane that a dragged curve would join, -1 for a lane of its own; null while nothing is dragged. */
  const [target, setTarget] = useState<number | null>(null);
  const series = new Map(facts.series.map((one) => [one.id, one]));
  const severalPorts = new Set(facts.series.map(({ port }) => port)).size > 1;

  const targetAt = ({ clientX, clientY }: PointerEvent): number => {
    const box = list.current?.getBoundingClientRect();
    if (box === undefined || clientY < box.top || clientY > box.bottom || clientX < box.left) {
      return -1;
    }
    const tall = box.height / lanes.length;
    const index = Math.floor((clientY - box.top) / tall);
    const within = clientY - box.top - index * tall;
    const lane = lanes[index];
    const isEdge = within < edgeDistance || within > tall - edgeDistance;
    return isEdge || lane?.kind !== 'numbers' ? -1 : index;
  };
  const end = (event: PointerEvent) => {
    const held = drag.current;
    drag.current = null;
    setTarget(null);
    if (held === null || !held.moved || event.type === 'pointercancel') {
      return;
    }
    const index = targetAt(event);
    const lane = lanes[index];
    if (lane === undefined) {
      setGroups(parted(groupsNow(lanes), held.id));
    } else if (!lane.ids.includes(held.id)) {
      setGroups(joined(groupsNow(lanes), lane, held.id));
    }
  };

  return (
    <ul ref={list} className={styles['heads']} aria-label="Curves">
      {lanes.map((lane, index) => (
        <li key={lane.ids.join()} className={styles['head']} data-target={target === index ? '' : undefined}>
          {lane.ids.map((id) => {
            const one = series.get(id);
            if (one === undefined) {
              return null;
            }
            const { title, unit } = titleOf(one);
            const value = pointed === null ? one.last : (pointed.values.get(id) ?? Number.NaN);
            const isNumber = lane.kind === 'numbers' && !Number.isNaN(value);
            return (
              <div key={id} className={styles['curve']} data-single={lane.ids.length === 1 ? '' : undefined}>
                <CurveMenu
                  id={id}
                  name={one.name}
                  lane={lane}
                  above={lanes[index - 1]}
                  lanes={lanes}
                  onDown={(event) => {
                    if (event.button === 0 && lane.kind === 'numbers') {
                      drag.current = { id, x: event.clientX, y: event.clientY, moved: false };
                      // A fast pointer leaves the name before its first move is reported.
                      event.currentTarget.setPointerCapture(event.pointerId);
                    }
                  }}
                  onMove={(event) => {
                    const held = drag.current;
                    if (held === null) {
                      return false;
                    }
                    held.moved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) >= dragDistance;
                    if (held.moved) {
                      setTarget(targetAt(event));
                    }
                    return held.moved;
                  }}
                  onEnd={end}
                >
                  <Swatch id={id} />
                  {severalPorts ? <PortFlag port={one.port as PortNumber} /> : null}
                  <span className={styles['title']}>{title}</span>
                </CurveMenu>
                <span className={styles['value']}>
                  {valueText(one, value)}
                  {isNumber && unit !== '' ? <small> {unit}</small> : null}
                </span>
              </div>
            );
          })}
          {lane.kind === 'bands' ? null : (
            <RangeButton
              series={series.get(lane.ids[0] ?? -1)}
              open={ranged !== null && lane.ids.includes(ranged)}
              onRange={onRange}
              onZoom={onZoom}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

const rangeNames = { own: 'own range', grows: 'grows' } as const;

interface RangeButtonProps extends Pick<LaneHeadsProps, 'onRange' | 'onZoom'> {
  /** The first curve of the lane. */
  readonly series: Series | undefined;
  readonly open: boolean;
}

/** Opens the form for the range of a lane. A lane with a range of its own says so. The arrow keys zoom. */
function RangeButton({ series, open, onRange, onZoom }: RangeButtonProps) {
  const range = usePlot(({ ranges }) => (series === undefined ? undefined : ranges[rateKey(series)]));
  if (series === undefined) {
    return null;
  }
  return (
    <span className={styles['range']}>
      <IconButton
        label={`Range of ${series.name}`}
        size="sm"
        variant="quiet"
        icon={<MoveVertical />}
        aria-expanded={open}
        aria-keyshortcuts="ArrowUp ArrowDown"
        onClick={() => onRange(series.id)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            event.preventDefault();
            event.stopPropagation();
            onZoom(series.id, event.key === 'ArrowUp' ? 1 / zoomStep : zoomStep);
          }
        }}
      />
      {range === undefined ? null : <em>{rangeNames[range.kind]}</em>}
    </span>
  );
}

/** Returns the groups as they are drawn, with those of one axis, which were not joined by hand. */
function groupsNow(lanes: readonly Lane[]): readonly (readonly number[])[] {
  const { groups } = plotNow();
  const drawn = lanes.filter(({ ids }) => ids.length > 1).map(({ ids }) => ids);
  const hidden = groups.filter((group) => !drawn.some((ids) => ids.some((id) => group.includes(id))));
  return [...hidden, ...drawn];
}

interface CurveMenuProps {
  readonly id: number;
  readonly name: string;
  readonly lane: Lane;
  readonly above: Lane | undefined;
  readonly lanes: readonly Lane[];
  readonly children: React.ReactNode;
  readonly onDown: (event: PointerEvent<HTMLButtonElement>) => void;
  /** Returns true if the name is being dragged. */
  readonly onMove: (event: PointerEvent<HTMLButtonElement>) => boolean;
  readonly onEnd: (event: PointerEvent<HTMLButtonElement>) => void;
}

/** Name of a curve: a press opens what dragging does too, for the keyboard. */
function CurveMenu({ id, name, lane, above, lanes, children, onDown, onMove, onEnd }: CurveMenuProps) {
  const canJoin = above?.kind === 'numbers' && lane.kind === 'numbers' && lane.ids[0] === id;
  const moved = useRef(false);
  return (
    <Menu
      items={[
        { label: 'Hide', icon: <EyeOff />, onSelect: () => showSeries(id, false) },
        {
          label: 'Join with the lane above',
          icon: <Merge />,
          disabled: !canJoin,
          onSelect: () => above && setGroups(joined(groupsNow(lanes), above, id)),
        },
        {
          label: 'Lane of its own',
          icon: <Split />,
          disabled: lane.ids.length === 1,
          onSelect: () => setGroups(parted(groupsNow(lanes), id)),
        },
      ]}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          className={styles['name']}
          title={name}
          aria-label={name}
          onClick={() => {
            if (!moved.current) {
              props.onClick();
            }
          }}
          onPointerDown={(event) => {
            moved.current = false;
            onDown(event);
          }}
          onPointerMove={(event) => {
            moved.current = onMove(event) || moved.current;
          }}
          onPointerUp={onEnd}
          onPointerCancel={onEnd}
        >
          {children}
        </button>
      )}
    />
  );
}
