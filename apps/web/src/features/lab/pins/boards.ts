/**
 * Layouts of boards: the pads of both sides from the antenna down. A chip does not report its board, so the picture
 * shows Espressif's own board with this chip. Sources: ESP32-DevKitC V4 and ESP32-C3-DevKitM-1 getting started
 * guides, header block.
 */
import type { LabChipName } from '@wirebench/lab';

export interface BoardPad {
  /** Name printed on the board. */
  readonly name: string;
  /** Null for power, ground and reset. */
  readonly gpio: number | null;
}

export interface BoardLayout {
  readonly name: string;
  readonly module: readonly [chip: string, name: string];
  readonly left: readonly BoardPad[];
  readonly right: readonly BoardPad[];
  /** Names printed beside the USB port. */
  readonly buttons: readonly [left: string, right: string];
}

const pad = (name: string | number, gpio: number | null = typeof name === 'number' ? name : null): BoardPad => ({
  name: String(name),
  gpio,
});

const devKitC: BoardLayout = {
  name: 'ESP32-DevKitC V4',
  module: ['ESP32', 'WROOM-32E'],
  buttons: ['EN', 'BOOT'],
  left: [
    pad('3V3'),
    pad('EN'),
    pad('VP', 36),
    pad('VN', 39),
    pad(34),
    pad(35),
    pad(32),
    pad(33),
    pad(25),
    pad(26),
    pad(27),
    pad(14),
    pad(12),
    pad('GND'),
    pad(13),
    pad('D2', 9),
    pad('D3', 10),
    pad('CMD', 11),
    pad('5V'),
  ],
  right: [
    pad('GND'),
    pad(23),
    pad(22),
    pad('TX', 1),
    pad('RX', 3),
    pad(21),
    pad('GND'),
    pad(19),
    pad(18),
    pad(5),
    pad(17),
    pad(16),
    pad(4),
    pad(0),
    pad(2),
    pad(15),
    pad('D1', 8),
    pad('D0', 7),
    pad('CLK', 6),
  ],
};

const devKitM: BoardLayout = {
  name: 'ESP32-C3-DevKitM-1',
  module: ['ESP32-C3', 'MINI-1'],
  buttons: ['BOOT', 'RST'],
  left: [
    pad('GND'),
    pad('3V3'),
    pad('3V3'),
    pad(2),
    pad(3),
    pad('GND'),
    pad('RST'),
    pad('GND'),
    pad(0),
    pad(1),
    pad(10),
    pad('GND'),
    pad('5V'),
    pad('5V'),
    pad('GND'),
  ],
  right: [
    pad('GND'),
    pad('TX', 21),
    pad('RX', 20),
    pad('GND'),
    pad(9),
    pad(8),
    pad('GND'),
    pad(7),
    pad(6),
    pad(5),
    pad(4),
    pad('GND'),
    pad(18),
    pad(19),
    pad('GND'),
  ],
};

export const boards = { esp32: devKitC, esp32c3: devKitM } satisfies Record<LabChipName, BoardLayout>;

/**
 * Returns the next pad with a GPIO in the direction of a key: along its side, or on the other side. Undefined at the
 * end of a side.
 */
export function neighbour({ left, right }: BoardLayout, gpio: number, key: string): number | undefined {
  const side = left.some((one) => one.gpio === gpio) ? left : right;
  const other = side === left ? right : left;
  const at = side.findIndex((one) => one.gpio === gpio);
  const pins = side.flatMap((one) => one.gpio ?? []);
  switch (key) {
    case 'ArrowUp':
      return pins[pins.indexOf(gpio) - 1];
    case 'ArrowDown':
      return pins[pins.indexOf(gpio) + 1];
    case 'ArrowLeft':
    case 'ArrowRight':
      return (key === 'ArrowLeft') === (side === right) ? nearest(other, at) : undefined;
    case 'Home':
      return pins[0];
    case 'End':
      return pins.at(-1);
    default:
      return undefined;
  }
}

/** Returns the GPIO of the pad that is nearest to a row. */
function nearest(side: readonly BoardPad[], row: number): number | undefined {
  const rows = side.flatMap(({ gpio }, index) => (gpio === null ? [] : [{ gpio, away: Math.abs(index - row) }]));
  return rows.toSorted((one, two) => one.away - two.away)[0]?.gpio;
}
