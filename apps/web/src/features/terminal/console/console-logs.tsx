/** The log area: one log for all ports, or a grid of resizable panes with one log for each port. */
import type { PortNumber } from '@wirebench/serial';
import { Fragment, use, useEffect, useEffectEvent, useRef } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { rateText } from '../../../shared/format/bytes.ts';
import { media } from '../../../shared/styles/media.ts';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { ConsoleLog, type ConsoleLogHandle, type KeptPlace } from '../../../workbench/console/console-log.tsx';
import { useFind } from '../../../workbench/console/find/find-store.ts';
import type { AskedCurve, DescribedFrame } from '../../../workbench/console/frame-bytes.ts';
import { layoutStorage } from '../layout-storage.ts';
import { displayOf, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { openLogDump } from '../tools/crash/open-log-dump.ts';
import { showTool } from '../tools/open-tool.ts';
import styles from './console-logs.module.css';
import { portsOf } from './find-ports.ts';
import { InspectorStrip } from './inspector-strip.tsx';
import { type LogName, logNames, paneRows, usedPorts } from './log-lines.ts';
import { SelectionStrip } from './selection-strip.tsx';
import { TailStrip } from './tail-strip.tsx';
import type { ConsoleLogs } from './use-console-logs.ts';
import { useWide } from './use-wide.ts';

/** Minimum width of the console for two panes side by side, in px. */
const twoPanes = 640;

/** Returns the names of the logs that are shown. */
export function useLogNames(): readonly LogName[] {
  const used = useBenchStatus((view) => usedPorts(view).join());
  const { isSplit } = use(TerminalSlotsContext);
  const split = useTerminalSettings(({ view }) => view === 'split') || isSplit;
  const shown = useFind(({ text }) => portsOf(text).join());
  const selected = useTerminalSession((session) => session.selectedPort);
  const onPhone = useMediaQuery(media.phone);
  return logNames({ split, used: portsIn(used), shown: portsIn(shown), only: onPhone ? selected : null });
}

/** Parses `1,3`. Selectors return such strings because arrays would differ on every call. */
const portsIn = (list: string) => list.split(',').map(Number).filter(isPort);
const isPort = (value: number): value is PortNumber => value >= 1 && value <= 4;

export interface ConsoleLogsProps {
  readonly logs: ConsoleLogs;
  readonly names: readonly LogName[];
  /** Height of the strips over the last rows, in px. */
  readonly covered: number;
}

export function LogArea({ logs, names, covered }: ConsoleLogsProps) {
  const panes = names.filter((name) => name !== 'all');
  const [only] = panes;
  if (only === undefined) {
    return (
      <div className={styles['only']}>
        <Log logs={logs} name="all" covered={covered} />
      </div>
    );
  }
  return panes.length === 1 ? <Pane logs={logs} port={only} /> : <PaneGrid logs={logs} panes={panes} />;
}

interface PaneGridProps {
  readonly logs: ConsoleLogs;
  readonly panes: readonly PortNumber[];
}

function PaneGrid({ logs, panes }: PaneGridProps) {
  const area = useRef<HTMLDivElement>(null);
  const rows = paneRows(panes, useWide(area, twoPanes));
  const ids = rows.map((row) => `row-${row.join('-')}`);
  const remembered = useDefaultLayout({ id: 'wirebench.console-rows', storage: layoutStorage, panelIds: ids });
  return (
    <div ref={area} className={styles['area']}>
      <Group
        key={ids.join()}
        orientation="vertical"
        {...(remembered.defaultLayout && { defaultLayout: remembered.defaultLayout })}
        onLayoutChanged={remembered.onLayoutChanged}
      >
        {rows.map((row, index) => (
          <Fragment key={ids[index]}>
            {index === 0 ? null : (
              <Separator className={styles['below']} aria-label={`Height of ${named(rows[index - 1])}`} />
            )}
            <Panel id={ids[index] ?? ''} minSize={96}>
              <PaneRow logs={logs} panes={row} />
            </Panel>
          </Fragment>
        ))}
      </Group>
    </div>
  );
}

const named = (row: readonly PortNumber[] = []) => row.map((port) => `port ${port}`).join(' and ');

function PaneRow({ logs, panes }: PaneGridProps) {
  const ids = panes.map((port) => `pane-${port}`);
  const remembered = useDefaultLayout({ id: 'wirebench.console-panes', storage: layoutStorage, panelIds: ids });
  return (
    <Group
      orientation="horizontal"
      {...(remembered.defaultLayout && { defaultLayout: remembered.defaultLayout })}
      onLayoutChanged={remembered.onLayoutChanged}
    >
      {panes.map((port, index) => (
        <Fragment key={port}>
          {index === 0 ? null : (
            <Separator className={styles['beside']} aria-label={`Width of port ${panes[index - 1]}`} />
          )}
          <Panel id={`pane-${port}`} minSize={200}>
            <Pane logs={logs} port={port} />
          </Panel>
        </Fragment>
      ))}
    </Group>
  );
}

interface PaneProps {
  readonly logs: ConsoleLogs;
  readonly port: PortNumber;
}

function Pane({ logs, port }: PaneProps) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const { isReadOnly } = use(TerminalSlotsContext);
  const received = useBenchStatus(({ rates }) => rates[port].received.now);
  return (
    <section className={styles['pane']} data-port={port} aria-label={name}>
      <header className={`row ${styles['head']}`}>
        <PortFlag port={port} />
        <h2 className={`ellipsis ${styles['name']}`}>{name}</h2>
        {isReadOnly ? null : <span className={styles['rate']}>{rateText(received)}</span>}
      </header>
      <div className={styles['only']}>
        <Log logs={logs} name={port} />
      </div>
      <div>
        <InspectorStrip logs={logs} name={port} />
        <SelectionStrip logs={logs} name={port} />
        <TailStrip name={port} pausedAt={logs.pausedAt(port)} onFollow={(follow) => logs.follow(port, follow)} />
      </div>
    </section>
  );
}

