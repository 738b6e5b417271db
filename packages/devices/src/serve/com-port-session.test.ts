import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UartSettings } from '../wire/link.ts';
import { ComPortSession } from './com-port-session.ts';

function session() {
  const data: number[] = [];
  const replies: number[] = [];
  const settings: UartSettings[] = [];
  const lines: object[] = [];
  let discarded = 0;
  const port = new ComPortSession({
    data: (bytes) => data.push(...bytes),
    reply: (bytes) => replies.push(...bytes),
    settings: (value) => settings.push(value),
    lines: (value) => lines.push(value),
    discard: () => {
      discarded++;
    },
  });
  return { port, data, replies, settings, lines, discarded: () => discarded };
}

/** IAC SB COM-PORT-OPTION … IAC SE. */
const comPort = (...bytes: number[]) => [255, 250, 44, ...bytes, 255, 240];

describe('RFC 2217', () => {
  it('agrees to bytes, silence and ports, once, and to no echo', () => {
    const { port, replies } = session();
    // DO ECHO, WILL SGA, DO BINARY, WILL COM-PORT-OPTION, DO COM-PORT-OPTION, and the last one again.
    port.receive(Uint8Array.of(255, 253, 1, 255, 251, 3, 255, 253, 0, 255, 251, 44, 255, 253, 44, 255, 253, 44));
    expect(replies).toEqual([255, 252, 1, 255, 253, 3, 255, 251, 0, 255, 253, 44, 255, 251, 44]);
  });

  it('sets the rate and the frame, and says what was set', () => {
    const { port, settings, replies } = session();
    port.receive(
      Uint8Array.from([...comPort(1, 0, 0, 0x25, 0x80), ...comPort(2, 7), ...comPort(3, 3), ...comPort(4, 2)]),
    );
    expect(settings.at(-1)).toEqual({ baudRate: 9_600, dataBits: 7, parity: 'even', stopBits: 2 });
    expect(replies).toEqual([
      ...comPort(101, 0, 0, 0x25, 0x80),
      ...comPort(102, 7),
      ...comPort(103, 3),
      ...comPort(104, 2),
    ]);
  });

  it('says the rate when it is asked with 0', () => {
    const { port, settings } = session();
    port.receive(Uint8Array.from(comPort(1, 0, 0, 0, 0)));
    expect(settings.at(-1)?.baudRate ?? 115_200).toBe(115_200);
  });

  it('moves DTR, RTS and break, and throws away what has not left', () => {
    const { port, lines, discarded } = session();
    for (const value of [8, 12, 11, 9, 5, 6]) {
      port.receive(Uint8Array.from(comPort(5, value)));
    }
    expect(lines).toEqual([
      { dtr: true },
      { rts: false },
      { rts: true },
      { dtr: false },
      { break: true },
      { break: false },
    ]);
    port.receive(Uint8Array.from([...comPort(12, 1), ...comPort(12, 2)]));
    expect(discarded()).toBe(1);
  });

  it('carries any bytes both ways, however they are cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.integer({ min: 1, max: 7 }), (bytes, cut) => {
        const { port, data } = session();
        const stream = ComPortSession.escape(bytes);
        for (let at = 0; at < stream.length; at += cut) {
          port.receive(stream.subarray(at, at + cut));
        }
        expect(data).toEqual(Array.from(bytes));
      }),
    );
  });
});
