/** One register: its bits to flip, its fields, and what is different from the last read. A flipped bit waits for Write. */
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import type { RegisterFacts } from '../../../workbench/lab/lab-protocol.ts';
import { hex } from '../quantities.ts';
import { useRun } from '../store/run.ts';
import { fieldOf, readRegisters, useWords, writeRegister } from './register-store.ts';
import styles from './registers-panel.module.css';

const rows = [24, 16, 8, 0];
const places = [7, 6, 5, 4, 3, 2, 1, 0];

export function RegisterBits({ register }: { readonly register: RegisterFacts }) {
  const { name, address, fields, readTakes, writeOnly } = register;
  const word = useWords().get(address);
  /** Bits that are to be the other way round. */
  const [flips, setFlips] = useState(0);
  const { busy, run } = useRun();
  const now = word?.now ?? 0;
  const next = (now ^ flips) >>> 0;
  const different = word === undefined || word.before === null ? 0 : (word.now ^ word.before) >>> 0;
  const known = word !== undefined || writeOnly;
  const bitOf = (value: number, bit: number) => (value >>> bit) & 1;
  const read = () =>
    run(async () => {
      await readRegisters([register]);
      setFlips(0);
    });
  const write = () =>
    run(async () => {
      await writeRegister(address, next, flips >>> 0);
      setFlips(0);
    });
  return (
    <div className={styles['detail']}>
      <div className={styles['title']}>
        <span className={styles['address']}>{hex(address, 8)}</span> {name}
        <span className={styles['value']}>
          {known ? hex(next, 8) : 'not read'}
          {different === 0 ? null : (
            <span className={styles['was']}>
              <i /> was {hex(word?.before ?? 0, 8)}
            </span>
          )}
        </span>
      </div>
      <fieldset className={styles['bits']} aria-label={`Bits of ${name}`}>
        {rows.map((row) => (
          <div key={row} className={styles['row']}>
            {places.map((place) => {
              const bit = row + place;
              const one = bitOf(next, bit) === 1;
              return (
                <button
                  key={bit}
                  type="button"
                  aria-pressed={one}
                  disabled={!known}
                  className={classNames(
                    styles['bit'],
                    one && styles['one'],
                    bitOf(flips, bit) === 1 && styles['flipped'],
                  )}
                  onClick={() => setFlips(flips ^ (1 << bit))}
                >
                  <span className="visually-hidden">
                    Bit {bit}
                    {bitOf(different, bit) ? ', changed' : ''}
                  </span>
                  <span aria-hidden="true">{known ? Number(one) : '·'}</span>
                  <small aria-hidden="true">
                    {bit}
                    {bitOf(different, bit) ? <i /> : null}
                  </small>
                </button>
              );
            })}
          </div>
        ))}
      </fieldset>
      <div className={styles['write']}>
        <Button size="sm" busy={busy} disabled={writeOnly} onClick={() => void read()}>
          Read
        </Button>
        <Button size="sm" busy={busy} disabled={flips === 0 || !known} onClick={() => void write()}>
          Write
        </Button>
        <span>
          {flips === 0
            ? 'Click a bit to flip it, then write. Written bits are read back.'
            : `${bits(flips)} will change.`}
          {readTakes ? ' Reading this register changes it.' : ''}
        </span>
      </div>
      {fields.length === 0 ? null : (
        <table className={styles['fields']} aria-label={`Fields of ${name}`}>
          <tbody>
            {fields.map((field) => {
              const before = word === undefined || word.before === null ? null : fieldOf(word.before, field);
              const value = fieldOf(next, field);
              return (
                <tr key={field.name}>
                  <td>{field.bits === 1 ? field.from : `${field.from + field.bits - 1}:${field.from}`}</td>
                  <th scope="row">{field.name}</th>
                  <td className={styles['value']}>
                    {known ? value : ''}
                    {before === null || before === fieldOf(now, field) ? null : (
                      <span className={styles['was']}>
                        <i /> was {before}
                      </span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </div>
  );
}

function bits(word: number): string {
  const count = [...(word >>> 0).toString(2)].filter((digit) => digit === '1').length;
  return count === 1 ? '1 bit' : `${count} bits`;
}
