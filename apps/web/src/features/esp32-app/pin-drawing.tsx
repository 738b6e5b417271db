/** Draws a development board with an ESP32-WROOM-32E and some of its pins in use, as an example. */
import styles from './pin-drawing.module.css';

/** Uses of pins. `colour` is the number of the port colour that the pin is drawn in. */
const uses: Readonly<Record<string, { readonly name: string; readonly colour: 1 | 2 | 3 | 4 }>> = {
  '34': { name: 'ADC', colour: 4 },
  '23': { name: 'MOSI', colour: 3 },
  '22': { name: 'SCL', colour: 1 },
  '21': { name: 'SDA', colour: 1 },
  '19': { name: 'MISO', colour: 3 },
  '18': { name: 'SCK', colour: 3 },
  '17': { name: 'TX2', colour: 2 },
  '16': { name: 'RX2', colour: 2 },
};

/** Pins of both sides from the antenna down (ESP32-DevKitC V4, 30-pin boards). */
const sides = [
  {
    x: 42,
    text: 54,
    use: 32,
    anchor: 'start',
    useAnchor: 'end',
    pins: ['3V3', 'EN', '36', '39', '34', '35', '32', '33', '25', '26', '27', '14', '12', '13', 'GND'],
  },
  {
    x: 194,
    text: 182,
    use: 204,
    anchor: 'end',
    useAnchor: 'start',
    pins: ['GND', '23', '22', 'TX', 'RX', '21', '19', '18', '5', '17', '16', '4', '0', '2', '15'],
  },
] as const;

const buttons = [
  { name: 'EN', x: 102 },
  { name: 'BOOT', x: 136 },
] as const;

const FIRST = 46;
const PITCH = 22.8;

export function PinDrawing() {
  return (
    <svg
      viewBox="0 0 236 418"
      className={styles['board']}
      role="img"
      aria-label="An ESP32 board with eight pins in use"
    >
      <rect x="30" y="18" width="176" height="384" rx="5" className={styles['pcb']} />
      <rect x="82" y="22" width="72" height="104" rx="1" className={styles['part']} />
      <path d="M88 30h60v14h-8v-8h-8v8h-8v-8h-8v8h-8v-8h-8v8h-8v-8h-12" className={styles['antenna']} />
      <text x="118" y="84" textAnchor="middle" className={styles['chip']}>
        ESP32
      </text>
      {buttons.map(({ name, x }) => (
        <g key={name}>
          <text x={x} y="344" textAnchor="middle" className={styles['name']}>
            {name}
          </text>
          <rect x={x - 8} y="350" width="16" height="14" rx="2" className={styles['part']} />
          <circle cx={x} cy="357" r="3.5" className={styles['free']} />
        </g>
      ))}
      <rect x="98" y="384" width="40" height="22" rx="2" className={styles['part']} />
      {sides.map(({ x, text, use, anchor, useAnchor, pins }) =>
        pins.map((pin, index) => {
          const y = FIRST + index * PITCH;
          const used = uses[pin];
          return (
            <g key={`${x} ${pin}`} data-port={used?.colour}>
              <circle cx={x} cy={y} r="5" className={used === undefined ? styles['free'] : styles['used']} />
              <text x={text} y={y + 4} textAnchor={anchor} className={styles['name']}>
                {pin}
              </text>
              {used === undefined ? null : (
                <text x={use} y={y + 4} textAnchor={useAnchor} className={styles['use']}>
                  {used.name}
                </text>
              )}
            </g>
          );
        }),
      )}
    </svg>
  );
}
