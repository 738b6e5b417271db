/** Four UART lines in the look of an oscilloscope with a decoder. The text above each frame is its decoded value. */
import { frameBits, uartTrace } from '../../shared/drawing/uart-trace.ts';
import { hexDigits } from '../../shared/format/hex.ts';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import styles from './scope.module.css';

const HEIGHT = 136;
const SCALE = { high: 67, low: 107 };
const BRACKET = 52;

interface Lane {
  readonly port: 1 | 2 | 3 | 4;
  readonly name: string;
  readonly settings: string;
  readonly bytes: Uint8Array;
  /** Width of one bit, and of the idle line before the first frame and after each frame, in px. */
  readonly bit: number;
  readonly idle: number;
  readonly gap: number;
  /** True: shown as hex in place of characters. */
  readonly hex: boolean;
}

const utf8 = (text: string) => new TextEncoder().encode(text);

const lanes: readonly Lane[] = [
  {
    port: 1,
    name: 'Gateway',
    settings: '115200 8N1',
    bytes: utf8('Wirebench ready\r\n> '),
    bit: 8.6,
    idle: 60,
    gap: 20,
    hex: false,
  },
  {
    port: 2,
    name: 'GNSS',
    settings: '38400 8N1',
    bytes: utf8('$GNGGA,123519.00,4807.038,N'),
    bit: 9.8,
    idle: 168,
    gap: 29,
    hex: false,
  },
  {
    port: 3,
    name: 'Modbus',
    settings: '9600 8N1',
    // A Modbus answer: a holding register with the value 250, and its CRC (MODBUS over serial line V1.02, section
    // 2.5.1.2).
    bytes: Uint8Array.of(0x01, 0x03, 0x02, 0x00, 0xfa, 0x38, 0x07),
    bit: 13.5,
    idle: 290,
    gap: 26,
    hex: true,
  },
  {
    port: 4,
    name: 'Modem',
    settings: '57600 8N1',
    bytes: utf8('AT+GMR\r\nOK\r\n'),
    bit: 11.3,
    idle: 30,
    gap: 67,
    hex: false,
  },
];

const shownAs: Readonly<Record<number, string>> = { 10: '\\n', 13: '\\r', 32: 'SP' };

function labelOf(byte: number, hex: boolean): string {
  return hex ? hexDigits(byte) : (shownAs[byte] ?? String.fromCharCode(byte));
}

export function Scope() {
  return (
    <div
      className={styles['scope']}
      role="img"
      aria-label="Four serial lines, each with its waveform and the characters that it carries"
    >
      {lanes.map((lane) => (
        <div key={lane.port} className={styles['lane']} data-port={lane.port}>
          <div className={styles['label']}>
            <PortFlag port={lane.port} />
            <span>
              <b>{lane.name}</b>
              <small>{lane.settings}</small>
            </span>
          </div>
          <div className={styles['wire']}>
            <Wire lane={lane} />
          </div>
        </div>
      ))}
    </div>
  );
}

function Wire({ lane: { bytes, bit, idle, gap, hex } }: { readonly lane: Lane }) {
  const { path, width } = uartTrace(bytes, { bit, idle, gap, ...SCALE });
  const frame = frameBits(0).length * bit;
  return (
    <svg
      viewBox={`0 0 ${width + 4_000} ${HEIGHT}`}
      width={width + 4_000}
      height={HEIGHT}
      fill="none"
      aria-hidden="true"
    >
      <path d={`${path}H${width + 4_000}`} className={styles['line']} />
      {Array.from(bytes, (byte, index) => {
        const start = idle + index * (frame + gap);
        const middle = start + frame / 2;
        return (
          // The position is the only unique key of a frame.
          <g key={start}>
            <path
              d={`M${start} ${BRACKET - 5}v10M${start} ${BRACKET}H${middle - 16}M${middle + 16} ${BRACKET}H${start + frame}M${start + frame} ${BRACKET - 5}v10`}
              className={styles['bracket']}
            />
            <text x={middle} y={BRACKET + 6} textAnchor="middle" className={styles['character']}>
              {labelOf(byte, hex)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
