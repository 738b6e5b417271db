/**
 * SoftDevices by firmware ID. Source: Nordic, `pc-nrfutil/nordicsemi/__main__.py` ("--sd-req"), with the state of
 * `listDate`. `npm run lists -- softdevices` compares them with a newer one.
 */
import { hexNumber } from '../core/bytes.ts';
import { notListed } from '../core/published-list.ts';

const listDate = '2023-01-16';

const names: Readonly<Record<number, string>> = {
  [0x0067]: 'S130 1.0.0',
  [0x0080]: 'S130 2.0.0',
  [0x0081]: 'S132 2.0.0',
  [0x0087]: 'S130 2.0.1',
  [0x0088]: 'S132 2.0.1',
  [0x008c]: 'S132 3.0.0',
  [0x0091]: 'S132 3.1.0',
  [0x0095]: 'S132 4.0.0',
  [0x0098]: 'S132 4.0.2',
  [0x0099]: 'S132 4.0.3',
  [0x009d]: 'S132 5.0.0',
  [0x009e]: 'S132 4.0.4',
  [0x009f]: 'S132 4.0.5',
  [0x00a5]: 'S132 5.1.0',
  [0x00a7]: 'S112 6.0.0',
  [0x00a8]: 'S132 6.0.0',
  [0x00a9]: 'S140 6.0.0',
  [0x00ae]: 'S140 6.1.0',
  [0x00af]: 'S132 6.1.0',
  [0x00b0]: 'S112 6.1.0',
  [0x00b6]: 'S140 6.1.1',
  [0x00b7]: 'S132 6.1.1',
  [0x00b8]: 'S112 6.1.1',
  [0x00b9]: 'S340 6.1.1',
  [0x00ba]: 'S332 6.1.1',
  [0x00bc]: 'S212 6.1.1',
  [0x00c1]: 'S140 7.0.0',
  [0x00c2]: 'S132 7.0.0',
  [0x00c3]: 'S113 7.0.0',
  [0x00c4]: 'S112 7.0.0',
  [0x00ca]: 'S140 7.0.1',
  [0x00cb]: 'S132 7.0.1',
  [0x00cc]: 'S113 7.0.1',
  [0x00cd]: 'S112 7.0.1',
  [0x00ea]: 'S122 8.0.0',
  [0x0100]: 'S140 7.2.0',
  [0x0101]: 'S132 7.2.0',
  [0x0102]: 'S113 7.2.0',
  [0x0103]: 'S112 7.2.0',
  [0x0112]: 'S122 8.1.1',
  [0x0123]: 'S140 7.3.0',
  [0x0124]: 'S132 7.3.0',
  [0x0125]: 'S113 7.3.0',
  [0x0126]: 'S112 7.3.0',
};

/** Returns the name for a firmware ID; null for one that Nordic does not list. */
export const softdeviceName = (id: number): string | null => names[id] ?? null;

/** Returns a text for every firmware ID: `S140 7.3.0 (0x0123)`. */
export function softdeviceText(id: number): string {
  const number = hexNumber(id & 0xffff, 4);
  // An application with 0 overwrites the SoftDevice.
  const name = softdeviceName(id);
  return id === 0 ? 'none' : name === null ? `${number} (${notListed(listDate)})` : `${name} (${number})`;
}
