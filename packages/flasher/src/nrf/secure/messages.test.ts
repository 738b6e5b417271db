import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiBytes, hexOf } from '../../core/bytes.ts';
import { fromHex } from '../../testing/from-hex.ts';
import { nrfFailureText } from '../nrf-failure.ts';
import {
  type Answer,
  chunkSize,
  op,
  readAnswer,
  readFirmware,
  readHardware,
  readMtu,
  readProgress,
  readSelection,
  requestFrame,
  uint16,
  uint32,
} from './messages.ts';
import { AnswerFrames } from './secure-link.ts';
import { failureOf, resultText } from './secure-transfer.ts';

/** Decodes `pieces` in order into answers and text. */
function decode(...pieces: readonly Uint8Array[]): { answers: Answer[]; text: string } {
  const answers: Answer[] = [];
  let text = '';
  const frames = new AnswerFrames({
    answer: (answer) => answers.push(answer),
    text: (bytes) => {
      text += String.fromCharCode(...bytes);
    },
  });
  for (const piece of pieces) {
    frames.push(piece);
  }
  return { answers, text };
}

describe('a request of secure DFU', () => {
  it.each([
    ['ping', requestFrame(op.ping, Uint8Array.of(1)), '0901c0'],
    ['MTU', requestFrame(op.mtu), '07c0'],
    ['no receipts', requestFrame(op.setReceipts, uint16(0)), '020000c0'],
    ['select the init packet', requestFrame(op.select, Uint8Array.of(1)), '0601c0'],
    ['create a data object of a page', requestFrame(op.create, Uint8Array.of(2), uint32(4_096)), '010200100000c0'],
    [
      'create with bytes that need escapes',
      requestFrame(op.create, Uint8Array.of(2), uint32(0xdbc0)),
      '0102dbdcdbdd0000c0',
    ],
    ['checksum', requestFrame(op.crc), '03c0'],
    ['execute', requestFrame(op.execute), '04c0'],
    ['write', requestFrame(op.write, fromHex('c0dbff')), '08dbdcdbddffc0'],
  ])('is a frame that only ends with a delimiter: %s', (_name, frame, hex) => {
    expect(hexOf(frame)).toBe(hex);
  });

  it('carries as much as fits into the MTU, in whole words (131 on a UART, 2,051 on USB)', () => {
    expect([131, 2_051, 70, 11, 1].map(chunkSize)).toEqual([64, 1_024, 32, 4, 4]);
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 0xffff }), (mtu) => {
        // The worst case: every byte needs an escape.
        const frame = requestFrame(op.write, new Uint8Array(chunkSize(mtu)).fill(0xc0));
        expect(frame.length).toBeLessThanOrEqual(mtu);
      }),
    );
  });
});

describe('an answer of secure DFU', () => {
  it('is read as a bootloader of the SDK gave it (devzone 48534 and 47824)', () => {
    expect(decode(fromHex('60090101c0')).answers).toEqual([{ op: 9, result: 1, data: Uint8Array.of(1) }]);
    const [wrongSoftdevice] = decode(fromHex('60040b07c0')).answers;
    expect(wrongSoftdevice && failureOf(wrongSoftdevice)).toBe('wrong-softdevice');
    expect(wrongSoftdevice && resultText(wrongSoftdevice)).toBe('result 0x0B, extended error 0x07');
  });

  it('has its parameters in little-endian order', () => {
    expect(readSelection(fromHex('000200008b00000078563412'))).toEqual({ maximum: 512, offset: 139, crc: 0x12345678 });
    expect(readProgress(fromHex('00100000efbeadde'))).toEqual({ offset: 4_096, crc: 0xdeadbeef });
    expect(readMtu(fromHex('8300'))).toBe(131);
    for (const size of ['00000000', 'ffffffff']) {
      expect(readHardware(fromHex(`4028050030444141${size}0000040000100000`))).toBeNull();
    }
    expect(readHardware(fromHex('4028050030444141000010000000040000100000'))).toEqual({
      part: 'nRF52840',
      flashSize: 1_048_576,
      ramSize: 262_144,
    });
    expect(readFirmware(fromHex('01020000000060020000100000'))).toEqual({
      type: 'application',
      version: 2,
      address: 0x26000,
      length: 0x1000,
    });
    expect(readFirmware(fromHex('ff000000000000000000000000'))).toBeNull();
  });

  it('has no parameters if it is too short', () => {
    expect(
      [readSelection, readProgress, readMtu, readHardware, readFirmware].map((read) => read(Uint8Array.of(1))),
    ).toEqual([null, null, null, null, null]);
    expect(readAnswer(fromHex('6004'))).toBeNull();
    expect(readAnswer(fromHex('610401'))).toBeNull();
  });

  it('is read the same at any chunk size', () => {
    const stream = fromHex('60090101c060030100dbdc0000dbddbeaddec060070183');
    const whole = decode(stream).answers;
    expect(whole).toHaveLength(2);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 6 }), (cuts) => {
        const at = [0, ...cuts.toSorted((one, other) => one - other), stream.length];
        const pieces = at.slice(1).map((end, index) => stream.subarray(at[index], end));
        expect(decode(...pieces).answers).toEqual(whole);
      }),
    );
  });

  it('is distinguished from the output of a program', () => {
    const { answers, text } = decode(asciiBytes(`${'hello world, '.repeat(8)}\n`), fromHex('c060090101c0'));
    expect(answers).toHaveLength(1);
    expect(text).toContain('hello world, hello');
  });

  it('is dropped with an undefined SLIP escape, and the next one is read', () => {
    expect(decode(fromHex('6009db01c060090101c0')).answers).toHaveLength(1);
  });
});

describe('a result', () => {
  const plain = [0x00, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0a, 0x77];
  const extended = [0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x99];

  it('has a sentence and a remedy for each code', () => {
    const failures = [
      ...plain.map((result) => failureOf({ op: 1, result, data: new Uint8Array() })),
      ...extended.map((code) => failureOf({ op: 4, result: 0x0b, data: Uint8Array.of(code) })),
    ];
    expect(failures).toEqual([
      'request-invalid',
      'request-unknown',
      'request-invalid',
      'no-room',
      'object-invalid',
      'wrong-key',
      'type-unsupported',
      'not-permitted',
      'operation-failed',
      'refused',
      'command-format',
      'command-unknown',
      'init-packet-invalid',
      'version-too-low',
      'wrong-hardware',
      'wrong-softdevice',
      'signature-missing',
      'hash-type',
      'hash-failed',
      'signature-type',
      'image-damaged',
      'no-room',
      'already-there',
      'refused',
    ]);
    for (const failure of failures) {
      expect(nrfFailureText[failure].what).toMatch(/\.$/);
      expect(nrfFailureText[failure].remedy).toMatch(/\.$/);
    }
  });
});
