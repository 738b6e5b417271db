/**
 * Decodes captured levels of a protocol into boxes below the lanes, and lines of a table. Times are nanoseconds;
 * drawing is elsewhere.
 */
import { decodeI2c, decodeSpi, decodeUart, type SpiFormat, type UartFormat, type Wave } from '@wirebench/lab/probe';
import { hexDigits, hexNumber } from '../../../shared/format/hex.ts';

interface I2cDecoder {
  readonly kind: 'i2c';
  readonly sda: number;
  readonly scl: number;
}

interface UartDecoder {
  readonly kind: 'uart';
  readonly pin: number;
  readonly baudRate: number;
  readonly parity: UartFormat['parity'];
  readonly dataBits: 7 | 8;
}

interface SpiDecoder {
  readonly kind: 'spi';
  readonly clk: number;
  /** Null for a pin that was not captured. */
  readonly mosi: number | null;
  readonly miso: number | null;
  readonly cs: number | null;
  readonly mode: SpiFormat['mode'];
}

export type Decoder = I2cDecoder | UartDecoder | SpiDecoder;

/** `mark`: start, stop and acknowledges, in narrow boxes. */
type Tone = 'address' | 'written' | 'read' | 'mark' | 'fault';

interface Box {
  /** In nanoseconds. */
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly tone: Tone;
}

export interface DecodedRow {
  readonly name: string;
  /** Port whose colour is used for the boxes of addresses. */
  readonly port: 1 | 2 | 3;
  readonly boxes: readonly Box[];
}

export interface DecodedLine {
  /** In nanoseconds. */
  readonly at: number;
  readonly protocol: 'I2C' | 'UART' | 'SPI';
  /** Decoded bytes: `0x76 W D0 · R 60`. */
  readonly text: string;
}

export interface Decoded {
  readonly rows: readonly DecodedRow[];
  readonly lines: readonly DecodedLine[];
}

type Waves = ReadonlyMap<number, Wave>;

/** A decoder of a pin that was not captured has nothing to say. */
export function decoded(decoder: Decoder, waves: Waves): Decoded {
  switch (decoder.kind) {
    case 'i2c':
      return i2c(decoder, waves);
    case 'uart':
      return uart(decoder, waves);
    case 'spi':
      return spi(decoder, waves);
  }
}

function i2c({ sda, scl }: I2cDecoder, waves: Waves): Decoded {
  const [clock, data] = [waves.get(scl), waves.get(sda)];
  if (clock === undefined || data === undefined) {
    return { rows: [{ name: 'I2C', port: 1, boxes: [] }], lines: [] };
  }
  const boxes: Box[] = [];
  const lines: { at: number; text: string }[] = [];
  let isRead = false;
  const say = (text: string) => {
    const line = lines.at(-1);
    if (line !== undefined) {
      line.text = `${line.text}${line.text === '' ? '' : ' '}${text}`;
    }
  };
  for (const item of decodeI2c(clock, data)) {
    switch (item.kind) {
      case 'start':
        boxes.push({ ...item, text: 'S', tone: 'mark' });
        lines.push({ at: item.at, text: '' });
        break;
      case 'repeated-start':
        boxes.push({ ...item, text: 'Sr', tone: 'mark' });
        say('·');
        break;
      case 'stop':
        boxes.push({ ...item, text: 'P', tone: 'mark' });
        break;
      case 'stretch':
        boxes.push({ ...item, text: '', tone: 'fault' });
        break;
      case 'incomplete':
        boxes.push({ ...item, text: `${item.bits} bits`, tone: 'fault' });
        say(`(${item.bits} ${item.bits === 1 ? 'bit' : 'bits'} of a byte)`);
        break;
      case 'address': {
        isRead = item.direction === 'read';
        const direction = isRead ? 'R' : 'W';
        boxes.push(...withAcknowledge(item, `${hexDigits(item.address)} ${direction}`, 'address'));
        const begun = lines.at(-1)?.text !== '';
        say(
          `${begun ? '' : `${hexNumber(item.address)} `}${direction}${item.isAcknowledged ? '' : ' (no acknowledge)'}`,
        );
        break;
      }
      case 'data':
        boxes.push(...withAcknowledge(item, hexDigits(item.value), isRead ? 'read' : 'written'));
        // A master does not acknowledge the last byte that it reads, so this is not an error.
        say(`${hexDigits(item.value)}${item.isAcknowledged || isRead ? '' : ' (no acknowledge)'}`);
        break;
    }
  }
  return {
    rows: [{ name: 'I2C', port: 1, boxes }],
    lines: lines.filter(({ text }) => text !== '').map((line) => ({ ...line, protocol: 'I2C' })),
  };
}

