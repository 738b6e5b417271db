/** List of the session's crashes, one row each, and of the restarts, folded into one row. */
import { titleOf } from '@wirebench/symbols';
import { ChevronDown, ChevronRight, FileWarning } from 'lucide-react';
import { useState } from 'react';
import type { Incident } from '../../../../protocol/bench/crash-part.ts';
import { LevelIcon } from '../../../../shared/ui/level-icon.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import type { ListedDump } from '../../../../workbench/crash/symbol-files.ts';
import styles from '../../../../workbench/crash/view/crash-panel.module.css';
import type { CrashRow } from '../../../../workbench/crash/view/crash-rows.ts';
import { sameCrash } from '../../../../workbench/crash/view/same-crash.ts';
import { dumpTitle, type Fingerprints } from '../../../../workbench/crash/view/use-fingerprints.ts';
import type { Choice } from './chosen-crash.ts';

/** Crashes and restarts of the log that are listed, as in the worker. */
export const maxIncidents = 50;

export interface CrashListProps {
  readonly dumps: readonly ListedDump[];
  readonly fingerprints: Fingerprints;
  readonly crashes: readonly CrashRow[];
  readonly restarts: readonly Incident[];
  readonly shown: Choice | null;
  /** Time of the oldest crash of the log, if older ones are not listed. Null: all are. */
  readonly listedFrom: number | null;
  readonly onChoose: (choice: Choice) => void;
}

/** Returns the choice for a row: its core dump if it has one, else its log lines. */
export const choiceOfRow = ({ dump, incident }: CrashRow): Choice =>
  dump === null ? { incident: incident?.id ?? 0 } : { dump: dump.id };

/** Returns true if the row belongs to the chosen crash. A row may combine log lines and a core dump. */
export const isRowOf = ({ dump, incident }: CrashRow, choice: Choice | null): boolean =>
  choice !== null && ('dump' in choice ? dump?.id === choice.dump : incident?.id === choice.incident);

export const restartRow = (incident: Incident): CrashRow => ({ at: incident.at, dump: null, incident, failure: null });

const levels = { fault: 'error', warning: 'warning', notice: 'info' } as const;

const keyOf = ({ dump, incident }: CrashRow) => (dump === null ? `incident ${incident?.id}` : `dump ${dump.id}`);

export function CrashList({ dumps, fingerprints, crashes, restarts, shown, listedFrom, onChoose }: CrashListProps) {
  const rows = restarts.map(restartRow);
  const isOneShown = rows.some((row) => isRowOf(row, shown));
  const [isOpen, setOpen] = useState(false);
  const isUnfolded = isOpen || isOneShown;
  const button = (row: CrashRow) => (
    <li key={keyOf(row)}>
      <RowButton
        row={row}
        title={titleOfRow(row, dumps, fingerprints)}
        isShown={isRowOf(row, shown)}
        onChoose={() => onChoose(choiceOfRow(row))}
      />
    </li>
  );
  return (
    <ul className={styles['list']} aria-label="Crashes and restarts, newest first">
      {crashes.map(button)}
      {rows.length === 0 ? null : (
        <li>
          <button
            type="button"
            className={`ring-inside ${styles['incident']}`}
            aria-expanded={isUnfolded}
            onClick={() => setOpen(!isUnfolded)}
          >
            {isUnfolded ? <ChevronDown /> : <ChevronRight />}
            <span className={styles['what']}>{rows.length === 1 ? '1 restart' : `${rows.length} restarts`}</span>
          </button>
        </li>
      )}
      {isUnfolded ? rows.map(button) : null}
      {listedFrom === null ? null : (
        <li className={styles['incident']}>
          The newest {maxIncidents} are listed, from {clockTime(listedFrom)} on.
        </li>
      )}
    </ul>
  );
}

function titleOfRow({ dump, incident }: CrashRow, dumps: readonly ListedDump[], fingerprints: Fingerprints): string {
  if (dump === null) {
    return incident === null ? '' : titleOf(incident);
  }
  const same = sameCrash(dump, dumps, fingerprints);
  // Until the functions are known, the title from the log says more than the dump's name.
  const title =
    incident === null || fingerprints.has(dump.id)
      ? dumpTitle(dump, fingerprints)
      : `${titleOf(incident)} (core dump ${dump.name})`;
  return `${same === null ? '' : `Same crash ${same.number} of ${same.count}: `}${title}`;
}

interface RowButtonProps {
  readonly row: CrashRow;
  readonly title: string;
  readonly isShown: boolean;
  readonly onChoose: () => void;
}

function RowButton({ row: { at, dump, incident }, title, isShown, onChoose }: RowButtonProps) {
  const level = dump === null ? levels[incident?.severity ?? 'fault'] : 'error';
  const port = dump?.port ?? incident?.port ?? null;
  return (
    <button
      type="button"
      className={`ring-inside ${styles['incident']}`}
      data-level={level}
      aria-current={isShown ? true : undefined}
      onClick={onChoose}
    >
      {dump === null ? <LevelIcon level={level} /> : <FileWarning />}
      {port === null ? null : <PortFlag port={port} />}
      <time>{clockTime(at)}</time>
      <span className={`ellipsis ${styles['what']}`}>{title}</span>
    </button>
  );
}
