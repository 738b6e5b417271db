/**
 * The console in the Screen's display: the Screen, and the log beside or below it. The log rests for the port of the
 * Screen, whose cursor codes are noise there.
 */
import type { PortNumber } from '@wirebench/serial';
import { PanelBottom, PanelRight, X } from 'lucide-react';
import { media } from '../../../shared/styles/media.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { changeScreen, useScreenSettings } from '../screen/screen-settings.ts';
import { ScreenArea } from '../screen/screen-slot.tsx';
import { useTerminalSession } from '../terminal-session.ts';
import { Log } from './console-logs.tsx';
import { type LogName, usedPorts } from './log-lines.ts';
import styles from './screen-and-log.module.css';
import type { ConsoleLogs } from './use-console-logs.ts';

/** Windows in which the log has room beside a Screen. */
const wide = '(min-width: 1181px)';

export interface LogAtScreen {
  readonly place: 'beside' | 'below';
  /** Port of the Screen. */
  readonly port: PortNumber;
  /** True: the log has the lines of that port as well. */
  readonly ownInLog: boolean;
  /** Other ports that were open. */
  readonly others: readonly PortNumber[];
}

/** Returns how the log is shown with the Screen; null if it is away, has no room, or has nothing to show. */
export function useLogAtScreen(names: readonly LogName[]): LogAtScreen | null {
  const port = useTerminalSession((session) => session.selectedPort);
  const used = useBenchStatus((view) => usedPorts(view).join());
  const chosen = useScreenSettings(({ log }) => log);
  const ownInLog = useScreenSettings((settings) => settings.ownInLog);
  const isSmall = useMediaQuery(`${media.phone}, ${media.low}`);
  const isWide = useMediaQuery(wide);
  const others = used
    .split(',')
    .map((number) => Number(number) as PortNumber)
    .filter((number) => number > 0 && number !== port);
  if (chosen === 'away' || isSmall || names[0] !== 'all' || (others.length === 0 && !ownInLog)) {
    return null;
  }
  return { place: isWide ? chosen : 'below', port, ownInLog, others };
}

export interface ScreenAndLogProps {
  readonly logs: ConsoleLogs;
  readonly names: readonly LogName[];
  readonly log: LogAtScreen | null;
  /** Height of the strips over the last rows of the log, in px. */
  readonly covered: number;
}

export function ScreenAndLog({ logs, names, log, covered }: ScreenAndLogProps) {
  return (
    <div className={classNames(styles['both'], log !== null && styles[log.place])}>
      <ScreenArea names={names} />
      {log === null ? null : <LogPane logs={logs} log={log} covered={covered} />}
    </div>
  );
}

interface LogPaneProps extends Pick<ScreenAndLogProps, 'logs' | 'covered'> {
  readonly log: LogAtScreen;
}

function LogPane({ logs, covered, log: { place, port, ownInLog, others } }: LogPaneProps) {
  const hasChoice = useMediaQuery(wide);
  const isBeside = place === 'beside';
  const without = ownInLog ? undefined : port;
  return (
    <section className={styles['log']} aria-label={`Log ${place} the Screen`}>
      <header className={styles['head']}>
        <h2>Log</h2>
        {(ownInLog ? [port, ...others].toSorted() : others).map((number) => (
          <PortFlag key={number} port={number} />
        ))}
        {ownInLog ? null : <span className={styles['rests']}>Port {port} rests while on Screen</span>}
        <Button variant="quiet" size="sm" onClick={() => changeScreen({ ownInLog: !ownInLog })}>
          {ownInLog ? `Hide port ${port}` : 'Show'}
        </Button>
        <span className={styles['end']}>
          {hasChoice ? (
            <IconButton
              label={isBeside ? 'Log below the Screen' : 'Log beside the Screen'}
              variant="quiet"
              size="sm"
              icon={isBeside ? <PanelBottom /> : <PanelRight />}
              onClick={() => changeScreen({ log: isBeside ? 'below' : 'beside' })}
            />
          ) : null}
          <IconButton
            label="Close the log"
            variant="quiet"
            size="sm"
            icon={<X />}
            onClick={() => changeScreen({ log: 'away' })}
          />
        </span>
      </header>
      <div className={styles['rows']}>
        <Log key={without ?? 'all'} logs={logs} name="all" without={without} covered={covered} />
      </div>
    </section>
  );
}
