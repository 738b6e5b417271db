/**
 * The list of tools: always complete, always in the same order. Each row says what is there or what is missing, and a
 * press does the missing step, then opens the tool.
 */
import { Menu } from '@base-ui/react/menu';
import { logPage } from '@wirebench/contract/constants';
import { readyDecoders } from '@wirebench/frames/ready-decoders';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import {
  Activity,
  Binary,
  Bug,
  ChartNoAxesColumn,
  Check,
  ChevronDown,
  ChevronRight,
  FileCode,
  FileDown,
  FileSearch,
  FileText,
  FileUp,
  FolderTree,
  ListChecks,
  Pin,
  Rows3,
  ScanSearch,
  SquareTerminal,
  Wifi,
  X,
} from 'lucide-react';
import { type ReactNode, type RefObject, use, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { serialSupport } from '../../../hardware/serial-support.ts';
import type { FrameOverview } from '../../../protocol/bench/frame-part.ts';
import { count, counted } from '../../../shared/format/numbers.ts';
import { media } from '../../../shared/styles/media.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { MenuShell } from '../../../shared/ui/menu-popup.tsx';
import { offerUndo } from '../../../shared/ui/offer-undo.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { useDroppedIncidents } from '../../../workbench/crash/dropped-logs.ts';
import { elfFileWords } from '../../../workbench/crash/elf-file-words.ts';
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { removeSymbolFile, useCoreDumps, useSymbolFiles } from '../../../workbench/crash/symbol-files.ts';
import { type DecoderId, decoderIdOf } from '../../../workbench/decoders/decoder-id.ts';
import { titleOf, useKeptDecoders } from '../../../workbench/decoders/kept-decoders.ts';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { portStates } from '../open-ports-of.ts';
import { usePanels } from '../panels/store/panels-store.ts';
import { changeScreen, enterScreen } from '../screen/screen-settings.ts';
import { fileInputId } from '../send/file-input.tsx';
import { useChosenFile } from '../send/file-sending.ts';
import { chooseReceive } from '../send/transfer/transfers.ts';
import { changeDecoder, changeSettings, displayOf, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { changeTerminalSession, terminalSessionNow, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { takeDroppedFile } from './dropped-files.tsx';
import { showTool, type Tool, toolNames, toolTitleId } from './open-tool.ts';
import { useTabMark } from './tab-marks.ts';
import styles from './tools-list.module.css';

interface Row {
  readonly label: string;
  readonly icon: ReactNode;
  /** One line: what is there, or what is missing and what a press does about it. */
  readonly what: string;
  /** True: a press has to do a missing step first. */
  readonly isMissing?: boolean;
  readonly onSelect: () => void;
}

interface Group {
  readonly name: string;
  readonly rows: readonly Row[];
}

export interface ToolsListProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly anchor: RefObject<HTMLButtonElement | null>;
}

export function ToolsList({ open, onOpenChange, anchor }: ToolsListProps) {
  const focusMoves = useRef(false);
  const folds = useTerminalSession((session) => session.moreTools);
  // In a narrow window the tool covers the list's button.
  const isNarrow = useMediaQuery(media.tablet);
  const movesFocus = folds || isNarrow;
  /** Brings a tool to the front. */
  const show = (tool: Tool) => {
    showTool(tool);
    if (movesFocus) {
      focusMoves.current = true;
      changeTerminalSession({ moreTools: false });
      // The list is closed in the next frame.
      requestAnimationFrame(() => document.getElementById(toolTitleId)?.focus());
    }
  };
  return (
    <MenuShell
      open={open}
      onOpenChange={onOpenChange}
      anchor={anchor}
      align="end"
      label="Tools"
      className={styles['list']}
      placeClassName={styles['place']}
      focusMoves={focusMoves}
    >
      {open ? <Content show={show} focusMoves={focusMoves} /> : null}
    </MenuShell>
  );
}

interface ContentProps {
  readonly show: (tool: Tool) => void;
  readonly focusMoves: RefObject<boolean>;
}

function Content({ show, focusMoves }: ContentProps) {
  const { isReadOnly } = use(TerminalSlotsContext);
  const port = useActingPort();
  const see = useSeeing(show, port);
  const read = useReading(show, port);
  const act = useActing(show, port);
  const files = useFiles();
  const columns: (readonly Group[])[] = [
    [
      { name: 'See', rows: see },
      { name: 'Read', rows: read },
    ],
    [
      { name: 'Do', rows: act },
      { name: 'Files', rows: files },
    ],
  ];
  return columns.map((groups) => (
    <div key={groups[0]?.name} className={styles['column']}>
      {groups.map(({ name, rows }) => (
        <Menu.Group key={name}>
          <Menu.GroupLabel className={`silk ${styles['name']}`}>{name}</Menu.GroupLabel>
          {name === 'Read' ? <FramesRow port={port} isReadOnly={isReadOnly} focusMoves={focusMoves} /> : null}
          {rows.map((row) => (
            <ToolRow
              key={row.label}
              row={row}
              onChoose={() => {
                focusMoves.current = row.label.endsWith('…');
              }}
            />
          ))}
        </Menu.Group>
      ))}
    </div>
  ));
}

function ToolRow({ row, onChoose }: { readonly row: Row; readonly onChoose: () => void }) {
  const { label, icon, what, isMissing = false, onSelect } = row;
  return (
    <Menu.Item
      label={label}
      className={classNames(styles['row'], isMissing && styles['missing'])}
      onClick={() => {
        onChoose();
        onSelect();
      }}
    >
      {icon}
      <span className={styles['text']}>
        <b>{label}</b>
        <small className="ellipsis">{what}</small>
      </span>
    </Menu.Item>
  );
}

/** A port on which tools act. `connect` opens it first, and resolves with true once it is open. Null: it is open. */
interface ActingPort {
  readonly port: PortNumber;
  readonly connect: (() => Promise<boolean>) | null;
  /** Says what `connect` does. */
  readonly missing: string;
}

/** Returns the selected port, or the first open one if the selected one is closed. */
function useActingPort(): ActingPort {
  const selected = useTerminalSession((session) => session.selectedPort);
  const states = useBenchStatus(portStates);
  const settings = useTerminalSettings(({ ports }) => ports[selected].settings);
  const isOpen = (port: PortNumber) => states[port] !== 'disconnected';
  const port = isOpen(selected) ? selected : (portNumbers.find(isOpen) ?? selected);
  const canPick = serialSupport() === 'ready';
  const connect = async () => {
    await (canPick ? connectPicked(port, settings) : connectSource(port, { kind: 'demo' }, settings));
    return benchStatus.tick.status.ports[port].state === 'connected';
  };
  return {
    port,
    connect: isOpen(port) ? null : connect,
    missing: canPick ? 'Connects a port first' : 'Opens the demo board first',
  };
}

/** Returns a row that needs an open port: connects one first, selects it, and then acts. */
function onPort({ port, connect, missing }: ActingPort, row: Row): Row {
  const act = () => {
    if (terminalSessionNow().selectedPort !== port) {
      changeTerminalSession({ selectedPort: port });
    }
    row.onSelect();
  };
  if (connect === null) {
    return { ...row, onSelect: act };
  }
  const connectAndAct = async () => {
    if (await connect()) {
      act();
    }
  };
  return { ...row, what: missing, isMissing: true, onSelect: () => void connectAndAct() };
}

function useSeeing(show: (tool: Tool) => void, port: ActingPort): readonly Row[] {
  const { isReadOnly } = use(TerminalSlotsContext);
  const isEmpty = useBenchStatus(({ status }) => status.lines === 0);
  const curves = useTabMark('plot');
  const crashes = useTabMark('crashes');
  const dropped = useDroppedIncidents().length;
  const restarts = useIncidents().length - crashes;
  const files = useSymbolFiles().length + useCoreDumps().length;
  const overview = useOverview(port.port);
  const all = crashes + dropped;
  return [
    {
      label: toolNames.plot,
      icon: <Activity />,
      what:
        curves > 0
          ? counted(curves, 'curve')
          : isEmpty
            ? 'No numbers yet. Says what it reads'
            : 'Numbers of the log as curves',
      onSelect: () => show('plot'),
    },
    {
      label: toolNames.statistics,
      icon: <ChartNoAxesColumn />,
      what: isEmpty
        ? 'Nothing came yet'
        : overview !== null && overview.totals.unanswered > 0
          ? `${overview.totals.unanswered} of ${counted(overview.totals.frames, 'frame')} without an answer`
          : 'Lines, bytes, gaps, errors',
      onSelect: () => show('statistics'),
    },
    {
      label: toolNames.crashes,
      icon: <Bug />,
      what:
        all > 0
          ? all === 1
            ? '1 crash'
            : `${count(all)} crashes`
          : restarts > 0
            ? counted(restarts, 'restart')
            : files > 0
              ? `None yet. ${counted(files, 'file')} to read one`
              : 'None yet. Adds an ELF file',
      isMissing: all + restarts + files === 0,
      onSelect: () => show('crashes'),
    },
    ...(isReadOnly
      ? []
      : [
          onPort(port, {
            label: 'Screen',
            icon: <SquareTerminal />,
            what: 'For vi, top and menus',
            onSelect: enterScreen,
          }),
        ]),
  ];
}

/** Fetches the counts of a port's frames. Null: it has no decoder, or they are not there yet. */
function useOverview(port: PortNumber): FrameOverview | null {
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const [overview, setOverview] = useState<FrameOverview | null>(null);
  useEffect(() => {
    if (decoder !== null) {
      getBench()
        .call('frameOverview', port)
        .then(setOverview, () => undefined);
    }
  }, [port, decoder]);
  return overview;
}

function useReading(show: (tool: Tool) => void, port: ActingPort): readonly Row[] {
  const { isReadOnly } = use(TerminalSlotsContext);
  const display = useTerminalSettings(displayOf);
  const own = useKeptDecoders();
  const [first] = own;
  const isText = display === 'text';
  const registers: Row = {
    label: toolNames['name-bytes'],
    icon: <Binary />,
    what: isText ? 'Text has no bytes to name. Opens Hex' : 'Names what bytes and registers mean',
    isMissing: isText,
    onSelect: () => {
      if (isText) {
        changeScreen({ isShown: false });
        changeSettings({ layout: 'hex' });
      }
      show('name-bytes');
    },
  };
  return [
    isReadOnly ? registers : onPort(port, registers),
    {
      label: toolNames.decoders,
      icon: <FileCode />,
      what:
        first === undefined
          ? 'None of your own. Starts from a ready one'
          : own.length === 1
            ? `1 of your own: ${titleOf(first.text)}`
            : `${own.length} of your own`,
      onSelect: () => show('decoders'),
    },
  ];
}

interface FramesRowProps {
  readonly port: ActingPort;
  readonly isReadOnly: boolean;
  readonly focusMoves: RefObject<boolean>;
}

/** Kinds of frames of a port, which open in place. */
function FramesRow({ port: acting, isReadOnly, focusMoves }: FramesRowProps) {
  const { port, connect, missing } = acting;
  const chosen = useTerminalSettings(({ ports }) => ports[port].decoder);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const fitting = useBenchStatus(({ advice }) => advice[port].frames);
  const kept = useKeptDecoders();
  const [isOpen, setOpen] = useState(false);
  const own = kept.map(({ id, text }) => ({ name: id as DecoderId, title: titleOf(text) }));
  const kinds: readonly { readonly name: DecoderId; readonly title: string }[] = [...readyDecoders, ...own];
  const title = kinds.find((one) => one.name === chosen)?.title;
  const fits = readyDecoders.find((one) => one.name === fitting?.decoder)?.title;
  if (connect !== null && !isReadOnly) {
    const row = onPort(acting, { label: 'Frames', icon: <Rows3 />, what: missing, onSelect: () => undefined });
    return <ToolRow row={row} onChoose={() => undefined} />;
  }
  return (
    <>
      <Menu.Item
        label="Frames"
        closeOnClick={false}
        aria-expanded={isOpen}
        className={styles['row']}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
            event.preventDefault();
            setOpen(event.key === 'ArrowRight');
          }
        }}
      >
        <Rows3 />
        <span className={styles['text']}>
          <b>Frames</b>
          <small className="ellipsis">
            {title !== undefined
              ? `${title} on ${name}`
              : fits === undefined
                ? 'Off. Choose Modbus, NMEA, COBS…'
                : `These bytes fit ${fits}`}
          </small>
        </span>
        {isOpen ? <ChevronDown /> : <ChevronRight />}
      </Menu.Item>
      {isOpen ? (
        <Menu.RadioGroup
          aria-label={`Frames of ${name}`}
          className={styles['kinds']}
          value={chosen ?? ''}
          onValueChange={(value: string) => {
            focusMoves.current = false;
            changeTerminalSession({ selectedPort: port });
            changeDecoder(port, decoderIdOf(value));
          }}
        >
          {[{ name: '', title: 'Off' }, ...kinds].map((kind) => (
            <Menu.RadioItem
              key={kind.name}
              value={kind.name}
              closeOnClick
              className={styles['kind']}
              label={kind.title}
            >
              <span className={styles['check']}>
                <Menu.RadioItemIndicator>
                  <Check />
                </Menu.RadioItemIndicator>
              </span>
              {kind.title}
              {fitting !== null && kind.name === fitting.decoder ? (
                <small>
                  fits {count(fitting.right)} of {count(fitting.right + fitting.broken)}
                </small>
              ) : null}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      ) : null}
    </>
  );
}

function useActing(show: (tool: Tool) => void, acting: ActingPort): readonly Row[] {
  const { isReadOnly } = use(TerminalSlotsContext);
  const { port } = acting;
  const commands = usePanels((panels) => panels.reduce((sum, { pinnedMessages }) => sum + pinnedMessages.length, 0));
  const rules = usePanels((panels) => panels.reduce((sum, panel) => sum + panel.rules.length, 0));
  const on = usePanels((panels) =>
    panels.reduce((sum, panel) => sum + panel.rules.filter((rule) => rule.isOn).length, 0),
  );
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const python = useBenchStatus(
    ({ boards, advice }) => boards[port].banner ?? (advice[port].isPython ? 'Python' : null),
  );
  const isRemote = useBenchStatus(({ devices }) => devices[port]?.kind === 'remote');
  const hasImprov = useBenchStatus(({ improv }) => improv[port].isHeard);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const isTransferring = useBenchStatus(({ transfers }) => transfers[port] !== null);
  const hasFile = useChosenFile() !== null;
  const rulesRow: Row = {
    label: toolNames.rules,
    icon: <ListChecks />,
    what: rules === 0 ? 'None yet' : on === rules ? `${rules}, all on` : `${rules}, ${on} on`,
    onSelect: () => show('rules'),
  };
  if (isReadOnly) {
    return [rulesRow];
  }
  const atHost = `${name} is on a shared bench: only its host can do this.`;
  /** A row of tools that work on the board itself. Guests of its bench read who can. */
  const ofHost = (row: Row): Row =>
    isRemote
      ? { ...row, what: 'Only its host can', isMissing: true, onSelect: () => toast(atHost) }
      : onPort(acting, row);
  return [
    {
      label: toolNames.panels,
      icon: <Pin />,
      what: commands === 0 ? 'No commands yet' : counted(commands, 'command'),
      onSelect: () => show('panels'),
    },
    rulesRow,
    onPort(acting, {
      label: toolNames.devices,
      icon: <ScanSearch />,
      what: decoder === 'modbus' ? 'Asks, never writes' : 'Asks, never writes. Sets frames to Modbus',
      onSelect: () => {
        if (decoder === null) {
          changeDecoder(port, 'modbus');
        }
        show('devices');
      },
    }),
    ofHost({
      label: toolNames['board-files'],
      icon: <FolderTree />,
      what: python === null ? 'No Python prompt yet. Asks for one' : `Files of the board on ${name}`,
      isMissing: python === null,
      onSelect: () => show('board-files'),
    }),
    ofHost({
      label: 'Set up Wi-Fi…',
      icon: <Wifi />,
      what: hasImprov ? `Of the board on ${name}` : 'Improv not heard yet. Asks the board',
      isMissing: !hasImprov,
      onSelect: () => changeTerminalSession({ wifiPort: port }),
    }),
    onPort(acting, {
      label: 'Send a file…',
      icon: <FileUp />,
      what: hasFile ? 'Another file is chosen' : 'XMODEM, YMODEM, ZMODEM, raw',
      onSelect: askForFile,
    }),
    ofHost({
      label: 'Receive a file…',
      icon: <FileDown />,
      what: isTransferring ? 'A transfer is running' : 'XMODEM, YMODEM, ZMODEM',
      onSelect: () => {
        leaveScreen();
        if (isTransferring) {
          toast(`A transfer is running on ${name}. Wait for its end, or stop it.`);
        } else {
          chooseReceive(port);
        }
      },
    }),
  ];
}

/** The strips of files are above the field for messages, which the Screen replaces. */
const leaveScreen = () => flushSync(() => changeScreen({ isShown: false }));

/** Opens the browser's dialog, which needs a press that is not long ago: connecting a port may have used it up. */
function askForFile(): void {
  leaveScreen();
  if (navigator.userActivation?.isActive === false) {
    toast('The port is open. Choose Tools, Send a file once more.');
    return;
  }
  document.getElementById(fileInputId)?.click();
}

function useFiles(): readonly Row[] {
  const { banner } = use(TerminalSlotsContext);
  const elfFiles = useSymbolFiles();
  return [
    // Guests of a shared bench, and opened logs, have a banner.
    ...(banner === null
      ? [
          {
            label: 'Open a log…',
            icon: <FileText />,
            what: 'Or drop it on the page',
            onSelect: () => void window.open(logPage, '_blank'),
          },
        ]
      : []),
    { label: 'Open an ELF file…', icon: <FileSearch />, what: 'Names the lines of a crash', onSelect: chooseFiles },
    ...elfFiles.map((file) => ({
      label: `Remove ${file.name}`,
      icon: <X />,
      what: elfFileWords(file),
      onSelect: () => offerUndo(`${file.name} removed`, removeSymbolFile(file.id)),
    })),
  ];
}

/** Asks for files, and takes them as dropped ones. An ELF file opens Crashes. */
function chooseFiles(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => {
    for (const file of input.files ?? []) {
      void takeDroppedFile({ file });
    }
  });
  input.click();
}
