/** The rates of the list, and any other one typed. */
import { baudRates } from '@wirebench/serial';
import { useId, useState } from 'react';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './port-pane.module.css';
import { highestBaudRate, isBaudRate } from './terminal-settings.ts';

/** What the boot code of an ESP8266 talks at: its crystal is 26 MHz where 40 was meant. */
const esp8266BootRate = 74_880;

const custom = 'custom';

export interface BaudFieldProps {
  readonly baudRate: number;
  readonly onChange: (baudRate: number) => void;
}

export function BaudField({ baudRate, onChange }: BaudFieldProps) {
  const listed = baudRates.some((rate) => rate === baudRate);
  const [typing, setTyping] = useState(!listed);
  const [typed, setTyped] = useState(String(baudRate));
  const ids = { select: useId(), input: useId(), error: useId() };
  const valid = /^\d+$/.test(typed.trim()) && isBaudRate(Number(typed));
  const take = (text: string) => {
    setTyped(text);
    if (/^\d+$/.test(text.trim()) && isBaudRate(Number(text))) {
      onChange(Number(text));
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
            setTyping(value === custom);
            if (value === custom) {
              setTyped(String(baudRate));
            } else {
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
          />
          <div id={ids.error} role="alert" className={styles['under']}>
            {valid ? null : <p className={styles['error']}>Enter a whole number from 1 to {highestBaudRate}.</p>}
          </div>
          {baudRate === esp8266BootRate ? null : (
            <button
              type="button"
              className={`link ${styles['under']} ${styles['suggestion']}`}
              onClick={() => take(String(esp8266BootRate))}
            >
              {esp8266BootRate}, ESP8266 boot
            </button>
          )}
        </div>
      ) : null}
    </>
  );
}
