/** Baud finder in the settings of a port: listens to a sending board at one rate after the other, and ranks the rates by the received data. */
import { type BaudCandidate, type BaudFinding, baudReasonText, lineText, type PortNumber } from '@wirebench/serial';
import { Ear, FlaskConical } from 'lucide-react';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Meter } from '../../../shared/ui/meter.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { applyBaudRate, pickAndSearch, startBaudSearch, useBaudSearch } from './baud-finder.ts';
import styles from './baud-panel.module.css';

export function BaudPanel({ port }: { readonly port: PortNumber }) {
  const search = useBaudSearch(port);
  return (
    <section className={styles['finder']} aria-label="Baud finder">
      <div className={`row ${styles['head']}`}>
        {search.kind === 'running' ? <Progress port={port} cancel={search.cancel} /> : <Start port={port} />}
      </div>
      <div role="status">{search.kind === 'found' ? <Verdict finding={search.finding} /> : null}</div>
      <div role="alert">{search.kind === 'failed' ? <p className={styles['error']}>{search.message}</p> : null}</div>
      {search.kind === 'found' && !search.finding.silent ? (
        <Ranking port={port} finding={search.finding} />
      ) : (
        <p className={styles['text']}>
          Listens to the board at one baud rate after another, for up to 2.5 seconds each, and ranks the rates by how
          readable the data is. Nothing is sent. An open port is closed for the search and reopened afterwards; a board
          that resets when its port is opened resets at each rate.
        </p>
      )}
    </section>
  );
}

function Start({ port }: { readonly port: PortNumber }) {
  const state = useBenchStatus(({ status }) => status.ports[port].state);
  const known = useBenchStatus(({ devices }) => devices[port] !== null);
  if (state !== 'connected' && state !== 'disconnected') {
    return <span className={styles['text']}>Wait until the port has opened or closed.</span>;
  }
  if (known) {
    return (
      <Button size="sm" variant="primary" icon={<Ear />} onClick={() => void startBaudSearch(port, { kind: 'same' })}>
        Find the baud rate
      </Button>
    );
  }
  return (
    <>
      {serialSupport() === 'ready' ? (
        <Button size="sm" variant="primary" icon={<Ear />} onClick={() => void pickAndSearch(port)}>
          Pick a board and listen
        </Button>
      ) : null}
      <Button size="sm" icon={<FlaskConical />} onClick={() => void startBaudSearch(port, { kind: 'demo' })}>
        Try the demo board
      </Button>
    </>
  );
}

interface ProgressProps {
  readonly port: PortNumber;
  readonly cancel: () => void;
}

function Progress({ port, cancel }: ProgressProps) {
  const progress = useBenchStatus(({ baudSearches }) => baudSearches[port]);
  return (
    <>
      {progress === null ? (
        <span>Starting</span>
      ) : (
        <>
          <ProgressBar className={styles['progress']} label="Rates tried" done={progress.index / progress.count} />
          <span>
            Listening at {progress.rate} baud, {progress.index + 1} of {progress.count}
          </span>
        </>
      )}
      <Button size="sm" aria-label="Cancel: stop looking for the baud rate" onClick={cancel}>
        Cancel
      </Button>
    </>
  );
}

function Verdict({ finding: { baudRate, silent } }: { readonly finding: BaudFinding }) {
  return (
    <p className={styles['verdict']}>
      {baudRate !== null ? (
        <>
          The baud rate is <b>{baudRate}</b>.
        </>
      ) : silent ? (
        'Nothing was received at any rate. Press the reset button on the board while this listens, and check that RX, TX and ground are wired.'
      ) : (
        'No rate stands out: a board that speaks a binary protocol looks like noise at every rate. Compare the samples.'
      )}
    </p>
  );
}

interface RankingProps {
  readonly port: PortNumber;
  readonly finding: BaudFinding;
}

function Ranking({ port, finding }: RankingProps) {
  return (
    <ol className={styles['ranking']} aria-label="Rates, most likely first">
      {finding.ranking.map((candidate) => (
        <Candidate
          key={candidate.baudRate}
          port={port}
          candidate={candidate}
          best={candidate.baudRate === finding.baudRate}
        />
      ))}
    </ol>
  );
}

interface CandidateProps {
  readonly port: PortNumber;
  readonly candidate: BaudCandidate;
  readonly best: boolean;
}

function Candidate({ port, candidate: { baudRate, score, reasons, sample }, best }: CandidateProps) {
  const inForce = useBenchStatus(({ status }) => {
    const { state, settings } = status.ports[port];
    return state === 'connected' && settings?.baudRate === baudRate;
  });
  return (
    <li className={styles['candidate']}>
      <b className={styles['rate']}>{baudRate}</b>
      <Meter className={styles['score']} aria-label={`Score of ${baudRate}`} max={1} value={score} />
      <span className={styles['why']}>{reasons.map(baudReasonText).join('. ')}</span>
      <code className={`ellipsis ${styles['sample']}`}>{lineText(sample, { showControls: true })}</code>
      <span className={styles['act']}>
        {inForce ? (
          'In use'
        ) : (
          <Button
            size="sm"
            variant={best ? 'primary' : 'default'}
            aria-label={`Use ${baudRate} baud`}
            onClick={() => void applyBaudRate(port, baudRate)}
          >
            Use
          </Button>
        )}
      </span>
    </li>
  );
}
