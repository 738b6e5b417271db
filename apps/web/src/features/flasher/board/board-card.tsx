/** Card of the board: the ways to connect one, the running connection, or the facts of the board. */
import type { PortNumber } from '@wirebench/serial';
import { Check, FlaskConical, RotateCcw, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import type { ConnectedBoard } from '../../../workbench/families.ts';
import { TakeBackButton } from '../../../workbench/sharing/used-port.tsx';
import { type FlashPhase, isBusy, isReady } from '../state/flash-state.ts';
import { cancel, connectAgain, disconnect, plugDemo, restart } from '../store/flash-actions.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import styles from './board-card.module.css';
import type { BoardDescription } from './board-description.ts';
import { ChipDrawing } from './chip-drawing.tsx';
import { ConnectBoard } from './connect-board.tsx';

export interface BoardCardProps {
  readonly describe: (board: ConnectedBoard) => BoardDescription;
  /** Further ways to connect a board than its serial port, and notes to read before. */
  readonly ways?: ReactNode;
}

export function BoardCard({ describe, ways }: BoardCardProps) {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const step = useFlash((flash) => flash.step);
  const board = useFlash((flash) => flash.board);
  const user = useBenchStatus(({ users }) => users[port]);
  return (
    <section className={`card ${styles['card']}`} aria-label="Board">
      {user !== null && !isBusy({ phase }) ? (
        <UsedBoard port={port} user={user} name={board?.name ?? null} />
      ) : phase === 'connecting' ? (
        <Connecting port={port} step={step} />
      ) : board === null || phase === 'none' ? (
        <NoBoard port={port} ways={ways} />
      ) : (
        <Board port={port} phase={phase} board={board} description={describe(board)} />
      )}
    </section>
  );
}

function Head({ drawing, children }: { readonly drawing: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles['head']}>
      {drawing}
      <div>{children}</div>
    </div>
  );
}

interface UsedBoardProps {
  readonly port: PortNumber;
  /** Name of the guest of the shared bench. */
  readonly user: string;
  /** Name of the board; null if it was never connected here. */
  readonly name: string | null;
}

function UsedBoard({ port, user, name }: UsedBoardProps) {
  return (
    <>
      <Head drawing={<ChipDrawing top="CHIP" bottom="…" />}>
        <Badge tone="info">Used by a guest</Badge>
        <h2>{name ?? `Board ${port}`}</h2>
      </Head>
      <p className={styles['text']} role="status">
        {user} uses this board. You see what passes in the monitor. Take it back to flash it from here.
      </p>
      <TakeBackButton port={port} user={user} size="md" variant="primary" />
    </>
  );
}

function NoBoard({ port, ways }: { readonly port: PortNumber; readonly ways: ReactNode }) {
  return (
    <>
      <Head drawing={<ChipDrawing top="CHIP" bottom="?" />}>
        <Badge tone="off">No board</Badge>
        <h2>Connect a board</h2>
      </Head>
      <ConnectBoard port={port} ways={ways} />
    </>
  );
}

function Connecting({ port, step }: { readonly port: PortNumber; readonly step: string | null }) {
  return (
    <>
      <Head drawing={<ChipDrawing top="CHIP" bottom="…" />}>
        <Badge tone="accent">Connecting</Badge>
        <h2>{pageFamily().steps[step ?? 'opening']}</h2>
      </Head>
      <Button className={styles['wide']} onClick={() => void cancel(port)}>
        Cancel
      </Button>
    </>
  );
}

interface BoardProps {
  readonly port: PortNumber;
  readonly phase: FlashPhase;
  readonly board: ConnectedBoard;
  readonly description: BoardDescription;
}

function Board({ port, phase, board, description }: BoardProps) {
  const { subtitle, print, facts } = description;
  const [top, bottom] = print;
  const busy = isBusy({ phase });
  return (
    <>
      <Head drawing={<ChipDrawing top={top} bottom={bottom} />}>
        <span className={styles['badges']}>
          {phase === 'failed' || phase === 'cancelled' ? (
            <Badge tone="off">Not connected</Badge>
          ) : phase === 'releasing' ? (
            <Badge tone="accent">Restarting</Badge>
          ) : (
            <Badge tone="success" icon={<Check />}>
              Chip detected
            </Badge>
          )}
          {board.demo ? <Badge tone="info">Demo</Badge> : null}
        </span>
        <h2>{board.name}</h2>
        {subtitle === null ? null : <p className="small">{subtitle}</p>}
      </Head>
      <dl className={styles['facts']}>
        {facts.map(({ name, value, tone }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={tone === 'warning' ? styles['warning'] : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="buttons">
        <Button icon={<Unplug />} disabled={busy} className={styles['grow']} onClick={() => void disconnect(port)}>
          Disconnect
        </Button>
        {phase === 'running' ? (
          <Button variant="primary" onClick={() => void connectAgain(port)}>
            Connect again
          </Button>
        ) : null}
        {isReady({ phase }) || phase === 'releasing' ? (
          <IconButton
            label="Restart the board and open the monitor"
            icon={phase === 'releasing' ? <Spinner /> : <RotateCcw />}
            aria-disabled={phase === 'releasing'}
            onClick={() => void restart(port)}
          />
        ) : null}
      </div>
      {board.demo ? <DemoPlug port={port} /> : null}
    </>
  );
}

/**
 * Pulls or inserts the simulated plug of a demo board. The plug of a shared demo board is in another page, so it has
 * no button.
 */
function DemoPlug({ port }: { readonly port: PortNumber }) {
  const isHere = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  const plugged = useBenchStatus(({ devices }) => devices[port]?.plugged ?? true);
  return (
    <div className={`row ${styles['demo']}`}>
      <FlaskConical />
      <span>Simulated: no hardware is connected.</span>
      {isHere ? (
        <Button size="sm" onClick={() => void plugDemo(port, !plugged)}>
          {plugged ? 'Unplug' : 'Plug in again'}
        </Button>
      ) : null}
    </div>
  );
}
