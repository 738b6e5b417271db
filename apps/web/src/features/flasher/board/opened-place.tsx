/** Part of a board's flash that a view shows: reading it once, reading it again, and what is said until it is read. */
import type { PortNumber } from '@wirebench/serial';
import { RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { contentsOf, keepContents, useBoardContents } from '../store/board-contents.ts';
import { readRange } from '../store/contents-actions.ts';
import { connectAgain } from '../store/flash-actions.ts';
import { flashOf, useFlash } from '../store/flasher-store.ts';
import { writesAhead } from '../store/running-work.ts';
import { asItWasText } from './as-it-was.ts';
import styles from './opened-place.module.css';
import { useCanRead, useLocked } from './use-can-read.ts';

/** A partition, or what a program keeps in flash. */
export interface OpenedPlace {
  readonly name: string;
  /** Address or flash offset in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly size: number;
}

interface PlaceProps {
  readonly port: PortNumber;
  readonly place: OpenedPlace;
}

/** Reads a place as a whole, and keeps its contents. */
export async function readPlace(port: PortNumber, { name, offset, size }: OpenedPlace): Promise<void> {
  const { connection } = contentsOf(port);
  const bytes = await readRange(port, `Reading ${name}`, { offset, length: size });
  if (bytes !== null && contentsOf(port).connection === connection) {
    keepContents(port, offset, bytes);
  }
}

/** Reads a place. A board that was restarted is connected again first. */
async function readNow(port: PortNumber, place: OpenedPlace): Promise<void> {
  const ready = () => ['detected', 'planned', 'planning'].includes(flashOf(port).phase);
  if (!ready()) {
    await connectAgain(port);
  }
  if (ready()) {
    await readPlace(port, place);
  }
}

/**
 * Reads a place once, as soon as the board can be read. After a stop only the user reads again.
 *
 * @param isNeeded False: its contents are known, or the view reads what it needs by itself.
 */
export function useReadOnce(port: PortNumber, place: OpenedPlace, isNeeded: boolean): void {
  const canRead = useCanRead();
  const isTried = useRef(false);
  const read = useEffectEvent(() => {
    if (isNeeded && !isTried.current && !writesAhead.has(port)) {
      isTried.current = true;
      void readPlace(port, place);
    }
  });
  useEffect(() => {
    if (canRead) {
      read();
    }
  }, [canRead]);
}

/** Says that a place was not read, and offers to read it. */
export function NotRead({ port, place }: PlaceProps) {
  const canRead = useCanRead();
  const isWorking = useFlash(({ phase }) => phase === 'working');
  const isBusy = useLocked();
  if (isWorking) {
    return <p className={styles['said']}>Reading {place.name} from the board…</p>;
  }
  return (
    <div className={styles['notRead']}>
      <p>
        {canRead ? `${place.name} was not read.` : 'The board is not in its bootloader, and this was not read before.'}
      </p>
      <Button disabled={isBusy} onClick={() => void readNow(port, place)}>
        {canRead ? 'Read it' : 'Connect and read'}
      </Button>
    </div>
  );
}

interface ReadBeforeProps {
  readonly port: PortNumber;
  /** Null: nothing is open that was read. */
  readonly place: OpenedPlace | null;
}

/** Says that the program has run since the contents were read, so that they may have changed. */
export function ReadBefore({ port, place }: ReadBeforeProps) {
  const { entries, connection } = useBoardContents(port);
  const canRead = useCanRead();
  const isBusy = useLocked();
  const isRunning = useFlash(({ phase }) => phase === 'running' || phase === 'done');
  const read = place === null ? undefined : entries.get(place.offset);
  const isOld = read !== undefined && !(canRead && read.connection === connection);
  if (isBusy || !(isOld || isRunning)) {
    return null;
  }
  return (
    <div className={`stack ${styles['readBefore']}`} role="status">
      {isOld ? <p>{asItWasText(read.at)}. The program may have changed it since; Write compares it first.</p> : null}
      <Button
        size="sm"
        icon={<RotateCw />}
        onClick={() => void (place === null || !isOld ? connectAgain(port) : readNow(port, place))}
      >
        {isRunning ? 'Connect again' : 'Read again'}
      </Button>
    </div>
  );
}

/**
 * Reads a place again when the plan finds that the board holds something else by now.
 *
 * @param name Name of the planned change.
 * @param act Reads it.
 */
export function useReadOutdated(name: string | null, act: () => void): void {
  const isOutdated = useFlash(
    ({ phase, plan }) =>
      phase === 'planned' &&
      plan?.refusals.some(({ code, files }) => code === 'change-outdated' && files.includes(name ?? '')) === true,
  );
  const read = useEffectEvent(act);
  useEffect(() => {
    if (isOutdated) {
      read();
    }
  }, [isOutdated]);
}
