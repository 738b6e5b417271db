/** Bytes of any device by register number, read one by one, with the changes since the previous read. */
import { ListTree } from 'lucide-react';
import { useId } from 'react';
import { hexDigits, hexNumber } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import panel from '../panel.module.css';
import { parseHex } from '../quantities.ts';
import { useDraft } from '../store/drafts.ts';
import { tell } from '../store/run.ts';
import { type MapByte, useRegisterMap } from './device-store.ts';
import { readRegisterMap } from './read-map.ts';
import styles from './register-map.module.css';

const digits = Array.from({ length: 16 }, (_, index) => index);

export function RegisterMap({ address }: { readonly address: number }) {
  const [from, setFrom] = useDraft(`map ${address} from`, '00');
  const [to, setTo] = useDraft(`map ${address} to`, 'FF');
  const { bytes, reading, outcome } = useRegisterMap(address);
  const busy = reading !== null;
  const id = useId();
  const first = parseHex(from, 0xff);
  const last = parseHex(to, 0xff);
  const canRead = first !== null && last !== null && first <= last;
  const read = () => {
    if (canRead) {
      void tell(() => readRegisterMap(address, { first, last }));
    }
  };
  const rows = digits.filter((row) => [...bytes.keys()].some((register) => register >> 4 === row));
  return (
    <section aria-label="Register map" className={styles['map']}>
      <div className={panel['form']}>
        <div className={panel['field']}>
          <label htmlFor={`${id}-from`} className="silk">
            Registers from
          </label>
          <TextInput
            id={`${id}-from`}
            mono
            className={styles['short']}
            value={from}
            aria-invalid={first === null ? true : undefined}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </div>
        <div className={panel['field']}>
          <label htmlFor={`${id}-to`} className="silk">
            to
          </label>
          <TextInput
            id={`${id}-to`}
            mono
            className={styles['short']}
            value={to}
            aria-invalid={last === null ? true : undefined}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </div>
        <Button size="sm" icon={<ListTree />} busy={busy} disabled={!canRead} onClick={read}>
          Read the map
        </Button>
        {reading === null ? null : (
          <Button size="sm" onClick={() => reading.abort()}>
            Cancel
          </Button>
        )}
      </div>
      <p className={panel['note']}>
        Reading may have side effects: the number of each register is written first, and some devices act on that, or
        clear flags and queues when they are read.
      </p>
      <p className={panel['note']} role="status">
        {busy ? `${hexNumber(address)}: ${bytes.size} read` : outcome}
      </p>
      {rows.length === 0 ? null : (
        <table className={styles['grid']} aria-label={`Registers of ${hexNumber(address)}`}>
          <thead>
            <tr>
              <td />
              {digits.map((digit) => (
                <th key={digit} scope="col">
                  {hexDigits(digit, 1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row">{hexDigits(row * 16)}</th>
                {digits.map((digit) => (
                  <Cell key={digit} byte={bytes.get(row * 16 + digit)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Cell({ byte }: { readonly byte: MapByte | undefined }) {
  if (byte === undefined) {
    return <td />;
  }
  if (byte.now === null) {
    return (
      <td className={styles['refused']} title="not acknowledged">
        --
      </td>
    );
  }
  const isChanged = byte.before !== null && byte.before !== byte.now;
  const was = isChanged ? `was ${hexDigits(byte.before ?? 0)}` : undefined;
  return (
    <td className={classNames(isChanged && styles['changed'])} title={was}>
      {hexDigits(byte.now)}
      {was === undefined ? null : <span className="visually-hidden">, {was}</span>}
    </td>
  );
}
