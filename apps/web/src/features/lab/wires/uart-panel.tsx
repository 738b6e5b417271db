/** Panel of the UART bridge, a second serial port for the circuit. Its bytes are in the log as port 2. */
import { encodeInput, type LineEnding } from '@wirebench/serial';
import { type FormEvent, useId } from 'react';
import type { UartBridge } from '../../../protocol/lab-protocol.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import panel from '../panel.module.css';
import { PinSelect } from '../pins/pin-strip.tsx';
import { useChoice, useDraft } from '../store/drafts.ts';
import { chooseBus } from '../store/lab-actions.ts';
import { getLab } from '../store/lab-line.ts';
import { useLab, usePins } from '../store/lab-store.ts';
import { tell, useRun } from '../store/run.ts';
import { firstFree } from './first-free.ts';
import styles from './wires.module.css';

/** Bytes on the link in each direction for one byte of the bridge: a READ_REG and its answer. */
const bytesOfRead = 14;

const romRates = [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200];
const programRates = [...romRates, 230_400, 460_800, 921_600];

const endings: readonly LineEnding[] = ['crlf', 'lf', 'cr', 'none'];
const endingNames = { crlf: 'CRLF', lf: 'LF', cr: 'CR', none: 'None' } satisfies Record<LineEnding, string>;

export function UartPanel() {
  const pins = usePins();
  const owned = useLab(({ tick }) => tick.owned);
  const open = useLab(({ tick }) => tick.uart);
  const linkRate = useLab(({ tick }) => tick.baudRate);
  const program = useLab(({ tick }) => tick.program !== null);
  const losses = useLab(({ tick }) => tick.uartLosses);
  const chosen = useLab(({ buses }) => buses.uart);
  const [text, setText] = useDraft('uart text', '');
  const [ending, setEnding] = useChoice('uart ending', endings, 'crlf');
  const { busy, run } = useRun();
  const id = useId();
  const [tx = 0, rx = 0] = firstFree(pins, owned, [17, 16], 2);
  const bridge = open ?? chosen ?? { tx, rx, baudRate: 9_600 };
  const change = (next: Partial<UartBridge>) => {
    const other = { ...bridge, ...next };
    chooseBus({ uart: other });
    if (open !== null) {
      void tell(() => getLab().call('openUart', other));
    }
  };
  const toggle = () => run(() => (open === null ? getLab().call('openUart', bridge) : getLab().call('closeUart')));
  const send = (event: FormEvent) => {
    event.preventDefault();
    const encoded = encodeInput(text, 'text', ending);
    if (encoded.ok && encoded.bytes.length > 0) {
      setText('');
      void tell(() => getLab().call('sendUart', encoded.bytes));
    }
  };
  return (
    <section className={panel['panel']} aria-label="UART bridge">
      <div className={panel['head']}>
        <h2>UART bridge</h2>
        <Badge>{program ? 'Full duplex' : 'Half duplex'}</Badge>
        {losses === 0 ? null : <Badge tone="warning">Bytes lost</Badge>}
        <span className={panel['facts']}>
          {open === null ? 'not open' : `TX ${open.tx} RX ${open.rx} · ${open.baudRate} 8N1`}
        </span>
        <span className={`row tight ${panel['end']}`}>
          <Button size="sm" variant={open === null ? 'default' : 'quiet'} busy={busy} onClick={() => void toggle()}>
            {open === null ? 'Open' : 'Close'}
          </Button>
        </span>
      </div>
      <div className={panel['body']}>
        <div className={`${panel['form']} ${panel['line']}`}>
          <PinSelect label="TX" value={bridge.tx} onChange={(pin) => change({ tx: pin })} />
          <PinSelect label="RX" drives={false} value={bridge.rx} onChange={(pin) => change({ rx: pin })} />
          <span className={styles['pick']}>
            <label htmlFor={`${id}-rate`} className="silk">
              Baud
            </label>
            <Select
              id={`${id}-rate`}
              mono
              value={bridge.baudRate}
              onChange={({ currentTarget }) => change({ baudRate: Number(currentTarget.value) })}
            >
              {[...new Set([...(program ? programRates : romRates), bridge.baudRate])].map((rate) => (
                <option key={rate}>{rate}</option>
              ))}
            </Select>
          </span>
        </div>
        {open === null ? null : (
          <form className={panel['form']} aria-label="Send over the UART bridge" onSubmit={send}>
            <TextInput
              mono
              className={panel['wide']}
              aria-label="Message to the circuit"
              placeholder="Send to the circuit"
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
            <span className={styles['pick']}>
              <Select
                aria-label="Line ending"
                value={ending}
                onChange={({ currentTarget }) => setEnding(currentTarget.value as LineEnding)}
              >
                {endings.map((value) => (
                  <option key={value} value={value}>
                    {endingNames[value]}
                  </option>
                ))}
              </Select>
            </span>
            <Button type="submit">Send</Button>
          </form>
        )}
        <p className={panel['note']}>
          {program
            ? 'Full duplex, by the program in RAM. What is received is in the log as port 2.'
            : 'Half duplex: a byte that is sent can take one away that is just coming in, so what waits is read first. What is received is in the log as port 2.'}
          {isTooFast(bridge.baudRate, linkRate, program)
            ? ' The link to the board is too slow for this rate: bytes may be lost.'
            : ''}
        </p>
        <p role="status" className={losses === 0 ? 'visually-hidden' : panel['note']}>
          {losses === 0
            ? ''
            : `Bytes were lost ${losses === 1 ? 'once' : `${losses} times`} since the bridge was opened. The log says when and why.`}
        </p>
      </div>
    </section>
  );
}

/**
 * Returns true if the link is too slow for the rate. The program sends frames besides the bytes, so its link must be
 * faster than the line.
 */
function isTooFast(rate: number, linkRate: number, program: boolean): boolean {
  return linkRate > 0 && (program ? rate >= linkRate : rate * bytesOfRead > linkRate);
}
