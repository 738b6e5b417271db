/** Draws an I2C scan and one register as an example, with the usual addresses of three common chips. */
import { hexDigits, hexNumber } from '../../shared/format/hex.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './scan-drawing.module.css';

/** Usual 7-bit addresses from the vendors' datasheets (SSD1306, DS3231, BME280 with SDO low). */
const found = [
  { address: 0x3c, name: 'SSD1306 display' },
  { address: 0x68, name: 'DS3231 clock' },
  { address: 0x76, name: 'BME280 sensor' },
];

const columns = Array.from({ length: 16 }, (_, column) => column);
const rows = Array.from({ length: 8 }, (_, row) => row);

/**
 * Returns true for addresses that devices may have (I2C-bus specification UM10204, section 3.1.12). The rest is
 * reserved.
 */
const isUsable = (address: number) => address >= 0x08 && address <= 0x77;

export function ScanDrawing() {
  return (
    <figure className={`card ${styles['card']}`}>
      <figcaption className={styles['head']}>
        <b>I2C scan</b>
        <span className="mono">SDA 21 SCL 22</span>
        <Badge tone="success">3 found</Badge>
      </figcaption>
      <table className={styles['scan']} aria-label="Addresses that answer">
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
              <th scope="row">{hexDigits(row * 16)}:</th>
              {columns.map((column) => {
                const address = row * 16 + column;
                const answers = found.some((device) => device.address === address);
                return (
                  <td key={column} className={classNames(answers && styles['answers'])}>
                    {answers ? hexDigits(address) : isUsable(address) ? '--' : ''}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={styles['found']}>
        {found.map(({ address, name }) => (
          <li key={address}>
            <span className="mono">{hexNumber(address)}</span> {name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** `ctrl_meas` of a BME280 (Bosch BME280 datasheet, section 5.4.5), highest bit first: 0x57. */
const CTRL_MEAS = 0x57;
const bits = [7, 6, 5, 4, 3, 2, 1, 0].map((place) => ({ place, value: (CTRL_MEAS >> place) & 1 }));
const fields = ['osrs_t ×2', 'osrs_p ×16', 'normal'];

export function RegisterDrawing() {
  return (
    <figure className={`card ${styles['card']}`}>
      <figcaption className={styles['head']}>
        <b>BME280</b>
        <span className="mono">0xF4 ctrl_meas</span>
        <span className="mono">0x57</span>
      </figcaption>
      <div className={styles['bits']}>
        {bits.map(({ place, value }) => (
          <div key={place} className={classNames(value === 1 && styles['one'])}>
            {value}
            <small>{place}</small>
          </div>
        ))}
      </div>
      <div className={styles['fields']}>
        {fields.map((field) => (
          <span key={field}>{field}</span>
        ))}
      </div>
    </figure>
  );
}
