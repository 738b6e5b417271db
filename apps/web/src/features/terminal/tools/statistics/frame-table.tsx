/** Overview of a port's frames: a row for each device and message, and the answers of each device. */
import type { OverviewDevice } from '@wirebench/frames';
import type { PortNumber } from '@wirebench/serial';
import type { FrameOverview, FrameOverviewRow } from '../../../../protocol/bench/frame-part.ts';
import { count, counted } from '../../../../shared/format/numbers.ts';
import { classNames } from '../../../../shared/ui/class-names.ts';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { getBench } from '../../../../workbench/bench.ts';
import { changeFind, useFind } from '../../../../workbench/console/find/find-store.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import styles from './frame-table.module.css';
import { useFigures } from './use-figures.ts';

export interface FrameTableProps {
  readonly port: PortNumber;
  /** False: the bench has frames or lines of other ports. */
  readonly isAlone: boolean;
  /** Called after the log shows only some frames. */
  readonly onFound: () => void;
}

export function FrameTable({ port, isAlone, onFound }: FrameTableProps) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const overview = useFigures<FrameOverview | null>(`${port}`, null, () => getBench().call('frameOverview', port));
  const answersOn = useTerminalSettings(({ ports }) => ports[port].answersOn);
  // The frames of both ports of a conversation are counted together.
  const scope = isAlone ? '' : `port:${[port, ...(answersOn === null ? [] : [answersOn])].join()} `;
  if (overview === null) {
    return null;
  }
  const { rows, devices, moreDevices } = overview;
  return (
    <section className={styles['frames']} aria-label={`Frames of ${name}`} data-port={port}>
      <h3 className={styles['title']}>
        {isAlone ? null : <PortFlag port={port} />}
        Frames
      </h3>
      <Totals overview={overview} />
      {rows.length === 0 ? null : (
        <table className={styles['table']} aria-label="Frames by device and message">
          <thead>
            <tr>
              <th scope="col">Frame</th>
              <th scope="col">Count</th>
              <th scope="col">Every</th>
            </tr>
          </thead>
          {rows.map((row) => (
            <Row key={row.key} row={row} find={`${scope}${row.find}`} onFound={onFound} />
          ))}
        </table>
      )}
      {devices.length === 0 ? null : <Devices devices={devices} />}
      {moreDevices === 0 ? null : <p className={styles['note']}>{counted(moreDevices, 'more device')}</p>}
    </section>
  );
}

/** Counts of all frames, and what they leave out. */
function Totals({ overview }: { readonly overview: FrameOverview }) {
  const { totals, moreRows, omitted, missed, isBehind } = overview;
  const facts = [
    { text: counted(totals.frames, 'frame'), tone: null },
    { text: `${count(totals.lost)} lost`, tone: totals.lost > 0 ? 'warning' : 'none' },
    { text: `${count(totals.unanswered)} without an answer`, tone: totals.unanswered > 0 ? 'warning' : 'none' },
    { text: counted(totals.exceptions, 'exception'), tone: totals.exceptions > 0 ? 'danger' : 'none' },
    { text: `${count(totals.errors)} broken`, tone: totals.errors > 0 ? 'danger' : 'none' },
    { text: counted(totals.leftOver, 'left-over byte'), tone: totals.leftOver > 0 ? 'warning' : 'none' },
  ].filter(({ tone }) => tone !== 'none');
  const notes = [
    isBehind ? 'Older frames are still being counted.' : '',
    missed === 0 ? '' : `${counted(missed, 'frame')} had left the log before the count came to them.`,
    omitted === 0 ? '' : `${counted(omitted, 'frame')} of further messages have no row.`,
    moreRows === 0 ? '' : `${counted(moreRows, 'further row')} not shown.`,
  ].filter((note) => note !== '');
  return (
    <>
      <ul className={styles['totals']}>
        {facts.map(({ text, tone }) => (
          <li key={text.replace(/^\S+ /, '')} data-tone={tone}>
            {text}
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
    </>
  );
}

interface RowProps {
  readonly row: FrameOverviewRow;
  readonly find: string;
  readonly onFound: () => void;
}

/** A press shows only these frames in the log, and another press all lines again. */
function Row({ row, find, onFound }: RowProps) {
  const isShown = useFind(({ text, matchesOnly }) => matchesOnly && text === find);
  const { who, message, words, bytes, isText, moreBytes, lost, exceptions, isBroken } = row;
  const press = () => {
    changeFind(isShown ? { text: '', matchesOnly: false } : { text: find, matchesOnly: true });
    if (!isShown) {
      onFound();
    }
  };
  return (
    <tbody className={classNames(styles['row'], isShown && styles['shown'])}>
      <tr>
        <th scope="row">
          <button type="button" className={`ring-inside ${styles['name']}`} aria-pressed={isShown} onClick={press}>
            {who === '' ? null : <b>{who}</b>} <span className={classNames(isBroken && styles['bad'])}>{message}</span>
          </button>
        </th>
        <td>{count(row.count)}</td>
        <td>{row.cycle === null ? '–' : timeText(row.cycle)}</td>
      </tr>
      <tr>
        <td colSpan={3} className={styles['newest']}>
          <span className={styles['words']}>{words}</span>
          <span className={styles['bytes']} data-text={isText || undefined}>
            {bytes.map(({ text, isChanged }, index) => {
              const Stretch = isChanged ? 'mark' : 'span';
              // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no other name.
              return [index > 0 && !isText ? ' ' : '', <Stretch key={index}>{text}</Stretch>];
            })}
            {moreBytes === 0 ? null : <span> … {counted(moreBytes, 'more byte')}</span>}
          </span>
          {lost + exceptions === 0 ? null : (
            <span className={styles['faults']}>
              {lost === 0 ? null : <span data-tone="warning">{count(lost)} lost</span>}
              {exceptions === 0 ? null : <span data-tone="danger">{counted(exceptions, 'exception')}</span>}
            </span>
          )}
        </td>
      </tr>
    </tbody>
  );
}

/** Times between questions and answers. */
function Devices({ devices }: { readonly devices: readonly OverviewDevice[] }) {
  return (
    <table className={styles['table']} aria-label="Answers by device">
      <thead>
        <tr>
          <th scope="col">Device</th>
          <th scope="col">Asked</th>
          <th scope="col">Silent</th>
          <th scope="col">Least</th>
          <th scope="col">Mean</th>
          <th scope="col">Most</th>
        </tr>
      </thead>
      <tbody className={styles['devices']}>
        {devices.map(({ who, questions, unanswered, shortest, mean, longest }) => (
          <tr key={who}>
            <th scope="row">{who}</th>
            <td>{count(questions)}</td>
            <td className={classNames(unanswered > 0 && styles['silent'])}>{count(unanswered)}</td>
            {Object.entries({ shortest, mean, longest }).map(([which, time]) => (
              <td key={which}>{time === null ? '–' : timeText(time)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `4.2 ms`, `250 ms`, `12.0 s`. */
function timeText(ms: number): string {
  if (ms >= 9_999.5) {
    return ms >= 99_950 ? `${count(ms / 1_000)} s` : `${(ms / 1_000).toFixed(1)} s`;
  }
  return `${ms < 10 ? Math.round(ms * 10) / 10 : count(ms)} ms`;
}
