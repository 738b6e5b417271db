/** The choice of curves: found by name and unit, with their newest values. */
import { type NumberFormat, type PortNumber, portNumbers } from '@wirebench/serial';
import { useId, useState } from 'react';
import { count } from '../../../../shared/format/numbers.ts';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import { Swatch, titleOf, valueText } from './lane-heads.tsx';
import type { Lane } from './lanes.ts';
import styles from './plot-panel.module.css';
import { choosePlot, setMode, setRight, showSeries, usePlot } from './plot-store.ts';
import { foundCurves, type shownSeries } from './shown-series.ts';

type ShownSeries = ReturnType<typeof shownSeries>[number];

const formats = {
  any: 'Any format',
  named: 'Name and value',
  columns: 'Columns',
} satisfies Record<NumberFormat, string>;

const scales = [
  { label: 'Lanes', value: 'lanes' },
  { label: 'One axis', value: 'one' },
] as const;

export interface CurveChoiceProps {
  /** Curves with points in the shown range. */
  readonly all: readonly ShownSeries[];
  readonly drawn: readonly Lane[];
}

/** Chooses the drawn curves, their scales, and the lines that they are read from. */
export function CurveChoice({ all, drawn }: CurveChoiceProps) {
  const [search, setSearch] = useState('');
  const found = foundCurves(all, search);
  const portId = useId();
  const formatId = useId();
  const isOne = drawn.filter(({ kind }) => kind === 'numbers').length <= 1;
  const { port, format } = usePlot((plot) => plot.choice);
  const look = usePlot((plot) => plot.look);
  const right = usePlot((plot) => plot.right);
  const numbers = all.filter(({ shown, valueNames }) => shown && valueNames.size === 0);
  const settings = useTerminalSettings((settings) => settings);
  const used = useBenchStatus(({ status }) =>
    portNumbers.filter((number) => status.ports[number].connectedAt !== null).join(),
  );
  const ports = portNumbers.filter((number) => number === port || used.includes(String(number)));
  const severalPorts = new Set(all.map((one) => one.port)).size > 1;
  return (
    <div className={styles['choice']}>
      {all.length === 0 ? null : (
        <>
          <div className={styles['search']}>
            <TextInput
              type="search"
              aria-label="Search among curves"
              placeholder="Search: name or unit"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <span role="status">
              {search.trim() === '' ? `${count(all.length)} curves` : `${count(found.length)} of ${count(all.length)}`}
            </span>
          </div>
          <ul>
            {found.map((one) => {
              const { title, unit } = titleOf(one);
              return (
                <li key={one.id}>
                  <label>
                    <input
                      type="checkbox"
                      aria-label={one.name}
                      checked={one.shown}
                      onChange={(event) => showSeries(one.id, event.currentTarget.checked)}
                    />
                    <Swatch id={one.id} />
                    {severalPorts ? <PortFlag port={one.port} /> : null}
                    <span className={styles['title']} title={one.name}>
                      {title}
                    </span>
                    <span className={styles['newest']}>
                      {valueText(one, one.last)}
                      {unit === '' || one.valueNames.size > 0 ? '' : ` ${unit}`}
                    </span>
                  </label>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <Segmented label="Scales" options={scales} value={isOne ? 'one' : 'lanes'} onChange={(mode) => setMode(mode)} />
      {look === 'xy' ? (
        <Select
          aria-label="Curve to the right"
          value={right ?? numbers[0]?.id ?? ''}
          onChange={(event) => setRight(Number(event.currentTarget.value))}
        >
          {numbers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      ) : null}
      <div className={styles['source']}>
        <label className="silk" htmlFor={portId}>
          Of
        </label>
        <Select
          id={portId}
          aria-label="Plotted port"
          value={port ?? ''}
          onChange={(event) => choosePlot({ port: portOf(event.currentTarget.value) })}
        >
          <option value="">All ports</option>
          {ports.map((number) => (
            <option key={number} value={number}>
              {portName(settings, number)}
            </option>
          ))}
        </Select>
        <label className="silk" htmlFor={formatId}>
          Numbers
        </label>
        <Select
          id={formatId}
          aria-label="Number format"
          value={format}
          onChange={(event) => choosePlot({ format: formatOf(event.currentTarget.value) })}
        >
          {Object.entries(formats).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}

const portOf = (value: string): PortNumber | null => portNumbers.find((number) => String(number) === value) ?? null;

const formatOf = (value: string): NumberFormat =>
  (['named', 'columns'] as const).find((format) => format === value) ?? 'any';