/**
 * Scroll positions of the logs. A log is unmounted when a phone is turned or shows another pane, and then restores
 * its position.
 */
const places = new Map<LogName, KeptPlace>();

const firstRow = { row: { sequence: 0, part: 0, offset: 0 }, pixels: 0 };

/** @param isOpened True: the log is a file, which is read from its start. A port's log begins at its newest lines. */
function placeOf(name: LogName, isOpened: boolean): KeptPlace {
  const place = places.get(name) ?? { current: isOpened ? firstRow : null };
  places.set(name, place);
  return place;
}

/** Opens the tool that names the bytes of a frame. */
async function describe({ port, at, bytes, selected }: DescribedFrame): Promise<void> {
  const { describeFrame } = await import('../tools/name-bytes/work-store.ts');
  describeFrame({ port, frame: { at, bytes }, selected });
}

/** Opens the plot with a curve among those that are drawn. */
async function plotField(curve: AskedCurve): Promise<void> {
  const { askSeries } = await import('../tools/plot/plot-store.ts');
  askSeries(curve);
  showTool('plot');
}

interface LogProps {
  readonly logs: ConsoleLogs;
  readonly name: LogName;
  /** Port whose lines are left out of the log of all ports. Omitted: none. Constant while it is mounted. */
  readonly without?: PortNumber | undefined;
  /** Height of the strips over the last rows, in px. */
  readonly covered?: number;
}

export function Log({ logs, name, without, covered = 0 }: LogProps) {
  const log = useRef<ConsoleLogHandle>(null);
  const { isReadOnly } = use(TerminalSlotsContext);
  const display = useTerminalSettings(displayOf);
  const rowHeight = useTerminalSettings((settings) => settings.rowHeight);
  const wrap = useTerminalSettings((settings) => settings.wrap);
  const times = useTerminalSettings((settings) => settings.times);
  const marks = useTerminalSettings((settings) => settings.marks);
  const lineEnds = useTerminalSettings((settings) => settings.lineEnds);
  const controls = useTerminalSettings((settings) => settings.controls);
  const echoes = useTerminalSettings((settings) => settings.echoes);
  const label = useTerminalSettings((settings) =>
    name === 'all' ? 'Messages' : `Messages of ${portName(settings, name)}`,
  );
  const register = useEffectEvent(logs.register);
  useEffect(() => register(name, log), [name]);
  return (
    <ConsoleLog
      key={name}
      ref={log}
      pane={name === 'all' ? (without === undefined ? null : `without-${without}`) : name}
      label={label}
      layout={display === 'hex' ? 'hex' : 'text'}
      frames={display === 'frames'}
      rowHeight={rowHeight}
      wrap={wrap}
      controls={controls}
      echoes={echoes}
      times={times}
      marks={marks}
      lineEnds={lineEnds}
      covered={covered}
      kept={placeOf(name, isReadOnly)}
      onFollowing={(following) => logs.setFollowing(name, following)}
      onInspected={(bytes) => logs.setInspected(name, bytes)}
      onSelected={(selected) => logs.setSelected(name, selected)}
      onOpenDump={(dump) => void openLogDump(dump)}
      onDescribeFrame={(frame) => void describe(frame)}
      onPlotField={(curve) => void plotField(curve)}
    />
  );
}
