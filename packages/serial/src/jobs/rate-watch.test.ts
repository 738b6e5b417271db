import { describe, expect, it } from 'vitest';
import type { RateSign } from './rate-sign.ts';
import { RateWatch } from './rate-watch.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Bits of text as a UART sends it, back to back. */
function wire(text: string, bits = 8): number[] {
  return [...utf8(text)].flatMap((byte) => [0, ...Array.from({ length: bits }, (_, bit) => (byte >> bit) & 1), 1]);
}

/**
 * Reads text that is sent at `sent` baud with a UART at `read` baud, as the hardware does: the middle of each bit after the
 * edge of a start bit. A frame without a stop bit is a byte nevertheless, as Linux passes it on.
 */
function readAt(text: string, sent: number, read: number): Uint8Array {
  const line = wire(text);
  const at = (time: number) => line[Math.floor(time * sent)] ?? 1;
  const bytes: number[] = [];
  const end = line.length / sent;
  const step = 1 / (sent * 8);
  for (let time = 0; time < end; ) {
    if (at(time) === 1) {
      time += step;
      continue;
    }
    const byte = Array.from({ length: 8 }, (_, bit) => at(time + (bit + 1.5) / read) << bit).reduce((a, b) => a | b, 0);
    bytes.push(byte);
    time += 9.5 / read;
    // Until the line is idle again, unless the stop bit was there.
    while (time < end && at(time) === 0) {
      time += step;
    }
  }
  return Uint8Array.from(bytes);
}

const text = Array.from(
  { length: 60 },
  (_, line) => `[${line * 250}] temperature ${20 + (line % 7)}.5 C, humidity ${40 + line} %\r\n`,
).join('');

function signOf(bytes: Uint8Array, size = 16): RateSign | null {
  const watch = new RateWatch();
  for (let at = 0; at < bytes.length; at += size) {
    watch.received(bytes.slice(at, at + size), at);
  }
  return watch.sign;
}

/** Text with a parity bit in bit 7. */
const withParity = (odd: 0 | 1) =>
  utf8(text).map((byte) => byte | ((byte.toString(2).replaceAll('0', '').length + odd) % 2 === 1 ? 0x80 : 0));

describe('first bytes after a connection', () => {
  it.each([
    [9_600, 115_200],
    [19_200, 115_200],
    [57_600, 115_200],
    [74_880, 115_200],
    [9_600, 57_600],
    [115_200, 9_600],
    [115_200, 74_880],
    [230_400, 115_200],
  ])('tell a wrong rate: sent at %d, read at %d baud', (sent, read) => {
    const sign = signOf(readAt(text.repeat(12), sent, read));
    expect(sign?.kind).toBe('rate');
  });

  it('tell a wrong rate by the first 100 bytes', () => {
    const bytes = readAt(text, 9_600, 115_200);
    const watch = new RateWatch();
    expect(watch.received(bytes.slice(0, 99), 0)).toBe(false);
    expect(watch.received(bytes.slice(99, 100), 1)).toBe(true);
    expect(watch.sign).toMatchObject({ kind: 'rate' });
  });

  it('tell a wrong rate of a board that says little', () => {
    const bytes = readAt(text, 9_600, 115_200);
    const watch = new RateWatch();
    watch.received(bytes.slice(0, 20), 0);
    expect(watch.sign).toBeNull();
    watch.received(bytes.slice(20, 40), 10_000);
    expect(watch.sign?.kind).toBe('rate');
  });

  it('say nothing of text, in any language and with colours', () => {
    expect(signOf(utf8(text))).toBeNull();
    expect(signOf(utf8('Température 21,5 °C, humidité 40 %\r\n'.repeat(20)))).toBeNull();
    expect(signOf(utf8('温度は21.5度です。湿度は40%です。\r\n'.repeat(20)))).toBeNull();
    expect(signOf(utf8('\x1b[0;32mI (26) boot: ESP-IDF v5.3.1\x1b[0m\r\n'.repeat(20)))).toBeNull();
  });

  it('are right once text follows, as after the boot text of an ESP8266', () => {
    const boot = readAt(
      'ets Jan  8 2013,rst cause:2, boot mode:(3,6)\r\n\r\nload 0x4010f000, len 1384\r\n'.repeat(3),
      74_880,
      115_200,
    );
    const watch = new RateWatch();
    watch.received(boot, 0);
    expect(watch.sign?.kind).toBe('rate');
    expect(watch.received(utf8(text), 1)).toBe(true);
    expect(watch.sign).toBeNull();
    watch.received(boot, 3);
    expect(watch.sign).toBeNull();
  });

  it('tell 7 data bits, with the text as the proof', () => {
    expect(signOf(withParity(0))).toMatchObject({
      kind: 'bits',
      settings: { dataBits: 7, parity: 'even', stopBits: 1 },
      sample: expect.stringContaining('temperature'),
    });
    expect(signOf(withParity(1))).toMatchObject({ settings: { dataBits: 7, parity: 'odd', stopBits: 1 } });
    const marked = utf8(text).map((byte) => byte | 0x80);
    expect(signOf(marked)).toMatchObject({ settings: { dataBits: 7, parity: 'none', stopBits: 2 } });
  });

  it('say nothing of binary protocols', () => {
    const ubx = [0xb5, 0x62, 0x01, 0x07, 0x5c, 0, ...Array.from({ length: 94 }, (_, at) => (at * 37) & 0xff)];
    expect(signOf(Uint8Array.from([...ubx, ...ubx, ...ubx]))).toBeNull();
    const mavlink = (length: number) => [
      0xfd,
      length,
      ...Array.from({ length: length + 10 }, (_, at) => (at * 91) & 0xff),
    ];
    expect(signOf(Uint8Array.from([mavlink(9), mavlink(28), mavlink(12), mavlink(40), mavlink(60)].flat()))).toBeNull();
    // Reads ten registers of unit 1 (Modbus Application Protocol, 6.3).
    const watch = new RateWatch();
    watch.received(Uint8Array.of(1, 3, 0, 0, 0, 0x0a, 0xc5, 0xcd), 0);
    watch.received(
      Uint8Array.from({ length: 300 }, (_, at) => (at * 151) & 0xff),
      1,
    );
    expect(watch.sign).toBeNull();
  });

  it('begin again with each connection', () => {
    const watch = new RateWatch();
    watch.received(utf8(text), 0);
    watch.reset();
    watch.received(readAt(text, 9_600, 115_200), 1);
    expect(watch.sign?.kind).toBe('rate');
  });
});
