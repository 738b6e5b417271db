/** The registers of a Modbus line: names, readings and values in a grid, polling, and what becomes of the names. */

import type { DecoderContent, DecoderRegister } from '@wirebench/contract/decoders';
import { addressText, type RegisterRow, registerRows } from '@wirebench/frames/modbus-registers';
import { type ByPort, byPort, exportFileName, type PortNumber, portNumbers } from '@wirebench/serial';
import { isOthersLine, outcomeText } from '@wirebench/serial/modbus-search';
import { Save } from 'lucide-react';
import { use, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { SeenRegisters } from '../../../../protocol/bench/frame-part.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { FieldError } from '../../../../shared/ui/field-error.tsx';
import type { MenuAction } from '../../../../shared/ui/menu.tsx';
import { getBench } from '../../../../workbench/bench.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { changeFind } from '../../../../workbench/console/find/find-store.ts';
import { lightField } from '../../../../workbench/console/lit-field.ts';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import { saveExport } from '../../../../workbench/exports/save-export.ts';
import { portName, terminalSettingsNow, useTerminalSettings } from '../../settings/settings-store.ts';
import { TerminalSlotsContext } from '../../terminal-slots.ts';
import { AppliedElsewhere, useApplied } from '../name-bytes/use-applied.tsx';
import {
  changeWork,
  type DecoderStart,
  type DecoderWork,
  discardWork,
  endAsked,
  isSaved,
  saveWork,
  startWork,
  tryWork,
  useAskedFrame,
} from '../name-bytes/work-store.ts';
import { offerTool, showTool, toolNames } from '../open-tool.ts';
import { askSeries, dropSeries, isAsked, plotNow, usePlot } from '../plot/plot-store.ts';
import { useFigures } from '../statistics/use-figures.ts';
import { PollBar } from './poll-bar.tsx';
import { changePoll, usePoll } from './poll-store.ts';
import { type GridPlace, RegisterGrid } from './register-grid.tsx';
import { namedCount, nameOf, type RegisterPlace, registersAt } from './register-names.ts';
import styles from './registers-panel.module.css';

export interface RegistersPanelProps {
  readonly port: PortNumber;
  /** Null: nothing was changed yet. */
  readonly work: DecoderWork | null;
  /** Decoder of the port. Its copy is what changes. */
  readonly start: DecoderStart;
}

/** The row with the focus on each port. It stays while another tab of the dock is in front. */
const places = pageStore<ByPort<GridPlace | null>>(byPort(() => null));

export function RegistersPanel({ port, work, start }: RegistersPanelProps) {
  const { draft } = work ?? start;
  const name = useTerminalSettings((settings) => portName(settings, port));
  const seen = useSeenRegisters(port);
  const fixed = useFileRegisters(draft);
  const groups = registerRows(seen.registers, draft.registers, fixed.registers);
  const rows = groups.flatMap((group) => group.rows);
  const chosen = places.use((all) => all[port]);
  const setPlace = (next: GridPlace) => places.setState({ [port]: next });
  const first = rows[0];
  const isThere = chosen !== null && (chosen.key.startsWith('head ') || rows.some(({ key }) => key === chosen.key));
  const place = isThere ? chosen : first === undefined ? null : ({ key: first.key, column: 'name' } as const);
  const current = rows.find(({ key }) => key === place?.key) ?? null;
  const [opened, setOpened] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const faults = useApplied(port, work);
  const panel = useRef<HTMLDivElement>(null);
  const plot = usePlot((state) => state);
  const choice = usePoll(port);
  const progress = useBenchStatus(({ modbusPolls }) => modbusPolls[port]);
  const change = (next: DecoderContent, row: RegisterRow, address = row.address) => {
    if (work === null) {
      startWork(port, { ...start, step: 'fields' });
    }
    changeWork(port, { draft: next });
    const now = rowAt(registerRows(seen.registers, next.registers, fixed.registers), { ...row, address });
    if (now !== null && now.series !== row.series && isAsked(plotNow(), { port, name: row.series })) {
      dropSeries({ port, name: row.series });
      askSeries({ port, name: now.series });
    }
    return now;
  };
  useAskedRegister({
    port,
    draft,
    rows,
    onFound: (key) => {
      setPlace({ key, column: 'name' });
      requestAnimationFrame(() =>
        panel.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] [data-column="name"]`)?.focus(),
      );
    },
  });
  const series = current?.series ?? null;
  useEffect(() => {
    lightField(series === null ? null : { port, series });
    return () => lightField(null);
  }, [port, series]);
  const { isReadOnly } = use(TerminalSlotsContext);
  const hasOther = !isReadOnly && isOthersLine(seen.other, Date.now());
  const names = namedCount(draft);
  const hasAll = work === null || isSaved(work);
  const actions = (unit: number): readonly MenuAction[] => [
    ...(progress?.state === 'resting' || (!choice.isOn && hasOther)
      ? [{ label: 'Ask anyway', onSelect: () => void poll({ isOn: true, ignoresTraffic: true }) }]
      : []),
    {
      label: `Show only unit ${unit} in the log`,
      onSelect: () => changeFind({ text: `unit:${unit}`, matchesOnly: true }),
    },
    ...(hasAll ? [] : [{ label: 'Discard what is not saved', onSelect: () => void discardWork(port) }]),
  ];
  const wanted = rows.map(({ unit, table, address, count }) => ({ unit, table, first: address, count }));
  const poll = async (next: Parameters<typeof changePoll>[2]) => setFault(await changePoll(port, wanted, next));
  const plan = JSON.stringify(wanted);
  const follow = useEffectEvent(() => void poll({}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is polled follows the table.
  useEffect(() => follow(), [plan]);
  const outcomes = choice.isOn && progress !== null && progress.state !== 'ended' ? progress.outcomes : [];
  const faultOf = (row: RegisterRow) => {
    const outcome = outcomes.find(
      ({ read: { unit, table, first: from, count }, kind }) =>
        unit === row.unit &&
        (kind === 'silent' || (table === row.table && row.address >= from && row.address < from + count)),
    );
    return outcome === undefined ? null : outcomeText(outcome);
  };
  return (
    <div ref={panel} className={styles['panel']} data-port={port}>
      <div className={styles['scroll']}>
        {rows.length === 0 ? (
          <Empty />
        ) : (
          <RegisterGrid
            port={port}
            label={`Registers of ${name}`}
            groups={groups}
            names={new Map(seen.names)}
            draft={draft}
            place={place}
            onPlace={setPlace}
            opened={opened}
            onOpened={setOpened}
            onChange={(next, row) => void change(next, row)}
            onMoved={(next, row, address) => {
              const now = change(next, row, address);
              if (now !== null) {
                const moved = nameOf(now) === '' ? `Register ${addressText(row)}` : nameOf(now);
                setSaid(`${moved} moved to register ${addressText(now)}`);
                setPlace({ key: now.key, column: 'read' });
                setOpened(now.key);
              }
            }}
            isPlotted={(row) => isAsked(plot, { port, name: row.series })}
            onPlot={(row) => {
              const curve = { port, name: row.series };
              if (isAsked(plotNow(), curve)) {
                dropSeries(curve);
              } else {
                askSeries(curve);
                offerTool('plot');
              }
            }}
            faultOf={faultOf}
            unitActions={actions}
          />
        )}
      </div>
      <div className={styles['words']}>
        <p role="status">{said}</p>
        {seen.omitted === 0 ? null : <p>{counted(seen.omitted, 'value')} of further registers have no row.</p>}
        {current?.bytes == null || Number.isNaN(current.at) ? null : (
          <p>
            Register {addressText(current)} was seen at {clockTime(current.at)}.
          </p>
        )}
        {fixed.fault === null ? null : <p>{fixed.fault}</p>}
        {work === null ? null : <AppliedElsewhere port={port} work={work} />}
        <div role="alert">
          {[...faults, ...(fault === null ? [] : [fault])].slice(0, 1).map((text) => (
            <FieldError key={text}>{text}</FieldError>
          ))}
        </div>
      </div>
      {rows.length === 0 ? null : (
        <PollBar port={port} hasOther={hasOther} onChange={(next) => void poll(next)}>
          <Button size="sm" variant="quiet" onClick={() => void saveCsv()}>
            Export CSV
          </Button>
          {work === null && names === 0 ? null : (
            <Button
              size="sm"
              variant={hasAll ? 'default' : 'primary'}
              icon={<Save />}
              disabled={hasAll}
              onClick={() => {
                if (work !== null) {
                  void saveWork(port, withTitle(work)).then(setFault);
                }
              }}
            >
              {hasAll ? 'Saved' : names === 0 ? 'Save' : `Save ${counted(names, 'name')}`}
            </Button>
          )}
        </PollBar>
      )}
    </div>
  );
}

/** A decoder needs a title. */
const withTitle = (work: DecoderWork): DecoderWork =>
  work.draft.title.trim() === '' ? { ...work, draft: { ...work.draft, title: work.draft.name } } : work;

function rowAt(
  groups: ReturnType<typeof registerRows>,
  { unit, table, address, entry }: RegisterRow,
): RegisterRow | null {
  const found = groups.flatMap(({ rows }) => rows).filter((row) => row.unit === unit && row.table === table);
  const here = found.filter((row) => row.address === address);
  // Several entries may begin at one address.
  return here.find((row) => row.entry?.title === entry?.title) ?? here.at(-1) ?? null;
}

function Empty() {
  return (
    <div className={styles['empty']}>
      <p>
        No registers were seen on this port yet. They come with the answers of devices: to another master, to a request
        such as <code>7 read 4 from 0</code> below the log, or to a search.
      </p>
      <Button size="sm" onClick={() => showTool('devices')}>
        {toolNames.devices}
      </Button>
    </div>
  );
}

async function saveCsv(): Promise<void> {
  const names = portNumbers.map((port) => [port, portName(terminalSettingsNow(), port)] as const);
  await saveExport({ kind: 'csv', portNames: Object.fromEntries(names) as never }, exportFileName(new Date(), 'csv'), {
    done: 'Log exported to file, with a column for each register',
    remedy: 'Save a part of the log instead.',
  });
}

/** Registers of the decoder's files, or a sentence if they cannot be read. */
function useFileRegisters({ files }: DecoderContent) {
  const [found, setFound] = useState<{ readonly registers: readonly DecoderRegister[]; readonly fault: string | null }>(
    {
      registers: [],
      fault: null,
    },
  );
  const named = JSON.stringify({ files });
  useEffect(() => {
    let isWanted = true;
    const begin = async () => {
      const { importedRegisters } = await import('../devices/found-registers.lazy.ts');
      const read = await importedRegisters(named);
      if (isWanted) {
        setFound(typeof read === 'string' ? { registers: [], fault: read } : { registers: read, fault: null });
      }
    };
    if (named.includes('"registers"')) {
      void begin();
    }
    return () => {
      isWanted = false;
    };
  }, [named]);
  return found;
}

interface AskedRegister {
  readonly port: PortNumber;
  readonly draft: DecoderContent;
  readonly rows: readonly RegisterRow[];
  /** Called with the key of the row of the bytes that were pressed in the log. */
  readonly onFound: (key: string) => void;
}

/** Leads to the row of the bytes that a person has pressed in an opened frame. */
function useAskedRegister({ port, draft, rows, onFound }: AskedRegister): void {
  const asked = useAskedFrame(port);
  const [wanted, setWanted] = useState<RegisterPlace | null>(null);
  const read = useEffectEvent(async (frame: NonNullable<typeof asked>) => {
    const { wanted: found } = await tryWork(port, { draft, example: frame.frame });
    if (found !== null && frame.selected !== null) {
      setWanted(registersAt(found, frame.selected));
    }
  });
  useEffect(() => {
    if (asked !== null) {
      endAsked();
      void read(asked);
    }
  }, [asked]);
  const row =
    wanted === null
      ? undefined
      : rows.find(
          ({ unit, table, address, count }) =>
            unit === wanted.unit &&
            table === wanted.table &&
            wanted.address >= address &&
            wanted.address < address + count,
        );
  const key = row?.key;
  const show = useEffectEvent(onFound);
  useEffect(() => {
    if (key !== undefined) {
      show(key);
      setWanted(null);
    }
  }, [key]);
}

interface Seen extends SeenRegisters {
  /** Time at which the port was connected; null: it is not. */
  readonly connectedAt: number | null;
}

const nothing: Seen = { registers: [], names: [], other: null, omitted: 0, connectedAt: null };

/** Values that were seen since the port was connected stay, also after another decoder was chosen for it. */
function useSeenRegisters(port: PortNumber): SeenRegisters {
  const connectedAt = useBenchStatus(({ status }) => status.ports[port].connectedAt);
  return useFigures<Seen>(`${port} ${connectedAt}`, nothing, async (before) => {
    const seen = (await getBench().call('seenRegisters', port)) ?? nothing;
    return withEarlier({ ...seen, connectedAt }, before);
  });
}

function withEarlier(seen: Seen, before: Seen): Seen {
  // A port that was closed keeps its rows. Another connection may be another device.
  if (before.connectedAt !== seen.connectedAt && seen.connectedAt !== null) {
    return seen;
  }
  const keyOf = ({ unit, table, address }: Seen['registers'][number]) => `${unit} ${table} ${address}`;
  const registers = new Map(before.registers.map((one) => [keyOf(one), one]));
  for (const register of seen.registers) {
    registers.set(keyOf(register), register);
  }
  return {
    ...seen,
    registers: [...registers.values()],
    names: [...new Map([...before.names, ...seen.names])],
    connectedAt: seen.connectedAt ?? before.connectedAt,
  };
}
