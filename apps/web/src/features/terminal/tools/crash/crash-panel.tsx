/** Crash panel: crashes and restarts of the log, dropped core dumps, and the functions and lines at their addresses. */
import { addressesOf, titleOf } from '@wirebench/symbols';
import { List } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Incident } from '../../../../protocol/bench/crash-part.ts';
import type { MenuAction } from '../../../../shared/ui/menu.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { useFocusKeeper } from '../../../../shared/ui/use-focus-keeper.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import { useDroppedIncidents } from '../../../../workbench/crash/dropped-logs.ts';
import { useIncidents } from '../../../../workbench/crash/incidents.ts';
import { type ListedDump, useCoreDumps, useSymbolFiles } from '../../../../workbench/crash/symbol-files.ts';
import { CompareView } from '../../../../workbench/crash/view/compare-view.tsx';
import styles from '../../../../workbench/crash/view/crash-panel.module.css';
import { type CrashRow, crashRows } from '../../../../workbench/crash/view/crash-rows.ts';
import { DumpView } from '../../../../workbench/crash/view/dump-view.tsx';
import { sameCrash, sameCrashText } from '../../../../workbench/crash/view/same-crash.ts';
import { SymbolFilesBar } from '../../../../workbench/crash/view/symbol-files-bar.tsx';
import type { SessionCrash } from '../../../../workbench/crash/view/use-compared-crash.ts';
import { dumpTitle, type Fingerprints, useFingerprints } from '../../../../workbench/crash/view/use-fingerprints.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import type { ToolProps } from '../open-tool.ts';
import { agentAction } from './agent-action.tsx';
import { type Choice, chooseCrash, compareWith, useChosenCrash } from './chosen-crash.ts';
import { CrashList, choiceOfRow, isRowOf, maxIncidents, restartRow } from './crash-list.tsx';
import { IncidentView } from './incident-view.tsx';
import { OwnElfLine } from './own-elf-line.tsx';
import { sendCrashActions } from './send/send-crash-action.tsx';

/** Menu of the session's other crashes, to compare one of them with the shown crash. */

/**
 * Returns the crashes that can be compared, each once: its core dump if one was read, else its log lines if they
 * contain addresses.
 */
function comparableCrashes(rows: readonly CrashRow[]): SessionCrash[] {
  return rows.flatMap(({ dump, incident }): SessionCrash[] => {
    if (dump?.state.kind === 'open') {
      return [{ dump }];
    }
    return incident?.severity === 'fault' && addressesOf(incident).length > 0 ? [{ incident }] : [];
  });
}

const choiceOf = (crash: SessionCrash): Choice =>
  'dump' in crash ? { dump: crash.dump.id } : { incident: crash.incident.id };

const isChosen = (crash: SessionCrash, choice: Choice | null): boolean =>
  choice !== null && keyOf(choiceOf(crash)) === keyOf(choice);

const keyOf = (choice: Choice) => ('dump' in choice ? `dump ${choice.dump}` : `incident ${choice.incident}`);

interface CompareChoiceProps {
  readonly others: readonly SessionCrash[];
  readonly fingerprints: Fingerprints;
}

/** Renders nothing if there is no other crash. */
function CompareChoice({ others, fingerprints }: CompareChoiceProps) {
  if (others.length === 0) {
    return null;
  }
  const choose = (key: string) => {
    const other = others.find((crash) => keyOf(choiceOf(crash)) === key);
    if (other !== undefined) {
      compareWith(choiceOf(other));
    }
  };
  return (
    <div>
      <Select aria-label="Compare with another crash" value="" onChange={({ target }) => choose(target.value)}>
        <option value="" disabled>
          Compare with…
        </option>
        {others.map((crash) => (
          <option key={keyOf(choiceOf(crash))} value={keyOf(choiceOf(crash))}>
            {'dump' in crash
              ? `${clockTime(crash.dump.at)} · ${dumpTitle(crash.dump, fingerprints)}`
              : `${clockTime(crash.incident.at)} · ${titleOf(crash.incident)}`}
          </option>
        ))}
      </Select>
    </div>
  );
}

