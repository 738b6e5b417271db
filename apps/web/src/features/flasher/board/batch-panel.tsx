/** Batch mode: the four places with the board of each, and what came of all boards. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Check, CircleX, FileSpreadsheet, Hand, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { saveFile } from '../../../shared/files/save-file.ts';
import { durationText } from '../../../shared/format/durations.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { useInSeries } from '../../../workbench/improv/series.ts';
import { Readout } from '../../../workbench/readout.tsx';
import type { FlashState } from '../state/flash-state.ts';
import { receiptsCsv } from '../state/receipt.ts';
import { type BatchResult, useBatchResults } from '../store/batch-results.ts';
import { flasherStore, useFlasher } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import styles from './batch-panel.module.css';

/** Drawn while batch mode is on, and as long as there are results of it. */
export function BatchPanel() {
  const on = useFlasher((state) => state.batchMode);
  const results = useBatchResults();
  const receipts = useReceipts(({ all }) => all);
  if (!on && (results.length === 0 || receipts.length === 0)) {
    return null;
  }
  const save = () =>
    saveFile(
      new Blob([receiptsCsv(receipts)], { type: 'text/csv' }),
      `wirebench-flashes-${new Date().toISOString().slice(0, 10)}.csv`,
    );
  return (
    <section className={`card ${styles['batch']}`} aria-label="Batch mode">
      <div className={styles['head']}>
        <h2>Batch mode</h2>
        <p>
          {on
            ? 'Plug in one board after another. Each board that you have allowed before is written automatically, up to four at a time. The monitor stays closed.'
            : 'Batch mode is off.'}
        </p>
        <Counts results={results} />
        {receipts.length === 0 ? null : (
          <Button size="sm" icon={<FileSpreadsheet />} onClick={save}>
            {receipts.length === 1 ? 'Save 1 receipt as CSV' : `Save ${receipts.length} receipts as CSV`}
          </Button>
        )}
      </div>
      {on ? (
        <div className={styles['places']}>
          {portNumbers.map((port) => (
            <Place key={port} port={port} />
          ))}
        </div>
      ) : null}
      {results.length === 0 ? null : <Results results={results} />}
    </section>
  );
}

const number = (results: readonly BatchResult[], of: BatchResult['outcome']) =>
  results.filter(({ outcome }) => outcome === of).length;

/** Counts the boards by outcome. */
function Counts({ results }: { readonly results: readonly BatchResult[] }) {
  const duration = useReceipts(({ all }) => all.at(-1)?.duration ?? null);
  const counts = [
    `${number(results, 'done')} done`,
    `${number(results, 'unverified')} written, not verified`,
    `${number(results, 'failed')} failed`,
    `${number(results, 'waiting')} waiting for you`,
  ];
  return (
    <>
      <p role="status" className="visually-hidden">
        {results.length === 0 ? '' : `Boards: ${counts.filter((text) => !text.startsWith('0 ')).join(', ')}`}
      </p>
      <span className={styles['numbers']} aria-hidden="true">
        <Readout label="Good" value={String(number(results, 'done'))} unit="" />
        <Readout label="Failed" value={String(number(results, 'failed'))} unit="" />
        {duration === null ? null : <Readout label="A board takes" value={(duration / 1_000).toFixed(1)} unit="s" />}
      </span>
    </>
  );
}

/** One of the four places: its board and how far it is. A click shows the board. */
function Place({ port }: { readonly port: PortNumber }) {
  const flash = useFlasher(({ flashes }) => flashes[port]);
  const { phase, board, progress } = flash;
  const free = phase === 'none';
  const part = phase === 'writing' && progress !== null && progress.total > 0 ? progress.done / progress.total : null;
  const isInWifi = useInSeries(port);
  const [title, hint] = isInWifi ? ['Setting up Wi-Fi', 'Do not unplug it'] : placeText(flash);
  return (
    <div className={classNames(styles['place'], free && styles['free'])}>
      <span className={`row ${styles['id']}`}>
        {free ? (
          `${port} free`
        ) : (
          <>
            <PortFlag port={port} />
            {board?.id ?? ''}
          </>
        )}
      </span>
      <button
        type="button"
        className={styles['show']}
        disabled={free}
        onClick={() => flasherStore().setState({ selected: port })}
      >
        {title}
      </button>
      <small>{hint}</small>
      {part === null ? null : <ProgressBar label={`Place ${port}`} done={part} />}
    </div>
  );
}

function placeText({ phase, plan, report, failure }: FlashState): readonly [title: string, hint: string] {
  switch (phase) {
    case 'none':
      return ['Plug in the next', 'It starts by itself'];
    case 'connecting':
      return ['Connecting', 'Do not unplug it'];
    case 'writing':
    case 'restarting':
      return ['Writing', 'Do not unplug it'];
    case 'done':
      return report?.state === 'complete'
        ? ['Good. Unplug it', durationText(report.duration)]
        : ['Written, not verified', 'Check that it starts'];
    case 'failed':
      return ['Failed', failure?.message ?? ''];
    case 'planned':
      return plan?.refusals.length === 0 ? ['Ready', 'Write it from here'] : ['Waits for you', 'It cannot be written'];
    default:
      return ['Connected', ''];
  }
}

const outcomes = {
  done: { text: 'Written and verified', icon: <Check /> },
  unverified: { text: 'Written, not verified', icon: <TriangleAlert /> },
  failed: { text: 'Failed', icon: <CircleX /> },
  waiting: { text: 'Waits for you', icon: <Hand /> },
} satisfies Record<BatchResult['outcome'], { readonly text: string; readonly icon: ReactNode }>;

/** Newest first, with the number of each board. */
function Results({ results }: { readonly results: readonly BatchResult[] }) {
  return (
    <div className={styles['scroll']}>
      <table className="table" aria-label="Boards of this batch">
        <thead>
          <tr>
            <th scope="col" className="number">
              No.
            </th>
            <th scope="col">Board</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {results
            .map((result, index) => ({ ...result, row: index + 1 }))
            .reverse()
            .map(({ row, board, outcome, why }) => (
              <tr key={row} className={classNames(outcome === 'failed' && styles['bad'])}>
                <td className="number">{row}</td>
                <td className="mono">{board}</td>
                <td>
                  <span className={styles['outcome']}>
                    {outcomes[outcome].icon}
                    <span>{why === null ? outcomes[outcome].text : `${outcomes[outcome].text}: ${why}`}</span>
                  </span>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
