/** Layout of the bench: side by side on a wide screen, in tabs on a narrower one, one part at a time on a phone. */
import { Tabs } from '@base-ui/react/tabs';
import { Activity, AudioWaveform, Cpu, Ellipsis, List, Microchip, ScanSearch } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { count } from '../../shared/format/numbers.ts';
import { media } from '../../shared/styles/media.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { takesLetters } from '../../shared/ui/takes-letters.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { useToastPlace } from '../../shared/ui/use-toast-place.ts';
import { getBench } from '../../workbench/bench.ts';
import { useBenchStatus } from '../../workbench/bench-status.ts';
import { NoticeRegion } from '../../workbench/console/notice-region.tsx';
import { PaneNavigation } from '../../workbench/pane-navigation.tsx';
import { StatusLine as BenchLine } from '../../workbench/status-line.tsx';
import { AnalogPanel } from './analog/analog-panel.tsx';
import { CapturePanel } from './capture/capture-panel.tsx';
import { ConnectView } from './connect/connect-view.tsx';
import { useHashingAfter } from './connect/flash-check.tsx';
import { CounterPanel } from './counter/counter-panel.tsx';
import { DeviceDock } from './devices/device-dock.tsx';
import { I2cPanel, scanButtonId } from './i2c/i2c-panel.tsx';
import styles from './lab.module.css';
import { LabStrip } from './lab-strip.tsx';
import { BusLog } from './log/bus-log.tsx';
import { pinsId } from './pins/board-view.tsx';
import { PinsPanel } from './pins/pins-panel.tsx';
import { RegistersPanel, registersId } from './registers/registers-panel.tsx';
import { useChoice } from './store/drafts.ts';
import { abandon, leave } from './store/lab-actions.ts';
import { useLab } from './store/lab-store.ts';
import { getTabPorts } from './store/lab-tab-ports.ts';
import { tell } from './store/run.ts';
import { SpiPanel } from './wires/spi-panel.tsx';
import { UartPanel } from './wires/uart-panel.tsx';

/** Size of the log for each port, in bytes: lines of instruments are few and short. */
const logBytes = 4 * 1_024 * 1_024;

const wideWindow = '(min-width: 1181px)';

const instruments = {
  i2c: { label: 'I2C', panel: <I2cPanel /> },
  registers: { label: 'Registers', panel: <RegistersPanel /> },
  device: { label: 'Device', panel: <DeviceDock /> },
  analog: { label: 'Analog', panel: <AnalogPanel /> },
  counter: { label: 'Counter', panel: <CounterPanel /> },
  spi: { label: 'SPI', panel: <SpiPanel /> },
  uart: { label: 'UART', panel: <UartPanel /> },
  capture: { label: 'Capture', panel: <CapturePanel /> },
} as const satisfies Record<string, { readonly label: string; readonly panel: ReactNode }>;

type Instrument = keyof typeof instruments;

export function Lab() {
  const hashes = useHashingAfter();
  const open = useLab(({ phase }) => phase === 'open' || phase === 'leaving') && !hashes;
  const phone = useMediaQuery(media.phone);
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  useToastPlace(root);
  useEffect(() => {
    // From this call on, this tab answers the other tabs' requests for ports.
    getTabPorts();
    void getBench().call('resize', logBytes);
    window.addEventListener('pagehide', abandon);
    return () => window.removeEventListener('pagehide', abandon);
  }, []);
  return (
    <div ref={root} className={styles['lab']} data-open={open || undefined}>
      <h1 className="visually-hidden">ESP32 bench</h1>
      <LabStrip />
      {open ? phone ? <PhoneBench /> : <WideBench /> : <NoBoard />}
      <NoticeRegion />
    </div>
  );
}

/** Keeps the earlier log visible below the ways to connect. */
function NoBoard() {
  const logged = useBenchStatus(({ status }) => status.lines > 0);
  return (
    <div className={classNames(styles['idle'], logged && styles['logged'])}>
      <ConnectView />
      {logged ? <BusLog /> : null}
    </div>
  );
}

const tabs: readonly Instrument[] = ['i2c', 'device', 'registers', 'analog', 'counter', 'spi', 'uart', 'capture'];
/** Tabs of the dock. The I2C panel is docked beside them. */
const dockTabs: readonly Instrument[] = tabs.filter((name) => name !== 'i2c');

const keys = [
  { keys: ['⇧P'], what: 'pins' },
  { keys: ['⇧I'], what: 'I2C scan' },
  { keys: ['⇧R'], what: 'registers' },
  { keys: ['⇧L'], what: 'leave' },
];

/** Status line: counters of the link, and the keys of the bench. */
function StatusLine() {
  const { writes, reads, flashCommands, roundTrip } = useLab(({ tick }) => tick.counters);
  const program = useLab(({ tick }) => tick.program !== null);
  const isProbe = useLab(({ board }) => board?.runsProbe === true);
  return (
    <BenchLine
      tone="success"
      state={isProbe ? 'Bench open, program in flash' : program ? 'Bench open, program in RAM' : 'Bench open, ROM'}
      figures={[
        { name: 'Register writes', value: count(writes) },
        { name: 'reads', value: count(reads) },
        { name: 'Flash commands sent', value: count(flashCommands) },
        { name: 'Round trip', value: roundTrip === 0 ? '–' : `${roundTrip.toFixed(1)} ms` },
      ]}
      keys={keys}
    />
  );
}