/** Returns a box for the eight bits, and one for the acknowledge bit. */
function withAcknowledge(
  { at, end, isAcknowledged }: { readonly at: number; readonly end: number; readonly isAcknowledged: boolean },
  text: string,
  tone: Tone,
): Box[] {
  const middle = at + ((end - at) * 15) / 16;
  return [
    { at, end: middle, text, tone },
    { at: middle, end: middle + (end - at) / 8, text: isAcknowledged ? 'A' : 'N', tone: 'mark' },
  ];
}

function uart({ pin, baudRate, parity, dataBits }: UartDecoder, waves: Waves): Decoded {
  const wave = waves.get(pin);
  const items = wave && baudRate > 0 ? decodeUart(wave, { baudRate, parity, dataBits, stopBits: 1 }) : [];
  const boxes = items.map(({ at, end, value, errors }): Box => {
    const text = errors.includes('break') ? 'break' : hexDigits(value);
    return { at, end, text, tone: errors.length === 0 ? 'read' : 'fault' };
  });
  return {
    rows: [{ name: `UART ${pin}`, port: 2, boxes }],
    lines: items.map(({ at, value, errors }) => ({
      at,
      protocol: 'UART',
      text: [hexDigits(value), character(value), ...errors].filter(Boolean).join(' '),
    })),
  };
}

/** Returns a printable character in quotes; empty for any other value. */
function character(value: number): string {
  return value > 0x20 && value < 0x7f ? `“${String.fromCharCode(value)}”` : '';
}

function spi({ clk, mosi, miso, cs, mode }: SpiDecoder, waves: Waves): Decoded {
  const waveOf = (pin: number | null) => (pin === null ? null : (waves.get(pin) ?? null));
  const clock = waves.get(clk);
  const select = waveOf(cs);
  const items = clock
    ? decodeSpi({ clock, mosi: waveOf(mosi), miso: waveOf(miso), select }, { mode, bitOrder: 'msb-first', wordBits: 8 })
    : [];
  const row = (name: string, line: 'mosi' | 'miso', tone: Tone): DecodedRow => ({
    name,
    port: 3,
    boxes: items.flatMap((item): Box[] => {
      const value = item[line];
      const whole = item.bits === 8;
      return value === null
        ? []
        : [
            {
              at: item.at,
              end: item.end,
              text: whole ? hexDigits(value) : `${item.bits} bits`,
              tone: whole ? tone : 'fault',
            },
          ];
    }),
  });
  const groups: (typeof items)[] = [];
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    const goesOn =
      before !== undefined &&
      (select === null
        ? item.at - before.end < 2 * (before.end - before.at)
        : !select.edges.some((edge) => edge > before.end && edge <= item.at));
    const group = groups.at(-1);
    if (goesOn && group !== undefined) {
      group.push(item);
    } else {
      groups.push([item]);
    }
  }
  const bytes = (group: typeof items, line: 'mosi' | 'miso') =>
    group.map((item) => (item[line] === null ? '–' : hexDigits(item[line]))).join(' ');
  return {
    rows: [row('MOSI', 'mosi', 'written'), row('MISO', 'miso', 'read')],
    lines: groups.map((group) => ({
      at: group[0]?.at ?? 0,
      protocol: 'SPI',
      text: `${bytes(group, 'mosi')} · R ${bytes(group, 'miso')}`,
    })),
  };
}
