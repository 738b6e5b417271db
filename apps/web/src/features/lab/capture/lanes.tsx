/** The lanes of a capture on a canvas, with two cursors. Wheel, pointer and keys move and zoom them. */
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef } from 'react';
import { watchSize, watchTheme } from '../../../shared/ui/watch-look.ts';
import { type Captured, captureNow, nextEdge, placeCursor, showSpan, useCapture } from './capture-store.ts';
import type { DecodedRow } from './decoding.ts';
import { drawLanes, heightOf, heights } from './draw-lanes.ts';
import styles from './lanes.module.css';
import { panned, timeText, zoomed } from './time-axis.ts';

/** Factor of the shown time for one notch of a wheel, or one key press. */
export const zoomFactor = 1.5;
/** Approximate scroll distance of one notch of a wheel, in px. */
const wheelNotch = 100;
/**
 * In px: a pointer that moves less than `clickSlack` has clicked, and a cursor within `snapDistance` of an edge snaps
 * to it.
 */
const clickSlack = 4;
const snapDistance = 6;

export interface LanesProps {
  readonly captured: Captured;
  readonly rows: readonly DecodedRow[];
}

export function Lanes({ captured, rows }: LanesProps) {
  const span = useCapture((state) => state.span);
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const dragged = useRef<{ x: number; moved: boolean } | null>(null);

  const paint = useEffectEvent(() => {
    if (canvas.current !== null && area.current !== null) {
      drawLanes(canvas.current, area.current, { captured, rows, span });
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the picture is what is drawn.
  useEffect(() => paint(), [captured, rows, span]);
  useEffect(() => {
    const element = area.current;
    if (element === null) {
      return;
    }
    const turn = (event: WheelEvent) => turned(event, element);
    // React's own listener is passive, so it could not prevent the panel from scrolling.
    element.addEventListener('wheel', turn, { passive: false });
    const ends = [
      watchSize(element, () => paint()),
      watchTheme(() => paint()),
      () => element.removeEventListener('wheel', turn),
    ];
    return () => {
      for (const end of ends) {
        end();
      }
    };
  }, []);

  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button === 0) {
      dragged.current = { x: event.clientX, moved: false };
      event.currentTarget.setPointerCapture?.(event.pointerId);
    }
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const drag = dragged.current;
    if (drag !== null && (drag.moved || Math.abs(event.clientX - drag.x) >= clickSlack)) {
      showSpan(panned(span, (drag.x - event.clientX) / event.currentTarget.clientWidth, captured.end));
      dragged.current = { x: event.clientX, moved: true };
    }
  };
  const end = (event: PointerEvent<HTMLDivElement>) => {
    if (dragged.current?.moved === false) {
      placeCursor(captureNow().placing, timeUnder(event.clientX, event.currentTarget));
    }
    dragged.current = null;
  };
  return (
    <div className={styles['lanes']}>
      <div className={styles['labels']}>
        {captured.lanes.map(({ gpio, label, port }) => (
          <span key={gpio} data-port-colour={port} className={styles['label']} style={{ height: heights.lane }}>
            {label}
          </span>
        ))}
        {rows.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two decoders may read the same lines; a row is its place.
          <span key={`${index} ${name}`} className={styles['row']} style={{ height: heights.row }}>
            {name}
          </span>
        ))}
      </div>
      <div
        ref={area}
        className={styles['area']}
        role="slider"
        tabIndex={0}
        aria-label="Time shown"
        aria-valuemin={0}
        aria-valuemax={Math.round(captured.end)}
        aria-valuenow={Math.round(span.from)}
        aria-valuetext={`${timeOf(captured, span.from)} to ${timeOf(captured, span.to)}`}
        style={{ height: heightOf(captured.lanes.length, rows.length) }}
        onKeyDown={pressed}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => {
          dragged.current = null;
        }}
      >
        <canvas ref={canvas} className={styles['canvas']} />
      </div>
      <div className={styles['cursors']}>
        <Cursor name="a" captured={captured} />
        <Cursor name="b" captured={captured} />
      </div>
    </div>
  );
}

/** Formats a time like the axis does, relative to the trigger. */
export function timeOf({ zero, samplePeriod }: Captured, time: number): string {
  return timeText(time - zero, samplePeriod);
}

