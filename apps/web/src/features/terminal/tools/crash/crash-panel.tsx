/** Crashes and restarts of the log, core dumps that were dropped, and what their addresses stand for in the ELF files. */
import { FileWarning } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { LevelIcon } from '../../../../shared/ui/level-icon.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import type { Incident } from '../../../../workbench/crash/incident.ts';
import { useIncidents } from '../../../../workbench/crash/incidents.ts';
import { type ListedDump, useCoreDumps, useSymbolFiles } from '../../../../workbench/crash/symbol-files.ts';
import { CompareView } from '../../../../workbench/crash/view/compare-view.tsx';
import styles from '../../../../workbench/crash/view/crash-panel.module.css';
import { titleOf } from '../../../../workbench/crash/view/crash-text.ts';
import { DumpView } from '../../../../workbench/crash/view/dump-view.tsx';
import { sameCrash, sameCrashText } from '../../../../workbench/crash/view/same-crash.ts';
import { SymbolFilesBar } from '../../../../workbench/crash/view/symbol-files-bar.tsx';
import { dumpTitle, type Fingerprints, useFingerprints } from '../../../../workbench/crash/view/use-fingerprints.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import type { ToolProps } from '../open-tool.ts';
import { type Choice, chooseCrash, compareWith, useChosenCrash } from './chosen-crash.ts';
import { CompareChoice, comparableCrashes, isChosen } from './compare-choice.tsx';
import { IncidentView } from './incident-view.tsx';
import { OwnElfLine } from './own-elf-line.tsx';
import { SendCrashButton } from './send/send-crash-button.tsx';

export function CrashPanel({ onShowTime }: ToolProps) {
  const incidents = useIncidents();
  const dumps = useCoreDumps();
  const files = useSymbolFiles();
  const { choice: chosen, compared: comparedChoice } = useChosenCrash();
  const [newestDump] = dumps;
  const fingerprints = useFingerprints(dumps);
  const dropped = dumps.find(({ port }) => port === null);
  const seenDrop = useRef(dropped?.id ?? 0);
  const droppedId = dropped?.id ?? 0;
  useEffect(() => {
    // What was just dropped is what a person wants to see; what comes from the log waits.
    if (droppedId > seenDrop.current) {
      chooseCrash({ dump: droppedId });
    }
    seenDrop.current = droppedId;
  }, [droppedId]);
  const dump = chosen !== null && 'dump' in chosen ? dumps.find(({ id }) => id === chosen.dump) : undefined;
  // Without a choice of one's own it is the newest crash, else the newest restart.
  const incident =
    incidents.find(({ id }) => chosen !== null && 'incident' in chosen && id === chosen.incident) ??
    incidents.find(({ severity }) => severity === 'fault') ??
    incidents[0];
  const shownDump = dump ?? (incident === undefined ? newestDump : undefined);
  const dumpPort = shownDump?.port ?? null;
  const isDemo = useBenchStatus(({ devices }) => dumpPort !== null && devices[dumpPort]?.kind === 'demo');
  const same = shownDump === undefined ? null : sameCrash(shownDump, dumps, fingerprints);
  const samePort = same?.first.port ?? null;
  const firstPort = useTerminalSettings((settings) => (samePort === null ? null : portName(settings, samePort)));
  const shown = shownDump === undefined ? { incident: incident?.id ?? 0 } : { dump: shownDump.id };
  const comparable = comparableCrashes(dumps, incidents);
  const others = comparable.filter((crash) => !isChosen(crash, shown));
  const second = comparable.find((crash) => isChosen(crash, shown));
  const first = others.find((crash) => isChosen(crash, comparedChoice));
  return (
    <div className={styles['panel']}>
      <SymbolFilesBar />
      {shownDump === undefined && incident === undefined ? (
        <p className={styles['empty']}>
          No crash so far. A Guru Meditation, a backtrace, a failed assertion or a restart of an ESP chip is recognised
          as it arrives, marked in the log and explained here, and so is a fault of an ARM Cortex-M and a crash of
          Zephyr, ESPHome, Rust, Mbed OS or Tasmota. Drop the ELF file of the firmware on the page, and its addresses
          become functions, files and lines. A core dump shows the stacks of all tasks: drop the text between CORE DUMP
          START and CORE DUMP END, or the content of the coredump partition. The files stay in this browser.
        </p>
      ) : (
        <div className={styles['columns']}>
          <CrashList
            dumps={dumps}
            fingerprints={fingerprints}
            incidents={incidents}
            shown={shown}
            onChoose={chooseCrash}
          />
          {first !== undefined && second !== undefined ? (
            <CompareView
              first={first}
              second={second}
              isSame={
                same !== null &&
                'dump' in first &&
                fingerprints.get(first.dump.id) === fingerprints.get(shownDump?.id ?? 0)
              }
              onClose={() => compareWith(null)}
            />
          ) : shownDump !== undefined ? (
            <DumpView
              key={`dump ${shownDump.id}`}
              dump={shownDump}
              same={same === null ? null : sameCrashText(same, firstPort)}
              isDemo={isDemo}
              onShowTime={onShowTime}
              more={(report) => (
                <>
                  <OwnElfLine build={report.appHash} files={files} />
                  <CompareChoice others={others} fingerprints={fingerprints} />
                  <SendCrashButton dump={shownDump.id} report={report} />
                </>
              )}
            />
          ) : incident !== undefined ? (
            <IncidentView
              key={incident.id}
              incident={incident}
              onShowTime={onShowTime}
              more={second === undefined ? null : <CompareChoice others={others} fingerprints={fingerprints} />}
            />
          ) : null}
        </div>
      )}
    </div>
  );
}

interface CrashListProps {
  readonly dumps: readonly ListedDump[];
  readonly fingerprints: Fingerprints;
  readonly incidents: readonly Incident[];
  readonly shown: Choice;
  readonly onChoose: (choice: Choice) => void;
}

const levels = { fault: 'error', warning: 'warning', notice: 'info' } as const;

function CrashList({ dumps, fingerprints, incidents, shown, onChoose }: CrashListProps) {
  return (
    <ul className={styles['list']} aria-label="Crashes and restarts, newest first">
      {dumps.map((dump) => {
        const { id, at, port } = dump;
        const same = sameCrash(dump, dumps, fingerprints);
        return (
          <li key={`dump ${id}`}>
            <button
              type="button"
              className={`ring-inside ${styles['incident']}`}
              data-level="error"
              aria-current={'dump' in shown && shown.dump === id ? true : undefined}
              onClick={() => onChoose({ dump: id })}
            >
              <FileWarning />
              {port === null ? null : <PortFlag port={port} />}
              <time>{clockTime(at)}</time>
              <span className={`ellipsis ${styles['what']}`}>
                {same === null ? '' : `Same crash ${same.number} of ${same.count}: `}
                {dumpTitle(dump, fingerprints)}
              </span>
            </button>
          </li>
        );
      })}
      {incidents.map((incident) => (
        <li key={incident.id}>
          <button
            type="button"
            className={`ring-inside ${styles['incident']}`}
            data-level={levels[incident.severity]}
            aria-current={'incident' in shown && shown.incident === incident.id ? true : undefined}
            onClick={() => onChoose({ incident: incident.id })}
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
