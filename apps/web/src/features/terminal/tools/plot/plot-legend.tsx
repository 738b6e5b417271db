/** Legend of the plot: names with the newest values, or the values at the pointer. A click hides or shows a curve. */

import { lines } from '../../../../shared/format/numbers.ts';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import type { PointedValues } from '../../../../workbench/plot/plot-chart.ts';
import { shortNumber } from '../../../../workbench/plot/plot-times.ts';
import type { PlotFacts } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import { showSeries, usePlot } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { shownSeries } from './shown-series.ts';

export interface PlotLegendProps {
  readonly facts: PlotFacts;
  readonly pointed: PointedValues | null;
}

export function PlotLegend({ facts, pointed }: PlotLegendProps) {
  const wanted = usePlot((plot) => plot.wanted);
  const { skippedLines } = facts;
  const series = shownSeries(facts, wanted);
  const severalPorts = new Set(series.map(({ port }) => port)).size > 1;
  return (
    <div className={styles['legend']}>
      <ul className={styles['series']} aria-label="Curves">
        {series.map(({ id, port, name, last, shown }) => {
          const value = pointed === null ? last : pointed.values.get(id);
          return (
            <li key={id} className={styles['curve']}>
              <button
                type="button"
                className={styles['name']}
                aria-pressed={shown}
                onClick={() => showSeries(id, !shown)}
              >
                <Swatch id={id} />
                {severalPorts ? <PortFlag port={port} /> : null}
                {name}
              </button>
              <span className={styles['value']}>{shown && value !== undefined ? valueText(value) : ''}</span>
            </li>
          );
        })}
      </ul>
      <span className={styles['at']}>
        {skippedLines > 0 ? `${lines(skippedLines)} arrived too fast and were left out. ` : ''}
        {pointed === null ? '' : clockTime(pointed.at)}
      </span>
    </div>
  );
}

/** Formats a value. NaN is shown as a dash. */
const valueText = (value: number) => (Number.isNaN(value) ? '–' : shortNumber(value));

function Swatch({ id }: { readonly id: number }) {
  const { colour, dash } = lookOf(id);
  return (
    <svg className={styles['swatch']} data-series={colour} viewBox="0 0 18 10" aria-hidden="true">
      <path d="M0 5H18" stroke="currentColor" strokeWidth="2" strokeDasharray={dash.join(' ') || undefined} />
    </svg>
  );
}