/** Returns the time under a pointer, or the time of a near edge. */
function timeUnder(clientX: number, element: HTMLElement): number {
  const { span, captured } = captureNow();
  const { left, width } = element.getBoundingClientRect();
  const time = span.from + ((clientX - left) / Math.max(1, width)) * (span.to - span.from);
  const reach = (snapDistance / Math.max(1, width)) * (span.to - span.from);
  const lanes = captured?.lanes ?? [];
  const near = [nextEdge(lanes, time, -1), nextEdge(lanes, time, 1)]
    .filter((edge) => edge !== null && Math.abs(edge - time) <= reach)
    .toSorted((one, two) => Math.abs((one ?? 0) - time) - Math.abs((two ?? 0) - time));
  return near[0] ?? time;
}

/** Zooms around the pointer on vertical scrolling, and moves on horizontal scrolling. */
function turned(event: WheelEvent, element: HTMLElement): void {
  const { span, captured } = captureNow();
  if (captured === null) {
    return;
  }
  event.preventDefault();
  const sideways = event.shiftKey ? event.deltaX + event.deltaY : event.deltaX;
  if (Math.abs(sideways) >= Math.abs(event.deltaY) || event.shiftKey) {
    showSpan(panned(span, (sideways / wheelNotch) * 0.1, captured.end));
    return;
  }
  const { left, width } = element.getBoundingClientRect();
  const at = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  showSpan(zoomed(span, zoomFactor ** (event.deltaY / wheelNotch), at, captured.end));
}

function pressed(event: KeyboardEvent): void {
  const { span, captured } = captureNow();
  if (captured === null || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const { end } = captured;
  const steps: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => showSpan(panned(span, -0.1, end)),
    ArrowRight: () => showSpan(panned(span, 0.1, end)),
    PageUp: () => showSpan(panned(span, -1, end)),
    PageDown: () => showSpan(panned(span, 1, end)),
    Home: () => showSpan(panned(span, -end, end)),
    End: () => showSpan(panned(span, end, end)),
    '+': () => showSpan(zoomed(span, 1 / zoomFactor, 0.5, end)),
    '-': () => showSpan(zoomed(span, zoomFactor, 0.5, end)),
    '0': () => showSpan({ from: 0, to: end }),
  };
  const step = steps[event.key];
  if (step !== undefined) {
    event.preventDefault();
    step();
  }
}

/** A cursor with a flag to drag. Arrow keys move it by one pixel or ten, Page Up and Page Down from edge to edge. */
function Cursor({ name, captured }: { readonly name: 'a' | 'b'; readonly captured: Captured }) {
  const at = useCapture(({ cursors }) => cursors[name]);
  const span = useCapture((state) => state.span);
  if (at === null) {
    return null;
  }
  const place = (at - span.from) / (span.to - span.from);
  const inSight = place >= 0 && place <= 1;
  const move = (time: number | null) => {
    if (time !== null) {
      placeCursor(name, time);
    }
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const pixel = (span.to - span.from) / Math.max(1, event.currentTarget.parentElement?.clientWidth ?? 1);
    const step = Math.max(captured.samplePeriod, pixel * (event.shiftKey ? 10 : 1));
    const steps: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => move(at - step),
      ArrowRight: () => move(at + step),
      PageUp: () => move(nextEdge(captured.lanes, at, -1)),
      PageDown: () => move(nextEdge(captured.lanes, at, 1)),
      Home: () => move(span.from),
      End: () => move(span.to),
      Delete: () => placeCursor(name, null),
    };
    const act = steps[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  };
  const letter = name.toUpperCase();
  return (
    <div
      className={styles['cursor']}
      role="slider"
      tabIndex={0}
      aria-label={`Cursor ${letter}`}
      aria-valuemin={0}
      aria-valuemax={Math.round(captured.end)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={timeOf(captured, at)}
      data-outside={inSight ? undefined : true}
      style={{ left: `${Math.min(1, Math.max(0, place)) * 100}%` }}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture?.(event.pointerId);
      }}
      onPointerMove={(event) => {
        const area = event.currentTarget.parentElement;
        if (event.buttons === 1 && area !== null) {
          placeCursor(name, timeUnder(event.clientX, area));
        }
      }}
    >
      <span className={styles['flag']}>{letter}</span>
    </div>
  );
}
