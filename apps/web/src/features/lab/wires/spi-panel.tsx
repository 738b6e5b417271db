/** Panel of SPI: pins, mode and clock, and full-duplex transfers. */
import { type FormEvent, useId } from 'react';
import type { SpiBus } from '../../../protocol/lab-protocol.ts';
import { hexBytes } from '../../../shared/format/hex.ts';
import { Answer } from '../../../shared/ui/answer.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { faultOf, InputFaults, inputFaults } from '../input-faults.tsx';
import panel from '../panel.module.css';
import { ClockPick, Pick } from '../pins/pick.tsx';
import { PinSelect } from '../pins/pin-strip.tsx';
import { parseBytes } from '../quantities.ts';
import { useDraft } from '../store/drafts.ts';
import { chooseBus, exchange } from '../store/lab-actions.ts';
import { getLab } from '../store/lab-line.ts';
import { useLab, usePins } from '../store/lab-store.ts';
import { tell, useRun } from '../store/run.ts';
import { firstFree } from './first-free.ts';

const clocks = [100_000, 500_000, 1_000_000, 4_000_000, 10_000_000];
const modes = [0, 1, 2, 3] as const;
/** Maximum bytes of a transfer. */
const longest = 64;

export function SpiPanel() {
  const pins = usePins();
  const untried = useLab(({ board }) => board?.chip === 'esp32c3');
  const owned = useLab(({ tick }) => tick.owned);
  const open = useLab(({ tick }) => tick.spi);
  const chosen = useLab(({ buses }) => buses.spi);
  const [text, setText] = useDraft('spi bytes', '9F 00 00 00');
  const answer = useLab(({ spiAnswer }) => spiAnswer);
  const { busy, run } = useRun();
  const id = useId();
  const bus = open ?? chosen ?? usualBus(firstFree(pins, owned, [18, 23, 19, 5], 4));
  const bytes = parseBytes(text, longest);
  const fits = bytes !== null && bytes.length > 0;
  const fault = fits ? null : inputFaults.bytes(longest);
  const change = (next: Partial<SpiBus>) => {
    const other = { ...bus, ...next };
    chooseBus({ spi: other });
    if (open !== null) {
      void tell(() => getLab().call('openSpi', other));
    }
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (fits) {
      void run(() => exchange(bus, bytes));
    }
  };
  return (
    <section className={panel['panel']} aria-label="SPI">
      <div className={panel['head']}>
        <h2>SPI</h2>
        <span className={panel['facts']}>
          {open === null ? 'not open' : `mode ${open.mode} · ${open.clock / 1_000} kHz · full duplex`}
        </span>
        {open === null ? null : (
          <span className={`row tight ${panel['end']}`}>
            <Button size="sm" variant="quiet" onClick={() => void tell(() => getLab().call('closeSpi'))}>
              Close
            </Button>
          </span>
        )}
      </div>
      <div className={panel['body']}>
        <div className={`${panel['form']} ${panel['line']}`}>
          <PinSelect label="CLK" value={bus.clk} onChange={(clk) => change({ clk })} />
          <PinSelect label="MOSI" value={bus.mosi} onChange={(mosi) => change({ mosi })} />
          <PinSelect label="MISO" drives={false} value={bus.miso} onChange={(miso) => change({ miso })} />
          <PinSelect label="CS" value={bus.cs} onChange={(cs) => change({ cs })} />
          <Pick
            label="Mode"
            wide
            value={bus.mode}
            onChange={(number) => change({ mode: modes.find((mode) => mode === number) ?? 0 })}
          >
            {modes.map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </Pick>
          <ClockPick hertz={clocks} value={bus.clock} onChange={(clock) => change({ clock })} />
        </div>
        <form className={panel['form']} aria-label="Send over SPI" onSubmit={send}>
          <div className={`${panel['field']} ${panel['wide']}`}>
            <label htmlFor={`${id}-bytes`} className="silk">
              Bytes, 1 to {longest}
            </label>
            <TextInput
              id={`${id}-bytes`}
              mono
              value={text}
              {...faultOf(fault, `${id}-fault`)}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
          </div>
          <Button type="submit" busy={busy} disabled={!fits}>
            Exchange
          </Button>
        </form>
        <InputFaults id={`${id}-fault`} faults={[fault]} />
        <Answer of={answer}>
          {answer === null ? null : (
            <p className={panel['answer']}>
              <span>MISO: </span>
              {hexBytes(answer)}
            </p>
          )}
        </Answer>
        <p className={panel['note']}>
          As many bytes come back as are sent: put zeros where a device is to answer.
          {untried
            ? ' On the C3 this follows the documentation alone, and was tried with nothing but simulated chips.'
            : ''}
        </p>
      </div>
    </section>
  );
}

function usualBus([clk = 0, mosi = 0, miso = 0, cs = 0]: readonly number[]): SpiBus {
  return { clk, mosi, miso, cs, mode: 0, clock: 1_000_000 };
}
