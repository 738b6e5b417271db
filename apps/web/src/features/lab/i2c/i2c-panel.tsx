/** Panel of the I2C bus: pins and clock, the scan, the devices found, and transfers. */
import { Power, Radar, ScanSearch } from 'lucide-react';
import type { HaltedBus, I2cBus, I2cPair, PinFacts } from '../../../protocol/lab-protocol.ts';
import { hexNumber } from '../../../shared/format/hex.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { endIdentification, forgetDevices, offersAt } from '../devices/device-store.ts';
import { useStepVariant } from '../next-step.ts';
import panel from '../panel.module.css';
import { ClockPick } from '../pins/pick.tsx';
import { PinSelect } from '../pins/pin-strip.tsx';
import { chooseBus } from '../store/lab-actions.ts';
import { getLab } from '../store/lab-line.ts';
import { changeLab, labNow, useLab, usePins } from '../store/lab-store.ts';
import { tell, useRun } from '../store/run.ts';
import { firstFree } from '../wires/first-free.ts';
import { DeviceForm } from './device-form.tsx';
import { FoundList } from './found-list.tsx';
import styles from './i2c-panel.module.css';
import { ScanGrid } from './scan-grid.tsx';

export const scanButtonId = 'lab-scan';

const clocks = [10_000, 50_000, 100_000, 200_000, 400_000];

/** Returns the usual I2C pins of most boards if they are free, else the first free pins. */
function usualBus(pins: readonly PinFacts[]): I2cBus {
  const usual = pins.some(({ gpio }) => gpio === 22) ? [21, 22] : [5, 6];
  const [sda = 0, scl = 0] = firstFree(pins, [], usual, 2);
  return { sda, scl, clock: 100_000 };
}

/**
 * Opens, closes, finds and scans the bus. A scan asks all addresses, identifies the devices, and selects the one with
 * the highest certainty.
 */

/** Pins of the last open bus. Not taken from ticks, because these may arrive after the devices have been found. */
let pins: string | null = null;

/**
 * Opens the bus. Devices are forgotten on other pins, because other devices are connected there.
 * @throws CallError if the host refuses.
 */
export async function openBus(bus: I2cBus): Promise<void> {
  endIdentification();
  await getLab().call('openI2c', bus);
  const now = `${bus.sda} ${bus.scl}`;
  if (now !== pins) {
    pins = now;
    forgetDevices();
  }
}

/** @throws CallError if the host refuses. */
export async function closeBus(): Promise<void> {
  endIdentification();
  await getLab().call('closeI2c');
}

/**
 * Finds the bus among the free pins. An open bus is closed first.
 * @throws CallError if the host refuses or fails.
 */
async function findBuses(): Promise<void> {
  endIdentification();
  await getLab().call('findBuses');
}

/**
 * Scans the bus, and opens it first if it is not open on these pins.
 * @throws CallError if the host refuses or fails.
 */
export async function scanBus(bus: I2cBus): Promise<void> {
  const open = labNow().tick.i2c;
  changeLab({ device: null });
  if (open === null || open.sda !== bus.sda || open.scl !== bus.scl || open.clock !== bus.clock) {
    await openBus(bus);
  }
  endIdentification();
  const found = await getLab().call('scan');
  changeLab({ device: found[0] ?? null });
  const { identifyAll } = await loadIdentification();
  const { late } = await identifyAll(found);
  const best = found.find((address) => offersAt(address)[0]?.certainty === 'register');
  // A device that the user has chosen since stays selected.
  if (best !== undefined && labNow().device === found[0]) {
    changeLab({ device: best });
  }
  // Not awaited, so that a slow server does not delay the next scan.
  void tell(() => late);
}

/** Fetches the identification with all descriptions of the product, on the first scan. */
const loadIdentification = () => import('../devices/identify.ts');

