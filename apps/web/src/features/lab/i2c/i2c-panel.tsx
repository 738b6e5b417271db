/** The I2C bus: its pins and clock, the scan, what was found, and transfers. */
import { Power, Radar, ScanSearch } from 'lucide-react';
import { useId, useState } from 'react';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import type { I2cBus, I2cPair, PinFacts } from '../../../workbench/lab/lab-protocol.ts';
import panel from '../panel.module.css';
import { PinSelect } from '../pins/pin-strip.tsx';
import { hex } from '../quantities.ts';
import { getLab } from '../store/lab-line.ts';
import { useLab, usePins } from '../store/lab-store.ts';
import { tell, useRun } from '../store/run.ts';
import { DeviceForm } from './device-form.tsx';
import { FoundList } from './found-list.tsx';
import styles from './i2c-panel.module.css';
import { scanBus } from './scan-bus.ts';
import { ScanGrid } from './scan-grid.tsx';

export const scanButtonId = 'lab-scan';

const clocks = [10_000, 50_000, 100_000, 200_000, 400_000];

/** The pins that most boards have I2C on; else the first that are free. */
function usualBus(pins: readonly PinFacts[]): I2cBus {
  const free = pins.filter(({ rule }) => rule === 'free').map(({ gpio }) => gpio);
  const [sda, scl] =
    free.includes(21) && free.includes(22) ? [21, 22] : free.includes(5) && free.includes(6) ? [5, 6] : free;
  return { sda: sda ?? 0, scl: scl ?? 0, clock: 100_000 };
}

export function I2cPanel() {
  const pins = usePins();
  const open = useLab(({ tick }) => tick.i2c);
  const last = useLab(({ tick }) => tick.scan);
  const stuck = useLab(({ tick }) => tick.stuck);
  const found = useLab(({ tick }) => tick.found);
  const device = useLab((state) => state.device);
  const [chosen, setChosen] = useState<I2cBus | null>(null);
  const [pairs, setPairs] = useState<readonly I2cPair[] | null>(null);
  const search = useRun();
  const scan = useRun();
  /** Nothing can be said yet, or any more. */
  const silent = last === null || last.running || stuck;
  const bus = open ?? chosen ?? usualBus(pins);
  const change = (next: Partial<I2cBus>) => {
    const other = { ...bus, ...next };
    setChosen(other);
    if (open !== null) {
      void tell(() => getLab().call('openI2c', other));
    }
  };
  const use = (pair: I2cPair) => {
    setPairs(null);
    const other = { sda: pair.sda, scl: pair.scl, clock: bus.clock };
    setChosen(other);
    void scan.run(() => scanBus(other));
  };
  const find = () =>
    search.run(async () => {
      setPairs(null);
      setPairs(await getLab().call('findBuses'));
    });
  return (
    <section className={panel['panel']} aria-label="I2C">
      <div className={panel['head']}>
        <h2>I2C</h2>
        <span className={panel['facts']}>
          {open === null ? 'not open' : `SDA ${bus.sda} SCL ${bus.scl} · ${bus.clock / 1_000} kHz`}
        </span>
        {found.length === 0 ? null : <Badge tone="success">{found.length} found</Badge>}
        <span className={panel['end']}>
          {search.busy ? (
            <Button size="sm" onClick={() => void getLab().call('cancel')}>
              Cancel
            </Button>
          ) : null}
          <Button
            size="sm"
            variant="quiet"
            icon={<Radar />}
            busy={search.busy}
            disabled={scan.busy}
            onClick={() => void find()}
          >
            Find my I2C
          </Button>
          <Button
            id={scanButtonId}
            size="sm"
            icon={<ScanSearch />}
            busy={scan.busy}
            disabled={search.busy}
            aria-keyshortcuts="Shift+I"
            onClick={() => void scan.run(() => scanBus(bus))}
          >
            Scan
          </Button>
        </span>
      </div>
      <div className={panel['body']}>
        <div className={panel['form']}>
          <PinSelect label="SDA" value={bus.sda} disabled={scan.busy} onChange={(sda) => change({ sda })} />
          <PinSelect label="SCL" value={bus.scl} disabled={scan.busy} onChange={(scl) => change({ scl })} />
          <ClockSelect clock={bus.clock} disabled={scan.busy} onChange={(clock) => change({ clock })} />
          {open === null ? null : (
            <Button
              size="sm"
              variant="quiet"
              icon={<Power />}
              onClick={() => void tell(() => getLab().call('closeI2c'))}
            >
              Close
            </Button>
          )}
        </div>
        {pairs === null ? null : <Pairs pairs={pairs} onUse={use} />}
        {stuck ? <StuckBus bus={bus} /> : null}
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
        <FoundList found={found} selected={device} />
        {open === null ? null : <DeviceForm key={device ?? 'none'} device={device} />}
      </div>
    </section>
  );
}

interface ClockSelectProps {
  readonly clock: number;
  readonly disabled: boolean;
  readonly onChange: (clock: number) => void;
}

function ClockSelect({ clock, disabled, onChange }: ClockSelectProps) {
  const id = useId();
  return (
    <span className={styles['clock']}>
      <label htmlFor={id} className="silk">
        Clock
      </label>
      <Select
        id={id}
        mono
        value={clock}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      >
        {clocks.map((hertz) => (
          <option key={hertz} value={hertz}>
            {hertz / 1_000} kHz
          </option>
        ))}
      </Select>
    </span>
  );
}

function Pairs({ pairs, onUse }: { readonly pairs: readonly I2cPair[]; readonly onUse: (pair: I2cPair) => void }) {
  return (
    <div className={styles['pairs']} role="status">
      {pairs.length === 0 ? (
        <p>
          Nothing answers on any pair of free pins. A bus needs power and pull-up resistors; most sensor boards have
          both.
        </p>
      ) : (
        pairs.map((pair) => (
          <div key={`${pair.sda} ${pair.scl}`} className={styles['pair']}>
            <span>
              SDA <b>{pair.sda}</b> SCL <b>{pair.scl}</b>: {pair.addresses.map((address) => hex(address)).join(', ')}
            </span>
            <Button size="sm" variant="primary" onClick={() => onUse(pair)}>
              Use these pins
            </Button>
          </div>
        ))
      )}
    </div>
  );
}

/** A device holds a line low: nothing can be said of any address. */
function StuckBus({ bus }: { readonly bus: I2cBus }) {
  const { busy, run } = useRun();
  const [still, setStill] = useState(false);
  const recover = () =>
    run(async () => {
      const free = await getLab().call('recover');
      setStill(!free);
      if (free) {
        await scanBus(bus);
      }
    });
  return (
    <div className={styles['stuck']} role="alert">
      <p>
        <b>The bus is stuck.</b> SDA or SCL stays low, so no address can be checked.{' '}
        {still
          ? 'Nine clocks did not free it. Switch the devices off and on, and look for a short circuit.'
          : 'A device that was interrupted may be waiting for clocks: Recover sends nine and a stop.'}
      </p>
      <Button size="sm" variant="primary" busy={busy} onClick={() => void recover()}>
        Recover
      </Button>
    </div>
  );
}
