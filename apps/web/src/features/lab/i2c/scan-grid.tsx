/** All 128 addresses in eight rows of sixteen, like `i2cdetect`. Addresses that answer are buttons. */
import { hexDigits, hexNumber } from '../../../shared/format/hex.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { nameOf } from '../devices/certainty.ts';
import { useDevices } from '../devices/device-store.ts';
import { selectDevice } from '../store/lab-actions.ts';
import styles from './scan-grid.module.css';

/** First usable address. Those below it and above 0x77 are reserved (UM10204, section 3.1.12). */
const first = 0x08;

const rows = Array.from({ length: 8 }, (_, index) => index * 16);
const columns = Array.from({ length: 16 }, (_, index) => index);

export interface ScanGridProps {
  readonly found: readonly number[];
  /** Number of addresses that the last scan has asked, from `first` on. */
  readonly asked: number;
  readonly selected: number | null;
}

export function ScanGrid({ found, asked, selected }: ScanGridProps) {
  const identities = useDevices((state) => state.identities);
  const wasAsked = (address: number) => address >= first && address < first + asked;
  return (
    <table className={styles['grid']} aria-label="Addresses on the bus">
      <thead>
        <tr>
          <td />
          {columns.map((column) => (
            <th key={column} scope="col">
              {hexDigits(column, 1)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            <th scope="row">{hexDigits(row)}:</th>
            {columns.map((column) => {
              const address = row + column;
              const best = identities.get(address)?.offers[0];
              return (
                <td key={column}>
                  {!found.includes(address) ? (
                    wasAsked(address) ? (
                      '--'
                    ) : (
                      ''
                    )
                  ) : (
                    <button
                      type="button"
                      className={classNames(styles['found'], selected === address && styles['selected'])}
                      aria-pressed={selected === address}
                      onClick={() => selectDevice(address)}
                    >
                      <span aria-hidden="true">{hexDigits(address)}</span>
                      <span className="visually-hidden">
                        {best === undefined ? hexNumber(address) : `${hexNumber(address)}, ${nameOf(best)}`}
                      </span>
                    </button>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
