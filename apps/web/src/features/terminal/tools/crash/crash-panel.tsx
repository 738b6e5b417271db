/** Crashes and restarts of the log, and what their addresses stand for in the ELF files that were dropped. */
import { useState } from 'react';
import { LevelIcon } from '../../../../shared/ui/level-icon.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import type { Incident } from '../../../../workbench/crash/incident.ts';
import { useIncidents } from '../../../../workbench/crash/incidents.ts';
import type { ToolProps } from '../open-tool.ts';
import styles from './crash-panel.module.css';
import { titleOf } from './crash-text.ts';
import { IncidentView } from './incident-view.tsx';
import { SymbolFilesBar } from './symbol-files-bar.tsx';

export function CrashPanel({ onShowTime }: ToolProps) {
  const incidents = useIncidents();
  const [chosen, setChosen] = useState<number | null>(null);
  // Without a choice of one's own it is the newest crash, else the newest restart.
  const shown =
    incidents.find(({ id }) => id === chosen) ?? incidents.find(({ severity }) => severity === 'fault') ?? incidents[0];
  return (
    <div className={styles['panel']}>
      <SymbolFilesBar />
      {shown === undefined ? (
        <p className={styles['empty']}>
          No crash so far. A Guru Meditation, a backtrace, a failed assertion or a restart of an ESP chip is recognised
          as it arrives, marked in the log and explained here. Drop the ELF file of the firmware on the page, and its
          addresses become functions, files and lines. The file stays in this browser.
        </p>
      ) : (
        <div className={styles['columns']}>
          <IncidentList incidents={incidents} shown={shown.id} onChoose={setChosen} />
          <IncidentView key={shown.id} incident={shown} onShowTime={onShowTime} />
        </div>
      )}
    </div>
  );
}

interface IncidentListProps {
  readonly incidents: readonly Incident[];
  readonly shown: number;
  readonly onChoose: (id: number) => void;
}

const levels = { fault: 'error', warning: 'warning', notice: 'info' } as const;

function IncidentList({ incidents, shown, onChoose }: IncidentListProps) {
  return (
    <ul className={styles['list']} aria-label="Crashes and restarts, newest first">
      {incidents.map((incident) => (
        <li key={incident.id}>
          <button
            type="button"
            className={`ring-inside ${styles['incident']}`}
            data-level={levels[incident.severity]}
            aria-current={incident.id === shown ? true : undefined}
            onClick={() => onChoose(incident.id)}
          >
            <LevelIcon level={levels[incident.severity]} />
            <PortFlag port={incident.port} />
            <time>{clockTime(incident.at)}</time>
            <span className={`ellipsis ${styles['what']}`}>{titleOf(incident)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
