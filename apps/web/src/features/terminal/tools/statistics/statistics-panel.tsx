/** Statistics of each port since it was connected, with advice about its errors. */
import { errorHintText, type PortNumber, type PortStatistics, portNumbers } from '@wirebench/serial';
import type { ComponentType } from 'react';
import { rateText, sizeText } from '../../../../shared/format/bytes.ts';
import { count } from '../../../../shared/format/numbers.ts';
import { classNames } from '../../../../shared/ui/class-names.ts';
import { LevelIcon } from '../../../../shared/ui/level-icon.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { useLoaded } from '../../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import type { ToolProps } from '../open-tool.ts';
import type { FrameTableProps } from './frame-table.tsx';
import styles from './statistics-panel.module.css';
import { useFigures } from './use-figures.ts';

export function StatisticsPanel({ onFound }: ToolProps) {
  const used = useBenchStatus(({ status }) =>
    portNumbers.filter((port) => status.ports[port].connectedAt !== null).join(),
  );
  const ports = portNumbers.filter((port) => used.includes(String(port)));
  const statistics = useStatistics(used);
  // An opened log has no traffic, and may have frames.
  const logs = useBenchStatus(({ devices }) => portNumbers.filter((port) => devices[port]?.kind === 'log').join());
  const framed = useTerminalSettings((settings) =>
    portNumbers
      .filter((port) => settings.ports[port].decoder !== null && `${used} ${logs}`.includes(String(port)))
      .join(),
  );
  const withFrames = portNumbers.filter((port) => framed.includes(String(port)));
  const frames = useLoaded<LoadedFrames>(framed !== '', loadFrames, () => undefined);
  const isAlone = new Set([...ports, ...withFrames]).size === 1;
  if (ports.length === 0 && withFrames.length === 0) {
    return (
      <p className={styles['empty']}>
        No traffic yet. Connect a port: its bytes, lines, rates and errors are counted from then on.
      </p>
    );
  }
  return (
    <div className={styles['statistics']}>
      {ports.length === 0 ? null : <PortTable ports={ports} statistics={statistics} />}
      {frames === null
        ? null
        : withFrames.map((port) => <frames.FrameTable key={port} port={port} isAlone={isAlone} onFound={onFound} />)}
    </div>
  );
}

interface LoadedFrames {
  readonly FrameTable: ComponentType<FrameTableProps>;
}

const loadFrames = async (): Promise<LoadedFrames> => await import('./frame-table.tsx');

interface PortTableProps {
  readonly ports: readonly PortNumber[];
  readonly statistics: AllStatistics;
}

function PortTable({ ports, statistics }: PortTableProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it. */}
      <section className={`ring-inside ${styles['scroll']}`} aria-label="Statistics of the ports" tabIndex={0}>
        <table className={`table ${styles['table']}`}>
          <thead>
            <tr>
              <th scope="col">Port</th>
              {ports.map((port) => (
                <PortHead key={port} port={port} />
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map(({ title, value, bad }) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                {ports.map((port) => {
                  const of = statistics[port];
                  return (
                    <td key={port} className={classNames(of !== null && bad?.(of) && styles['bad'])}>
                      {of === null ? '–' : value(of)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ul className={styles['hints']}>
        {ports.flatMap((port) =>
          (statistics[port]?.hints ?? []).map((hint) => <Hint key={`${port} ${hint}`} port={port} hint={hint} />),
        )}
      </ul>
    </>
  );
}

interface Column {
  readonly title: string;
  readonly value: (statistics: PortStatistics) => string;
  readonly bad?: (statistics: PortStatistics) => boolean;
}

const errorColumn = (title: string, kind: keyof PortStatistics['errors']): Column => ({
  title,
  value: ({ errors }) => count(errors[kind]),
  bad: ({ errors }) => errors[kind] > 0,
});

const figures: readonly Column[] = [
  { title: 'Received', value: ({ received }) => sizeText(received.bytes) },
  { title: 'Rate', value: ({ received }) => rateText(received.rate) },
  { title: 'Peak', value: ({ received }) => rateText(received.peak) },
  { title: 'Line load', value: ({ received }) => percent(received.load) },
  { title: 'Lines', value: ({ lines }) => count(lines) },
  { title: 'Sent', value: ({ sent }) => sizeText(sent.bytes) },
  { title: 'Send rate', value: ({ sent }) => rateText(sent.rate) },
  errorColumn('Framing', 'framing'),
  errorColumn('Parity', 'parity'),
  errorColumn('Overruns', 'overrun'),
  errorColumn('Breaks', 'break'),
];

const percent = (fraction: number | null) => (fraction === null ? '–' : `${Math.round(fraction * 100)} %`);

/** Head of a port's column: its flag, and its name as far as it fits. */
function PortHead({ port }: { readonly port: PortNumber }) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  return (
    <th scope="col" title={name}>
      <PortFlag port={port} />
      <span className={`ellipsis ${styles['name']}`}>{name}</span>
    </th>
  );
}

interface HintProps {
  readonly port: PortNumber;
  readonly hint: keyof typeof errorHintText;
}

function Hint({ port, hint }: HintProps) {
  return (
    <li className={styles['hint']}>
      <LevelIcon level="warning" />
      <PortFlag port={port} />
      {errorHintText[hint]}
    </li>
  );
}

type AllStatistics = Readonly<Record<PortNumber, PortStatistics | null>>;

const noStatistics: AllStatistics = { 1: null, 2: null, 3: null, 4: null };

/** @param used Port numbers separated by commas. A string, so that the effect depends on its value. */
function useStatistics(used: string): AllStatistics {
  return useFigures(used, noStatistics, async (before) => {
    const ports = portNumbers.filter((port) => used.includes(String(port)));
    const found = await Promise.all(ports.map((port) => getBench().call('statistics', port)));
    const entries = ports.map((port, index) => [port, found[index] ?? null]);
    return { ...before, ...Object.fromEntries(entries) };
  });
}
