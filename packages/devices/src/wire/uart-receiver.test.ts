import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { type UartSettings, uartLink } from './link.ts';
import { UartReceiver } from './uart-receiver.ts';

type Received = (number | 'framing' | 'parity')[];

/** Returns the bytes and errors that a receiver makes of chunks sent without a gap. An error precedes its byte. */
function receive(chunks: readonly Uint8Array[], sender: UartSettings, receiver: UartSettings, seed = 1): Received {
  const received: Received = [];
  const uart = new UartReceiver(createRandom(seed, 'test'));
  const reception = {
    bytes: (bytes: Uint8Array) => received.push(...bytes),
    damaged: (error: 'framing' | 'parity', byte: number) => received.push(error, byte),
  };
  for (const chunk of chunks) {
    uart.receive(chunk, sender, receiver, reception);
  }
  uart.idle(reception);
  return received;
}

const settings = fc.record({
  baudRate: fc.constantFrom(300, 1_200, 9_600, 57_600, 74_880, 115_200, 230_400, 921_600, 3_000_000),
  dataBits: fc.constantFrom(7 as const, 8 as const),
  stopBits: fc.constantFrom(1 as const, 2 as const),
  parity: fc.constantFrom('none' as const, 'even' as const, 'odd' as const),
});
const bytes = fc.uint8Array({ maxLength: 60 });
const text = new TextEncoder().encode('Hello, wire! 0123456789');

describe('a UART that listens', () => {
  it('receives every byte when both ends are set alike', () => {
    fc.assert(
      fc.property(bytes, settings, (sent, both) => {
        const mask = both.dataBits === 7 ? 0x7f : 0xff;
        expect(receive([sent], both, both)).toEqual([...sent].map((byte) => byte & mask));
      }),
    );
  });

  it('receives the same for the same seed, whatever the rates and however the bytes are cut', () => {
    fc.assert(
      fc.property(bytes, fc.nat(60), settings, settings, fc.nat(), (sent, cut, sender, receiver, seed) => {
        const whole = receive([sent], sender, receiver, seed);
        expect(receive([sent.subarray(0, cut), sent.subarray(cut)], sender, receiver, seed)).toEqual(whole);
      }),
    );
  });

  it('never receives more bytes than the line has falls', () => {
    fc.assert(
      fc.property(bytes, settings, settings, (sent, sender, receiver) => {
        const received = receive([sent], sender, receiver).filter((item) => typeof item === 'number');
        expect(received.length).toBeLessThanOrEqual(sent.length * 6);
        expect(received.every((byte) => byte >= 0 && byte <= 255)).toBe(true);
      }),
    );
  });

  it('receives every byte at a rate that is 2 % off, as hardware does', () => {
    for (const baudRate of [112_900, 117_500]) {
      expect(receive([text], uartLink(115_200), uartLink(baudRate))).toEqual([...text]);
    }
  });

  it('receives rubbish at half and at double the rate', () => {
    for (const baudRate of [57_600, 230_400]) {
      expect(receive([text], uartLink(115_200), uartLink(baudRate))).not.toEqual([...text]);
    }
  });

  it('receives what the levels of the line say: 0x55 at double the rate', () => {
    // The sender is half as fast: each bit of 0x55 (01010101, low bit first after the start bit) lasts two bits of
    // the receiver.
    const received = receive([Uint8Array.of(0x55)], uartLink(9_600), uartLink(19_200));
    // The receiver samples low (start bit), low-high-high-low-low-high-high-low (0x66, lowest bit first), low (stop
    // bit).
    expect(received.slice(0, 2)).toEqual(['framing', 0x66]);
  });

  it('receives far fewer bytes than were sent when it is twelve times slower', () => {
    const received = receive([new Uint8Array(1_200).fill(0x41)], uartLink(115_200), uartLink(9_600));
    expect(received.filter((item) => typeof item === 'number').length).toBeLessThan(140);
  });

  it('takes the sender’s parity bit for a stop bit when it expects none', () => {
    const received = receive([Uint8Array.of(0x01, 0x03)], uartLink(9_600, { parity: 'even' }), uartLink(9_600));
    // The parity bit of 0x01 is 1, which the receiver reads as a good stop bit. The parity bit of 0x03 is 0, which it
    // reads as a bad one.
    expect(received).toEqual([0x01, 'framing', 0x03]);
  });

  it('finds the parity wrong that the other end counts the other way', () => {
    const even = uartLink(9_600, { parity: 'even' });
    const odd = uartLink(9_600, { parity: 'odd' });
    expect(receive([Uint8Array.of(0x01, 0x03)], even, odd)).toEqual(['parity', 0x01, 'parity', 0x03]);
  });

  it('completes a frame that it is in the middle of when the line comes to rest', () => {
    const received = receive([Uint8Array.of(0x00)], uartLink(115_200), uartLink(9_600));
    // The low stretch of nine bits is three quarters of one slow bit: a start bit, after which the line rests at
    // high.
    expect(received).toEqual([0xff]);
  });
});
