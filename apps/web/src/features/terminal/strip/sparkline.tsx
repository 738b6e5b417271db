import type { PortNumber } from '@wirebench/serial';
import { useEffect, useRef } from 'react';
import { activityOf } from '../console/activity.ts';
import { binTime } from '../console/activity-bins.ts';
import { LaneChart } from '../console/lane-chart.ts';
import styles from './port-tab.module.css';

const barCount = 20;

/** Bars of the bytes received in the last minute. */
export function Sparkline({ port }: { readonly port: PortNumber }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) {
      return;
    }
    const chart = new LaneChart(canvas.current, 0);
    let timer: ReturnType<typeof setTimeout>;
    const draw = () => {
      const now = Date.now();
      chart.show(summed(activityOf(port, now), barCount));
      timer = setTimeout(draw, binTime - (now % binTime));
    };
    draw();
    return () => {
      clearTimeout(timer);
      chart.dispose();
    };
  }, [port]);
  return <canvas ref={canvas} className={styles['sparkline']} />;
}

/** Sums neighbouring bins, so that `count` remain. */
function summed(bins: Readonly<Float64Array>, count: number): Float64Array {
  const sums = new Float64Array(count);
  for (const [index, bytes] of bins.entries()) {
    const bar = Math.floor((index * count) / bins.length);
    sums[bar] = (sums[bar] ?? 0) + bytes;
  }
  return sums;
}
