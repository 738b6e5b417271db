/** Baud rate field: a list of common rates, or a custom rate. */
import { baudRates } from '@wirebench/port';
import { baudField } from '@wirebench/port/port-fields';
import { useId, useState } from 'react';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './port-pane.module.css';
import { isBaudRate } from './terminal-settings.ts';

/** Baud rate of the ESP8266 boot ROM. It assumes a 40 MHz crystal, but boards have 26 MHz. */
const esp8266BootRate = 74_880;

const custom = 'custom';

export interface BaudFieldProps {
  readonly baudRate: number;
  readonly onChange: (baudRate: number) => void;
  /** Called for each valid rate while one is typed. `onChange` follows when the field is left, or for Enter. */
  readonly onType: (baudRate: number) => void;
  /** True: the baud finder is shown below. */
  readonly finds: boolean;
  /** Shows or hides the baud finder. */
  readonly onFind: () => void;
}

/** Text in the custom field, and the rate that was set when it was typed. */
interface Entry {
  readonly text: string;
  readonly rate: number;
}

/** Parses a rate. Returns null if `text` is not a valid rate. */
function readRate(text: string): number | null {
  return /^\d+$/.test(text.trim()) && isBaudRate(Number(text)) ? Number(text) : null;
}

export function BaudField({ baudRate, onChange, onType, finds, onFind }: BaudFieldProps) {
  const [entry, setEntry] = useState<Entry | null>(null);
  const ids = { select: useId(), input: useId(), error: useId() };
  // A rate changed from outside, such as by the baud finder, discards the typed text.
  const current = entry?.rate === baudRate ? entry : null;
  const typing = current !== null || !baudRates.some((rate) => rate === baudRate);
  const typed = current?.text ?? String(baudRate);
  const valid = readRate(typed) !== null;
  const take = (text: string) => {
    const rate = readRate(text);
    setEntry({ text, rate: rate ?? baudRate });
    if (rate !== null) {
      onType(rate);
    }
  };
  const done = () => {
    if (entry !== null && valid) {
      onChange(baudRate);
    }
  };
  return (
    <>
      <div className={styles['row']}>
        <label htmlFor={ids.select} className="silk">
          Baud
        </label>
        <Select
          id={ids.select}
          mono
          value={typing ? custom : baudRate}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value === custom) {
              setEntry({ text: String(baudRate), rate: baudRate });
            } else {
              setEntry(null);
              onChange(Number(value));
            }
          }}
        >
          {baudRates.map((rate) => (
            <option key={rate} value={rate}>
              {rate}
            </option>
          ))}
          <option value={custom}>Custom…</option>
        </Select>
        <button
          type="button"
          className={`link ${styles['under']} ${styles['suggestion']}`}
          aria-expanded={finds}
          onClick={onFind}
        >
          Find the rate…
        </button>
      </div>
      {typing ? (
        <div className={styles['row']}>
          <label htmlFor={ids.input} className="silk">
            Rate
          </label>
          <TextInput
            id={ids.input}
            mono
            inputMode="numeric"
            value={typed}
            autoComplete="off"
            aria-invalid={valid ? undefined : true}
            aria-describedby={valid ? undefined : ids.error}
            onChange={(event) => take(event.currentTarget.value)}
            onBlur={done}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                done();
              }
            }}
          />
          <div id={ids.error} role="alert" className={styles['under']}>
            {valid ? null : (
              <p className={styles['error']}>
                Enter a whole number from {baudField.least} to {baudField.most}.
              </p>
            )}
          </div>
          {baudRate === esp8266BootRate ? null : (
            <button
              type="button"
              className={`link ${styles['under']} ${styles['suggestion']}`}
              onClick={() => {
                take(String(esp8266BootRate));
                onChange(esp8266BootRate);
              }}
            >
              {esp8266BootRate}, ESP8266 boot
            </button>
          )}
        </div>
      ) : null}
    </>
  );
}
