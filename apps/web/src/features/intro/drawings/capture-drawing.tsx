/** A captured and decoded transfer on the bus: register 0xD0 of a BME280 is read and contains 0x60. */
import { edgePath, type I2cPart, i2cTrace, i2cWidth } from '../../../shared/drawing/i2c-trace.ts';
import { hexDigits, hexNumber } from '../../../shared/format/hex.ts';
import styles from './capture-drawing.module.css';
import { Drawing } from './drawing.tsx';

/** The 7-bit address and the chip's ID register (Bosch BME280 data sheet, sections 6.2 and 5.4.1). */
const BME280 = { address: 0x76, idRegister: 0xd0, id: 0x60 };

interface ShownPart {
  readonly part: I2cPart;
  readonly text: string;
  readonly look: 'mark' | 'address' | 'written' | 'read';
}

const byte = (value: number, acknowledged = true): I2cPart => ({ kind: 'byte', value, acknowledged });

/** The lowest bit of an address byte is the direction: 1 for a read (UM10204, section 3.1.10). */
const shown: readonly ShownPart[] = [
  { part: { kind: 'start' }, text: 'S', look: 'mark' },
  { part: byte(BME280.address << 1), text: `${hexDigits(BME280.address)} W`, look: 'address' },
  { part: byte(BME280.idRegister), text: hexDigits(BME280.idRegister), look: 'written' },
  { part: { kind: 'restart' }, text: 'Sr', look: 'mark' },
  { part: byte((BME280.address << 1) | 1), text: `${hexDigits(BME280.address)} R`, look: 'address' },
  { part: byte(BME280.id, false), text: hexDigits(BME280.id), look: 'read' },
  { part: { kind: 'stop' }, text: 'P', look: 'mark' },
];

const BIT = 10;
const HEIGHT = 30;
const levels = { bit: BIT, high: 5, low: HEIGHT - 5 };

const { scl, sda, width } = i2cTrace(shown.map(({ part }) => part));

const lanes = [
  { name: 'SDA', pin: 21, path: edgePath(sda, width, levels) },
  { name: 'SCL', pin: 22, path: edgePath(scl, width, levels) },
];

/** The acknowledge has its own box after its byte. */
const boxes = shown.flatMap(({ part, text, look }, index) => {
  const box = { key: index * 2, bits: i2cWidth(part), text, look };
  return part.kind === 'byte'
    ? [
        { ...box, bits: 8 },
        { key: index * 2 + 1, bits: 1, text: part.acknowledged ? 'A' : 'N', look: 'mark' as const },
      ]
    : [box];
});

export function CaptureDrawing() {
  return (
    <Drawing
      label={`A captured I2C transfer: ${hexNumber(BME280.address)} is asked for register ${hexNumber(BME280.idRegister)} and answers ${hexNumber(BME280.id)}`}
    >
      <div className={styles['head']}>
        <b>Logic capture</b>
        <span>
          {hexNumber(BME280.address)} W {hexDigits(BME280.idRegister)} · R {hexDigits(BME280.id)}
        </span>
      </div>
      <div className={styles['lanes']} data-port-colour="1">
        {lanes.map(({ name, pin, path }) => (
          <div key={name} className={styles['lane']}>
            <span className={styles['pin']}>
              {name} {pin}
            </span>
            <svg viewBox={`0 0 ${width * BIT} ${HEIGHT}`} preserveAspectRatio="none" fill="none" aria-hidden="true">
              <path d={path} />
            </svg>
          </div>
        ))}
        <div className={styles['lane']}>
          <span className={styles['pin']}>I2C</span>
          <div
            className={styles['boxes']}
            style={{ gridTemplateColumns: boxes.map(({ bits }) => `minmax(0, ${bits}fr)`).join(' ') }}
          >
            {boxes.map(({ key, text, look }) => (
              <span key={key} className={styles[look]}>
                {text}
              </span>
            ))}
          </div>
        </div>
      </div>
    </Drawing>
  );
}
