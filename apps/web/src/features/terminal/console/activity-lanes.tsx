/**
 * Activity lanes: one for each open port, with the bytes received in the last minute. A click shows the lines of that
 * time.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { rateText } from '../../../shared/format/bytes.ts';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { activityOf } from './activity.ts';
import { binTime, timeAt } from './activity-bins.ts';
import styles from './activity-lanes.module.css';
import { LaneChart } from './lane-chart.ts';

/** Time shown by a lane, in seconds. */
const span = 60;

export interface ActivityLanesProps {
  /** The only port whose lane is shown. Null: all open ports. */
  readonly only: PortNumber | null;
  /** @param at Milliseconds since the Unix epoch. */
  readonly onJump: (at: number) => void;
}

export function ActivityLanes({ only, onJump }: ActivityLanesProps) {
  const open = useBenchStatus(({ status, users }) =>
    portNumbers
      .filter((port) => status.ports[port].state !== 'disconnected' || users[port] !== null)
      .filter((port) => (only ?? port) === port)
      .join(),
  );
  const lanes = useRef<HTMLDivElement>(null);
  const [ago, setAgo] = useState(0);
  if (open === '') {
    return null;
  }
  const jump = (fraction: number) => {
    setAgo(Math.round((1 - fraction) * span));
    onJump(timeAt(fraction, Date.now()));
  };
  const clicked = (event: MouseEvent) => {
    const box = lanes.current?.querySelector('canvas')?.getBoundingClientRect();
    if (box !== undefined && box.width > 0) {
      jump(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
    }
  };
  const pressed = (event: KeyboardEvent) => {
    const next = { ArrowLeft: ago + 1, ArrowRight: ago - 1, Home: span, End: 0 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      jump(1 - Math.min(span, Math.max(0, next)) / span);
    }
  };
  return (
    <div
      ref={lanes}
      className={`ring-inside ${styles['lanes']}`}
      role="slider"
      tabIndex={0}
      aria-label="Jump to a time in the last minute"
      aria-valuemin={-span}
      aria-valuemax={0}
      aria-valuenow={-ago}
      aria-valuetext={`${ago} s ago`}
      onClick={clicked}
      onKeyDown={pressed}
    >
      {portNumbers
        .filter((port) => open.includes(String(port)))
        .map((port) => (
          <Lane key={port} port={port} />
        ))}
    </div>
  );
}

function Lane({ port }: { readonly port: PortNumber }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const received = useBenchStatus(({ rates }) => rates[port].received.now);
  useEffect(() => {
    if (canvas.current === null) {
      return;
    }
    const chart = new LaneChart(canvas.current);
    let timer: ReturnType<typeof setTimeout>;
    const draw = () => {
      const now = Date.now();
      chart.show(activityOf(port, now));
      // Aligned to the bin time, so that all lanes are drawn in the same frame.
      timer = setTimeout(draw, binTime - (now % binTime));
    };
    draw();
    return () => {
      clearTimeout(timer);
      chart.dispose();
    };
  }, [port]);
  return (
    <div className={styles['lane']} data-port={port}>
      <PortFlag port={port} />
      <canvas ref={canvas} className={styles['canvas']} />
      <span className={styles['rate']}>{rateText(received)}</span>
    </div>
  );
}