export function CrashPanel({ onShowTime }: ToolProps) {
  const logged = useIncidents();
  const dropped = useDroppedIncidents();
  const dumps = useCoreDumps();
  const files = useSymbolFiles();
  const { choice: chosen, compared: comparedChoice } = useChosenCrash();
  const fingerprints = useFingerprints(dumps);
  const { crashes, restarts } = crashRows(dumps, [...dropped, ...logged]);
  useShowDropped(dumps, dropped);
  // Default: the newest crash, else the newest restart.
  const row =
    crashes.find((one) => isRowOf(one, chosen)) ??
    restarts.map(restartRow).find((one) => isRowOf(one, chosen)) ??
    crashes.find(({ dump, incident }) => dump !== null || incident?.severity === 'fault') ??
    crashes[0] ??
    restarts.map(restartRow)[0];
  const shownDump = row?.dump ?? undefined;
  const dumpPort = shownDump?.port ?? null;
  const isDemo = useBenchStatus(({ devices }) => dumpPort !== null && devices[dumpPort]?.kind === 'demo');
  const same = shownDump === undefined ? null : sameCrash(shownDump, dumps, fingerprints);
  const samePort = same?.first.port ?? null;
  const firstPort = useTerminalSettings((settings) => (samePort === null ? null : portName(settings, samePort)));
  const shown = row === undefined ? null : choiceOfRow(row);
  const comparable = comparableCrashes(crashes);
  const others = comparable.filter((crash) => !isChosen(crash, shown));
  const second = comparable.find((crash) => isChosen(crash, shown));
  const first = others.find((crash) => isChosen(crash, comparedChoice));
  const isRestart = row !== undefined && row.dump === null && restarts.some(({ id }) => id === row.incident?.id);
  const isListed = crashes.length > 1 || (isRestart && restarts.length + crashes.length > 1);
  // A single crash has no list, which would lead to the restarts.
  const [restart] = restarts;
  const otherActions: readonly MenuAction[] =
    isListed || restart === undefined || isRestart
      ? []
      : [
          {
            label: restarts.length === 1 ? 'Show 1 restart' : `Show ${restarts.length} restarts`,
            icon: <List />,
            onSelect: () => chooseCrash({ incident: restart.id }),
          },
        ];
  const panel = useRef<HTMLDivElement>(null);
  useFocusKeeper(panel);
  return (
    <div ref={panel} className={styles['panel']}>
      {row === undefined ? (
        <div className={styles['nothing']}>
          <SymbolFilesBar />
          <p className={styles['empty']}>
            No crash so far. A Guru Meditation, a backtrace, a failed assertion or a restart of an ESP chip is
            recognised as it arrives, marked in the log and explained here, and so is a fault of an ARM Cortex-M and a
            crash of Zephyr, ESPHome, Rust, Mbed OS or Tasmota. Drop the ELF file of the firmware on the page, and its
            addresses become functions, files and lines. A core dump shows the stacks of all tasks: drop the text
            between CORE DUMP START and CORE DUMP END, or the content of the coredump partition. The log of another
            program can be dropped or pasted. The files stay in this browser.
          </p>
        </div>
      ) : (
        <div className={styles['columns']}>
          {isListed ? (
            <CrashList
              dumps={dumps}
              fingerprints={fingerprints}
              crashes={crashes}
              restarts={restarts}
              shown={shown}
              listedFrom={logged.length < maxIncidents ? null : (logged.at(-1)?.at ?? null)}
              onChoose={chooseCrash}
            />
          ) : null}
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
          ) : row.dump !== null ? (
            <DumpView
              key={`dump ${row.dump.id}`}
              dump={row.dump}
              same={same === null ? null : sameCrashText(same, firstPort)}
              isDemo={isDemo}
              onShowTime={onShowTime}
              incident={row.incident}
              copyActions={(text) => [agentAction(text)]}
              otherActions={(report) => [
                ...(row.dump === null ? [] : sendCrashActions({ dump: row.dump.id, report })),
                ...otherActions,
              ]}
              more={(report) => (
                <>
                  <OwnElfLine build={report.appHash} files={files} />
                  <CompareChoice others={others} fingerprints={fingerprints} />
                </>
              )}
            />
          ) : row.incident !== null ? (
            <IncidentView
              key={row.incident.id}
              incident={row.incident}
              dumpFailure={row.failure}
              otherActions={otherActions}
              onShowTime={onShowTime}
              more={second === undefined ? null : <CompareChoice others={others} fingerprints={fingerprints} />}
            />
          ) : null}
        </div>
      )}
    </div>
  );
}

/** Chooses a crash as soon as it is dropped or pasted. Crashes from the log are not chosen automatically. */
function useShowDropped(dumps: readonly ListedDump[], incidents: readonly Incident[]): void {
  const dump = dumps.find(({ port }) => port === null)?.id ?? 0;
  const incident = (incidents.find(({ severity }) => severity === 'fault') ?? incidents[0])?.id ?? 0;
  const seen = useRef({ dump, incident });
  useEffect(() => {
    if (dump > seen.current.dump) {
      chooseCrash({ dump });
    }
    if (incident < seen.current.incident) {
      chooseCrash({ incident });
    }
    seen.current = { dump, incident };
  }, [dump, incident]);
}
