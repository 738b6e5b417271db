/**
 * One register: its bits, its fields, and the changes since the previous read. A flipped bit is written only with
 * Write.
 */
import { hexNumber } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useRun } from '../store/run.ts';
import type { ReadWord } from './read-word.ts';
import styles from './registers-panel.module.css';

interface BitField {
  readonly name: string;
  /** Lowest bit of the field. */
  readonly from: number;
  readonly bits: number;
  /** Meanings of some of its values. */
  readonly values?: ReadonlyMap<number, string>;
}

export interface BitRegister {
  readonly name: string;
  /** Address as text. */
  readonly place: string;
  /** Number of bits: 8, 16, 24 or 32. */
  readonly width: number;
  readonly fields: readonly BitField[];
  readonly access: 'r' | 'w' | 'rw';
  /** Note to read before an access; null for no note. */
  readonly note: string | null;
}

interface RegisterBitsProps {
  readonly register: BitRegister;
  /** Null before the first read. */
  readonly word: ReadWord | null;
  /** Bits to invert with the next write. */
  readonly flips: number;
  readonly onFlips: (flips: number) => void;
  readonly onRead: () => Promise<void>;
  /**
   * @param mask Bits to change.
   * @returns False if the register was not written, because the user declined.
   */
  readonly onWrite: (next: number, mask: number) => Promise<boolean>;
}

const rows = [24, 16, 8, 0];
const places = [7, 6, 5, 4, 3, 2, 1, 0];

export function RegisterBits({ register, word, flips, onFlips, onRead, onWrite }: RegisterBitsProps) {
  const { name, place: address, width, fields, access, note } = register;
  const digits = width / 4;
  const { busy, run } = useRun();
  const now = word?.now ?? 0;
  const next = (now ^ flips) >>> 0;
  const different = word === null || word.before === null ? 0 : (word.now ^ word.before) >>> 0;
  const known = word !== null || access === 'w';
  const bitOf = (value: number, bit: number) => (value >>> bit) & 1;
  const read = () =>
    run(async () => {
      await onRead();
      onFlips(0);
    });
  const write = () =>
    run(async () => {
      if (await onWrite(next, flips >>> 0)) {
        onFlips(0);
      }
    });
  return (
    <div className={styles['detail']}>
      <div className={styles['title']}>
        <span className={styles['address']}>{address}</span> {name}
        <span className={styles['value']}>
          {known ? hexNumber(next, digits) : 'not read'}
          {different === 0 ? null : (
            <span className={styles['was']}>
              <i /> was {hexNumber(word?.before ?? 0, digits)}
            </span>
          )}
        </span>
      </div>
      <fieldset className={styles['bits']} aria-label={`Bits of ${name}`}>
        {rows
          .filter((row) => row < width)
          .map((row) => (
            <div key={row} className={styles['row']}>
              {places.map((place) => {
                const bit = row + place;
                const one = bitOf(next, bit) === 1;
                return (
                  <button
                    key={bit}
                    type="button"
                    aria-pressed={one}
                    disabled={!known || access === 'r'}
                    className={classNames(
                      styles['bit'],
                      one && styles['one'],
                      bitOf(flips, bit) === 1 && styles['flipped'],
                    )}
                    onClick={() => onFlips(flips ^ (1 << bit))}
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
      <div className={`row tight ${styles['write']}`}>
        <Button size="sm" busy={busy} disabled={access === 'w'} onClick={() => void read()}>
          Read
        </Button>
        <Button size="sm" busy={busy} disabled={flips === 0 || !known} onClick={() => void write()}>
          Write
        </Button>
        <span>
          {access === 'r' ? 'It can only be read.' : flips === 0 ? howTo : `${bits(flips)} will change.`}
          {note === null ? '' : ` ${note}`}
        </span>
      </div>
      {fields.length === 0 ? null : (
        <table className={styles['fields']} aria-label={`Fields of ${name}`}>
          <tbody>
            {fields.map((field) => {
              const before = word === null || word.before === null ? null : fieldOf(word.before, field);
              const value = fieldOf(next, field);
              return (
                <tr key={field.name}>
                  <td>{field.bits === 1 ? field.from : `${field.from + field.bits - 1}:${field.from}`}</td>
                  <th scope="row">{field.name}</th>
                  <td className={styles['value']}>
                    {known ? value : ''}
                    {known && field.values?.has(value) ? <span>{field.values.get(value)}</span> : null}
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

const howTo = 'Click a bit to flip it, then write. Written bits are read back.';

const fieldOf = (word: number, { from, bits: size }: BitField) => Math.floor(word / 2 ** from) % 2 ** size;

function bits(word: number): string {
  const count = [...(word >>> 0).toString(2)].filter((digit) => digit === '1').length;
  return count === 1 ? '1 bit' : `${count} bits`;
}
