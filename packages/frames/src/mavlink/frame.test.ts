import { describe, expect, it } from 'vitest';
import { commonSet } from './common-set.ts';
import { readDefinitions } from './definitions.ts';
import { checkFrame, checkSignature, type MavlinkHeader, readHeader } from './frame.ts';
import { readPayload } from './payload.ts';

const common = readDefinitions('common.xml', (name) => commonSet.get(name) ?? null);

function header(frame: Uint8Array): MavlinkHeader {
  const read = readHeader(frame, 0, frame.length);
  if (read === null || read === 'more') {
    throw new Error('There is no header.');
  }
  return read;
}

function fields(hex: string, definitions = common) {
  const frame = Buffer.from(hex, 'hex');
  const head = header(frame);
  const message = definitions.messages.get(head.message);
  const values = message === undefined ? [] : readPayload(frame, head, message, new Set());
  return Object.fromEntries(values.map(({ name, value, named }) => [name, named ?? value]));
}

const own = readDefinitions(
  'own.xml',
  () => `<mavlink>
<enums>
<enum name="FLAGS" bitmask="true"><entry name="READY" value="1"/><entry name="BOTH" value="6"/><entry name="HIGH" value="0x8000000000000000"/></enum>
<enum name="KIND"><entry name="ZERO" value="0"/><entry name="ONE" value="1"/></enum>
</enums>
<messages><message id="9" name="ALL">
<field type="uint64_t" name="flags" enum="FLAGS"/>
<field type="int16_t[2]" name="pair"/>
<field type="uint8_t" name="kind" enum="KIND"/>
<field type="char[4]" name="text"/>
<field type="char" name="letter"/>
<extensions/>
<field type="double" name="more"/>
<field type="uint8_t[3]" name="bytes"/>
</message></messages></mavlink>`,
);

/** A frame of message 9 without a checksum: sequence 1, system 2, component 3. */
function ownFrame(version: 1 | 2, payload: string): string {
  const length = (payload.length / 2).toString(16).padStart(2, '0');
  return `${version === 2 ? `fd${length}0000010203090000` : `fe${length}01020309`}${payload}0000`;
}

describe('MAVLink frames', () => {
  it('have a header of 6 or 10 bytes', () => {
    expect(header(Buffer.from('fe09c37a010097860a36e0266ae803e4a4', 'hex'))).toMatchObject({
      version: 1,
      length: 17,
      payloadLength: 9,
      sequence: 0xc3,
      system: 0x7a,
      component: 1,
      message: 0,
      isSigned: false,
    });
    expect(header(Buffer.from('fd020103040506070809', 'hex'))).toMatchObject({
      version: 2,
      length: 27,
      isSigned: true,
      unknownFlags: 0,
      sequence: 4,
      system: 5,
      component: 6,
      message: 0x090807,
    });
    expect(header(Buffer.from('fd020603040506070809', 'hex'))).toMatchObject({ isSigned: false, unknownFlags: 6 });
    expect(readHeader(Buffer.from('fd02010203040506', 'hex'), 0, 8)).toBe('more');
    expect(readHeader(Buffer.from('fe0201', 'hex'), 0, 3)).toBe('more');
    expect(readHeader(Buffer.from('aa', 'hex'), 0, 1)).toBeNull();
  });

  it('have a checksum over all but the first byte, and CRC_EXTRA', () => {
    const right = Buffer.from('fd090000865901000000475f728f76de1a810336dd', 'hex');
    expect(checkFrame(right, 0, header(right), common)).toBe('right');
    for (let at = 1; at < right.length; at++) {
      const damaged = Uint8Array.from(right, (byte, index) => (index === at ? byte ^ 0x10 : byte));
      const head = header(damaged);
      if (head.length <= damaged.length && common.messages.has(head.message)) {
        expect(checkFrame(damaged, 0, head, common), `byte ${at}`).toBe('wrong');
      }
    }
    const unknown = Buffer.from('fd070000e6860137d3004e285737e1cba09ea9', 'hex');
    expect(checkFrame(unknown, 0, header(unknown), common)).toBe('unknown');
  });

  it('have values of all types, names of values and of bits', () => {
    const payload = '07000000000000800180feff016869c3bc78';
    expect(fields(ownFrame(2, `${payload}000000000000f83f0102ff`), own)).toEqual({
      flags: 'READY, BOTH, HIGH',
      'pair.0': -32_767,
      'pair.1': -2,
      kind: 'ONE',
      text: 'hiü',
      letter: 'x',
      more: 1.5,
      bytes: Uint8Array.of(1, 2, 255),
    });
    expect(fields(ownFrame(2, '03'), own)).toMatchObject({ flags: 'READY, 0x2', kind: 'ZERO', text: '', letter: '' });
    expect(fields(ownFrame(2, '10'), own)).toMatchObject({ flags: 16n });
    expect(fields(ownFrame(2, '00'.repeat(12).concat('09ff00')), own)).toMatchObject({ flags: 0n, kind: 9, text: 'ÿ' });
  });

  it('read cut zeros of version 2 as zero, and what version 1 lacks as no value', () => {
    const cut = '00000000000000000500';
    expect(fields(ownFrame(2, cut), own)).toMatchObject({ 'pair.0': 5, 'pair.1': 0, more: 0 });
    const short = fields(ownFrame(1, cut), own);
    expect(short).toMatchObject({ flags: 0n, 'pair.0': 5, 'pair.1': null, kind: null, text: null });
    expect(short).not.toHaveProperty('more');
    const long = fields(ownFrame(1, `${'00'.repeat(18)}000000000000f83f01`), own);
    expect(long).toMatchObject({ flags: 0n, kind: 'ZERO', more: 1.5 });
    expect(long).not.toHaveProperty('bytes');
  });

  it('keep 64-bit numbers whole', () => {
    expect(fields('fd0c00005983be020000000060a104361280dc565c651407')).toEqual({
      time_unix_usec: 9_228_497_979_950_759_936n,
      time_boot_ms: 1_700_550_364,
    });
  });

  it('have a signature over the key and all before it', () => {
    const frame = Buffer.from('fd0a00006757644d00000239e6b8546e2c7f7592642006e0b0b72b8b192fe9fd41a78a', 'hex');
    const key = Buffer.from('cdda8fcc52b16c17ac169334cb55cf87d19f36106b33333acaa7cacbcd79270d', 'hex');
    const state = (bytes: Uint8Array, secret: Uint8Array | null) => checkSignature(bytes, header(bytes), secret)?.state;
    expect(checkSignature(frame, header(frame), key)).toEqual({
      link: 6,
      time: 0x198b_2bb7_b0e0n,
      from: 22,
      state: 'right',
    });
    expect(state(frame, null)).toBe('not checked');
    expect(state(frame, new Uint8Array(32))).toBe('wrong');
    for (let at = 1; at < frame.length; at++) {
      // The flags and the length say where the signature is.
      if (at > 2) {
        expect(
          state(
            Uint8Array.from(frame, (byte, index) => (index === at ? byte ^ 1 : byte)),
            key,
          ),
          `byte ${at}`,
        ).toBe('wrong');
      }
    }
    expect(state(frame.subarray(0, 22), key)).toBeUndefined();
  });
});