export function I2cPanel() {
  const pins = usePins();
  const open = useLab(({ tick }) => tick.i2c);
  const last = useLab(({ tick }) => tick.scan);
  const halted = useLab(({ tick }) => tick.halted);
  const found = useLab(({ tick }) => tick.found);
  const pairs = useLab(({ tick }) => tick.pairs);
  const work = useLab(({ tick }) => tick.i2cWork);
  const device = useLab((state) => state.device);
  const chosen = useLab(({ buses }) => buses.i2c);
  const search = useRun();
  const scan = useRun();
  const findVariant = useStepVariant('find');
  const searching = search.busy || work === 'searching';
  const scanning = scan.busy || work === 'scanning';
  const busy = searching || scanning || (work !== null && work !== 'opening');
  /** True: no scan result may be announced. */
  const silent = last === null || last.running || halted !== null;
  const bus = open ?? chosen ?? usualBus(pins);
  const change = (next: Partial<I2cBus>) => {
    const other = { ...bus, ...next };
    chooseBus({ i2c: other });
    if (open !== null) {
      void tell(() => openBus(other));
    }
  };
  const use = ({ sda, scl }: I2cPair) => {
    const other = { sda, scl, clock: bus.clock };
    chooseBus({ i2c: other });
    void scan.run(() => scanBus(other));
  };
  return (
    <section className={panel['panel']} aria-label="I2C">
      <div className={panel['head']}>
        <h2>I2C</h2>
        <span className={panel['facts']}>
          {open === null ? 'not open' : `SDA ${bus.sda} SCL ${bus.scl} · ${bus.clock / 1_000} kHz`}
        </span>
        {found.length === 0 ? null : <Badge tone="success">{found.length} found</Badge>}
        <span className={`row tight ${panel['end']}`}>
          {searching ? (
            <Button size="sm" onClick={() => void getLab().call('cancel')}>
              Cancel
            </Button>
          ) : null}
          <Button
            size="sm"
            variant={findVariant ?? 'quiet'}
            icon={<Radar />}
            busy={searching}
            disabled={busy && !searching}
            onClick={() => void search.run(findBuses)}
          >
            Find my I2C
          </Button>
          <Button
            id={scanButtonId}
            size="sm"
            icon={<ScanSearch />}
            busy={scanning}
            disabled={busy && !scanning}
            aria-keyshortcuts="Shift+I"
            onClick={() => void scan.run(() => scanBus(bus))}
          >
            Scan
          </Button>
        </span>
      </div>
      <div className={panel['body']}>
        <div className={`${panel['form']} ${panel['line']}`}>
          <PinSelect label="SDA" value={bus.sda} disabled={busy} onChange={(sda) => change({ sda })} />
          <PinSelect label="SCL" value={bus.scl} disabled={busy} onChange={(scl) => change({ scl })} />
          <ClockPick hertz={clocks} value={bus.clock} disabled={busy} onChange={(clock) => change({ clock })} />
          {open === null ? null : (
            <Button size="sm" variant="quiet" icon={<Power />} disabled={busy} onClick={() => void tell(closeBus)}>
              Close
            </Button>
          )}
        </div>
        {pairs === null ? null : <Pairs pairs={pairs} busy={busy} onUse={use} />}
        {halted === null ? null : <Halted bus={bus} halted={halted} />}
        {open === null && pairs === null && !busy ? (
          <p className={panel['note']}>
            Scan asks every address on these two pins. Find my I2C looks for the pins: it pulls each free pin down
            weakly, and tries those that stay high in pairs.
          </p>
        ) : null}
        <ScanGrid found={found} asked={last?.asked ?? 0} selected={device} />
        <p role="status" className="visually-hidden">
          {silent ? '' : `Scan done: ${found.length} of 112 addresses answer.`}
        </p>
        {!silent && found.length === 0 ? (
          <p className={panel['note']}>
            No address answers. Check power, ground and that SDA and SCL are not swapped, or let Find my I2C try the
            pins.
          </p>
        ) : null}
        <FoundList found={found} selected={device} isAnswer={!silent} />
        {open === null ? null : <DeviceForm key={device ?? 'none'} device={device} />}
      </div>
    </section>
  );
}

interface PairsProps {
  readonly pairs: readonly I2cPair[];
  /** True: the bus is busy, because the search may still be releasing its last pins. */
  readonly busy: boolean;
  readonly onUse: (pair: I2cPair) => void;
}

function Pairs({ pairs, busy, onUse }: PairsProps) {
  const variant = useStepVariant('use');
  return (
    <div className={styles['pairs']} role="status">
      {pairs.length === 0 ? (
        <p>
          Nothing answers on any pair of free pins. A bus needs power and pull-up resistors; most sensor boards have
          both.
        </p>
      ) : (
        pairs.map((pair, index) => (
          <div key={`${pair.sda} ${pair.scl}`} className={`row tight ${styles['pair']}`}>
            <span>
              SDA <b>{pair.sda}</b> SCL <b>{pair.scl}</b>:{' '}
              {pair.addresses.map((address) => hexNumber(address)).join(', ')}
            </span>
            <Button size="sm" variant={index === 0 ? variant : undefined} disabled={busy} onClick={() => onUse(pair)}>
              Use these pins
            </Button>
          </div>
        ))
      )}
    </div>
  );
}

/**
 * Shown if the controller got stuck, so that no address has a result. States only the levels that were read, not a
 * cause.
 */
function Halted({ bus, halted }: { readonly bus: I2cBus; readonly halted: HaltedBus }) {
  const { busy, run } = useRun();
  const variant = useStepVariant('recover');
  const { title, text } = haltedText(halted);
  const recover = () =>
    run(async () => {
      if (await getLab().call('recover')) {
        await scanBus(bus);
      }
    });
  return (
    <div className={styles['halted']} role="alert">
      <p>
        <b>{title}</b> {text}
      </p>
      <Button size="sm" variant={variant} busy={busy} onClick={() => void recover()}>
        Recover
      </Button>
    </div>
  );
}

function haltedText({ sda, scl, recovered }: HaltedBus): { readonly title: string; readonly text: string } {
  if (sda && scl) {
    return {
      title: 'The controller got no further.',
      text: 'SDA and SCL are high now, and what stopped it was not seen: another master or a slow device can. Recover sets the controller up again.',
    };
  }
  return {
    title: sda ? 'SCL is low.' : scl ? 'SDA is low.' : 'SDA and SCL are low.',
    text: recovered
      ? 'Nine clocks and a stop did not change that. Switch the devices off and on, and look for a short circuit.'
      : 'No address can be checked meanwhile. A device that was interrupted may be waiting for clocks: Recover sends nine and a stop.',
  };
}