function WideBench() {
  const wide = useMediaQuery(wideWindow);
  const [tab, setTab] = useChoice('shown in tabs', tabs, 'i2c');
  const [docked, dock] = useChoice('shown in the dock', dockTabs, 'analog');
  useDeviceShown(() => (wide ? dock('device') : setTab('device')));
  const reach = (instrument: Instrument, act: () => void) => {
    if (!wide) {
      setTab(instrument);
    } else if (instrument !== 'i2c') {
      dock(instrument);
    }
    // The content of a tab exists one animation frame later.
    requestAnimationFrame(act);
  };
  useKeys({
    'Shift+P': focusPins,
    'Shift+I': () => reach('i2c', () => document.getElementById(scanButtonId)?.click()),
    'Shift+R': () =>
      reach('registers', () =>
        document.querySelector<HTMLElement>(`#${registersId} [role="treeitem"][tabindex="0"]`)?.focus(),
      ),
    'Shift+L': () => void tell(leave),
  });
  return (
    <>
      <div className={styles['main']}>
        <PinsPanel />
        <div className={styles['work']}>
          {wide ? (
            <div className={styles['docks']}>
              {instruments.i2c.panel}
              <InstrumentTabs names={dockTabs} chosen={docked} onChoose={dock} />
            </div>
          ) : (
            <InstrumentTabs names={tabs} chosen={tab} onChoose={setTab} />
          )}
          <BusLog />
        </div>
      </div>
      <StatusLine />
    </>
  );
}

/** Calls `show` when the user asks for the panel of a device. */
function useDeviceShown(show: () => void): void {
  const shown = useLab(({ deviceShown }) => deviceShown);
  const seen = useRef(shown);
  const tellOf = useEffectEvent(show);
  useEffect(() => {
    if (shown !== seen.current) {
      seen.current = shown;
      tellOf();
    }
  }, [shown]);
}

function focusPins(): void {
  document.querySelector<HTMLElement>(`#${pinsId} [tabindex="0"]`)?.focus();
}

function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(
    () =>
      tinykeys(
        window,
        Object.fromEntries(Object.keys(current.current).map((key) => [key, () => current.current[key]?.()])),
        { ignore: (event) => event.repeat || takesLetters(event.target) },
      ),
    [],
  );
}

interface InstrumentTabsProps {
  readonly names: readonly Instrument[];
  readonly chosen: Instrument;
  readonly onChoose: (name: Instrument) => void;
}

function InstrumentTabs({ names, chosen, onChoose }: InstrumentTabsProps) {
  return (
    <Tabs.Root className={styles['tabbed']} value={chosen} onValueChange={(name: Instrument) => onChoose(name)}>
      <Tabs.List activateOnFocus aria-label="Instruments" className={styles['tabs']}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name} className={styles['tab']}>
            {instruments[name].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel key={chosen} value={chosen} className={styles['tabpanel']} tabIndex={-1}>
        {instruments[chosen].panel}
      </Tabs.Panel>
    </Tabs.Root>
  );
}

const phonePanes = {
  pins: <PinsPanel />,
  i2c: <I2cPanel />,
  device: <DeviceDock />,
  analog: <AnalogPanel />,
  capture: <CapturePanel />,
  log: <BusLog />,
  more: <MorePane />,
} as const;

const moreTabs: readonly Instrument[] = ['registers', 'counter', 'spi', 'uart'];

/** Instruments without a button of their own in the phone layout. A zoomed window uses that layout as well. */
function MorePane() {
  const [chosen, setChosen] = useChoice('shown by a phone', moreTabs, 'registers');
  return <InstrumentTabs names={moreTabs} chosen={chosen} onChoose={setChosen} />;
}

const panes = [
  { pane: 'pins', label: 'Pins', icon: <Microchip /> },
  { pane: 'i2c', label: 'I2C', icon: <ScanSearch /> },
  { pane: 'device', label: 'Device', icon: <Cpu /> },
  { pane: 'analog', label: 'Analog', icon: <Activity /> },
  { pane: 'capture', label: 'Capture', icon: <AudioWaveform /> },
  { pane: 'log', label: 'Bus log', icon: <List /> },
  { pane: 'more', label: 'More', icon: <Ellipsis /> },
] as const satisfies readonly {
  readonly pane: keyof typeof phonePanes;
  readonly label: string;
  readonly icon: ReactNode;
}[];
const paneNames = panes.map(({ pane }) => pane);

function PhoneBench() {
  const [shown, setShown] = useChoice('pane of a phone', paneNames, 'pins');
  useDeviceShown(() => setShown('device'));
  return (
    <>
      <div className={styles['phone']}>{phonePanes[shown]}</div>
      <PaneNavigation label="Bench" className={styles['navigation']} panes={panes} shown={shown} onShow={setShown} />
    </>
  );
}
