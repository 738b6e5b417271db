import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RemoteError } from '../remote-failure.ts';
import { decodeMessage, encodeMessage, type Message, rights } from './messages.ts';
import { decodeTapFrame, encodeTapFrame, lanes } from './tap-records.ts';

const port = fc.integer({ min: 1, max: 4 });
const u32 = fc.nat(0xffff_ffff);
const count = fc.maxSafeNat();
const bytes = fc.uint8Array({ maxLength: 400 });
const name = fc.string({ unit: 'grapheme', maxLength: 12 });
const settings = fc.record({
  baudRate: u32,
  dataBits: fc.constantFrom('7', '8'),
  stopBits: fc.constantFrom('1', '2'),
  parity: fc.constantFrom('none', 'even', 'odd'),
  flowControl: fc.constantFrom('none', 'hardware'),
});
const steps = fc.array(fc.record({ dtr: fc.boolean(), rts: fc.boolean(), wait: u32 }), { maxLength: 8 });
const maybe = fc.option(fc.boolean(), { nil: null });
const sharedPort = fc.record({
  port,
  present: fc.boolean(),
  visit: u32,
  name,
  usbVendorId: fc.option(u32, { nil: null }),
  usbProductId: fc.option(u32, { nil: null }),
  settings: fc.option(settings, { nil: null }),
  user: fc.option(name, { nil: null }),
  isYours: fc.boolean(),
  asked: fc.option(fc.constantFrom('watch', 'type', 'use')),
  right: fc.constantFrom(...rights),
});

const message = fc.oneof(
  fc.record({ kind: fc.constant('ack'), received: u32 }),
  fc.record({ kind: fc.constant('bytes'), port, at: count, bytes }),
  fc.record({
    kind: fc.constant('prove'),
    guest: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    name,
    received: u32,
    tapFrame: count,
  }),
  fc.record({ kind: fc.constant('open'), request: u32, port, settings, window: u32 }),
  fc.record({ kind: fc.constant('signals'), request: u32, port, dtr: maybe, rts: maybe, break: maybe }),
  fc.record({ kind: fc.constant('steps'), request: u32, port, steps, release: steps }),
  fc.record({ kind: fc.constant('leave') }),
  fc.record({ kind: fc.constant('ports'), endsIn: count, ports: fc.array(sharedPort, { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('lineError'),
    port,
    error: fc.constantFrom('break', 'overrun'),
    missing: count,
    at: count,
  }),
  fc.record({
    kind: fc.constant('expect'),
    port,
    at: count,
    begins: fc.uint8Array({ maxLength: 128 }),
    length: u32,
    pause: u32,
    limit: u32,
  }),
  fc.record({ kind: fc.constant('abilities'), bits: u32 }),
  fc.record({ kind: fc.constant('keys'), request: u32, port, bytes }),
  fc.record({ kind: fc.constant('areKeys'), port, at: count, length: u32 }),
  fc.record({
    kind: fc.constant('typists'),
    typists: fc.array(fc.record({ port, name, isYou: fc.boolean() }), { maxLength: 16 }),
  }),
  fc.record({
    kind: fc.constant('boards'),
    boards: fc.array(fc.record({ port, isSimulated: fc.boolean() }), { maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('caughtUp'), from: count, frames: fc.array(bytes, { maxLength: 5 }), head: count }),
) as fc.Arbitrary<Message>;

const unnumbered = ['ack', 'prove', 'ports', 'caughtUp', 'boards', 'typists'];

describe('messages between host and guest', () => {
  it('keep the codes that other versions know', () => {
    const codeOf = (one: Message) => encodeMessage(one)[0];
    expect(codeOf({ kind: 'ack', received: 0 })).toBe(0);
    expect(codeOf({ kind: 'ask', port: 1, right: 'use' })).toBe(5);
    expect(codeOf({ kind: 'ports', endsIn: 0, ports: [] })).toBe(20);
    expect(codeOf({ kind: 'answerTime', request: 1, port: 1 })).toBe(28);
    expect(codeOf({ kind: 'abilities', bits: 0 })).toBe(30);
    expect(codeOf({ kind: 'keys', request: 1, port: 1, bytes: new Uint8Array() })).toBe(35);
    expect(codeOf({ kind: 'hidden', request: 1, port: 1, bytes: new Uint8Array() })).toBe(36);
    expect(codeOf({ kind: 'areKeys', port: 1, at: 0, length: 1 })).toBe(37);
    expect(codeOf({ kind: 'typists', typists: [] })).toBe(39);
  });

  it('decode to what was encoded', () => {
    fc.assert(
      fc.property(message, u32, (one, number) => {
        const expected = unnumbered.includes(one.kind) ? 0 : number;
        expect(decodeMessage(encodeMessage(one, number))).toEqual({ number: expected, message: one });
      }),
    );
  });

  it('made of arbitrary bytes are refused with the code malformed', () => {
    const refuse = (plain: Uint8Array) => {
      try {
        decodeMessage(plain);
      } catch (error) {
        expect(error).toBeInstanceOf(RemoteError);
        expect(error).toHaveProperty('code', 'malformed');
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), refuse), { numRuns: 2_000 });
    fc.assert(
      fc.property(message, fc.nat(), fc.nat(255), (one, at, value) => {
        const plain = encodeMessage(one, 1);
        refuse(plain.subarray(0, at % plain.length));
        plain[at % plain.length] = value;
        refuse(plain);
      }),
    );
  });

  it('are refused with one byte too many', () => {
    const plain = encodeMessage({ kind: 'leave' }, 1);
    expect(() => decodeMessage(Uint8Array.of(...plain, 0))).toThrow(RemoteError);
  });

  it('cannot claim a list longer than they are', () => {
    const plain = encodeMessage({ kind: 'ports', endsIn: 0, ports: [] });
    new DataView(plain.buffer).setUint32(plain.length - 4, 0xffff_ffff, true);
    expect(() => decodeMessage(plain)).toThrow(RemoteError);
  });
});

describe('frames of the tap', () => {
  it('decode to what was encoded', () => {
    const time = fc.double({ noNaN: true, noDefaultInfinity: true });
    const piece = fc.record({ port, lane: fc.constantFrom(...lanes), time, at: count, bytes });
    fc.assert(
      fc.property(count, fc.array(piece, { maxLength: 6 }), (number, pieces) => {
        expect(decodeTapFrame(encodeTapFrame(number, pieces))).toEqual({ number, pieces });
      }),
    );
  });

  it('made of arbitrary bytes are refused with the code malformed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 9, maxLength: 80 }), (plain) => {
        try {
          decodeTapFrame(plain);
        } catch (error) {
          expect(error).toHaveProperty('code', 'malformed');
        }
      }),
    );
  });
});
