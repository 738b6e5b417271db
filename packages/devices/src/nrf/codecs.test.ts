/** Codecs against the specifications, against the output of independent programs, and in round trips. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlipReceiver } from '../slip.ts';
import { bytesOf, hexOf } from '../testing/hex.ts';
import { HciReceiver } from './adafruit/adafruit-session.ts';
import { crc16 } from './crc16.ts';
import { demoKey, signingKey } from './crypto/signing-key.ts';
import { legacyInitPacket } from './firmware/adafruit-package.ts';
import { secureInitPacket } from './firmware/secure-package.ts';
import { mcubootImage, validImage, versionText } from './mcuboot/image.ts';
import { type CborValue, readCbor, writeCbor } from './mcuboot/recovery-session.ts';
import { SmpConsole, smpLines } from './mcuboot/smp-console.ts';
import { readInitPacket } from './secure/init-packet.ts';
import { readFields, readPacked, varint, writeField } from './secure/protobuf.ts';

const ascii = (text: string) => new TextEncoder().encode(text);
const bytes = fc.uint8Array({ maxLength: 400 });
/** The firmware of the recorded packages: the bytes 00 to 3f. */
const counting = Uint8Array.from({ length: 64 }, (_, index) => index);

describe('CRC-16', () => {
  // "Catalogue of parametrised CRC algorithms": check values of CRC-16/IBM-3740 and CRC-16/XMODEM.
  it('matches the check value of the catalogue', () => {
    expect(crc16(ascii('123456789'), 0xffff)).toBe(0x29b1);
    expect(crc16(ascii('123456789'), 0)).toBe(0x31c3);
  });
});

describe('the legacy transport', () => {
  it('takes a data packet as adafruit-nrfutil 0.5.3.post16 wrote it', () => {
    const wire =
      'c0e3ce024d04000000b8b9babbbcbdbebfdbdcc1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdddcdddedf258ac0';
    const slip = new SlipReceiver(600, { opens: 'end-once', strict: false });
    const [frame = new Uint8Array()] = slip.receive(bytesOf(wire));
    const receiver = new HciReceiver();
    expect(hexOf(receiver.receive(frame)?.acknowledgement ?? new Uint8Array())).toBe('080000f8');
    expect(receiver.receive(frame)?.payload).toBeNull();
  });

  it('has init packets as adafruit-nrfutil 0.5.3.post16 made them', () => {
    expect(hexOf(legacyInitPacket(counting, { softDevices: [0x00b6, 0x0123] }))).toBe(
      '5200ffffffffffff0200b60023012ffd',
    );
  });
});

describe('Protocol Buffers', () => {
  it('encode the examples of the documentation', () => {
    // protobuf.dev, "Encoding": a field 1 of 150, a string, a packed field.
    expect(readFields(bytesOf('089601'))).toEqual([{ number: 1, value: 150 }]);
    expect(hexOf(writeField(2, ascii('testing')))).toBe('120774657374696e67');
    expect(readPacked(bytesOf('038e029ea705'))).toEqual([3, 270, 86_942]);
  });

  it('return what was written, and null for input that ends too early', () => {
    const fields = fc.array(
      fc.record({ number: fc.integer({ min: 1, max: 1_000 }), value: fc.oneof(fc.nat(), bytes) }),
    );
    fc.assert(
      fc.property(fields, (written) => {
        const wire = Uint8Array.from(written.flatMap(({ number, value }) => Array.from(writeField(number, value))));
        expect(readFields(wire)).toEqual(written);
        const last = written.at(-1);
        if (last !== undefined && typeof last.value !== 'number' && last.value.length > 0) {
          expect(readFields(wire.subarray(0, -1))).toBeNull();
        }
      }),
    );
    expect(readPacked(varint(0xffffffff))).toEqual([0xffffffff]);
    expect(readFields(bytesOf('00'))).toBeNull();
  });
});

describe('init packets', () => {
  // `nrfutil pkg generate` of pc-nrfutil 6.1.7, application version 3, hardware 52, SoftDevice 0, signed with the demo key.
  const recorded =
    bytesOf(`1287010a410801123d080310341a01002000280030003840422408031220081115d9d17c448c3a601198cf7f759c8f
    9ea2c9cd5826bd620371f3acb9eafd480052040801120010001a4070377e92e64cb8d2c801382dd332295266d1e7f1418cc93b215daca3e2bb421709b7
    eeced3ac6071477d0c6a5b1d4636d7098a833bc81a740ced1da42997d8e7`);

  it('are read with all their fields if pc-nrfutil made them', () => {
    const packet = readInitPacket(recorded);
    expect(packet?.command).toMatchObject({
      fwVersion: 3,
      hwVersion: 52,
      sdReq: [0],
      type: 0,
      appSize: 64,
      isDebug: false,
    });
    expect(packet?.signature?.bytes.length).toBe(64);
  });

  it('have the same fields if this package made them', () => {
    const ours = readInitPacket(secureInitPacket({ kind: 'application', image: counting }, { fwVersion: 3 }));
    expect(ours?.command).toEqual({ ...readInitPacket(recorded)?.command, sdSize: null, blSize: null });
    expect(
      readInitPacket(secureInitPacket({ kind: 'application', image: counting }, { key: null }))?.signature,
    ).toBeNull();
  });

  it('are rejected without their required fields', () => {
    for (const bad of [new Uint8Array(), Uint8Array.of(0x0a), writeField(2, writeField(1, new Uint8Array()))]) {
      expect(readInitPacket(bad)).toBeNull();
    }
    const manyIds = writeField(1, writeField(2, writeField(3, new Uint8Array(17))));
    expect(readInitPacket(manyIds)).toBeNull();
    expect(readInitPacket(writeField(1, new Uint8Array([0x08, 0x01])))?.command.type).toBeNull();
  });
});

describe('SMP over a console', () => {
  it('frames like the example in the documentation of smp', () => {
    expect(new TextDecoder().decode(smpLines(ascii('Hello, world!')))).toBe('\x06\x09AA9IZWxsbywgd29ybGQhet4=\n');
    const lines = ['\x06\x09AA9I', '\x04\x14ZWxs', '\x04\x14bywg', '\x04\x14d29y', '\x04\x14bGQh', '\x04\x14et4='];
    const [body] = new SmpConsole(1_024).receive(ascii(`rubbish\n${lines.join('\n')}\n`));
    expect(new TextDecoder().decode(body)).toBe('Hello, world!');
  });

  it('returns what was framed, between other lines and at any chunk size', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 })), fc.nat(9), (bodies, cut) => {
        const receiver = new SmpConsole(1_024);
        const wire = bodies.flatMap((body) => [...ascii('noise\r\n'), ...smpLines(body)]);
        const received: Uint8Array[] = [];
        for (let at = 0; at < wire.length; at += cut + 1) {
          received.push(...receiver.receive(Uint8Array.from(wire.slice(at, at + cut + 1))));
        }
        expect(received.map(hexOf)).toEqual(bodies.map(hexOf));
      }),
    );
  });
});

describe('CBOR', () => {
  it.each([
    ['00', 0],
    ['1903e8', 1_000],
    ['1a000f4240', 1_000_000],
    ['20', -1],
    ['3903e7', -1_000],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['4401020304', Uint8Array.of(1, 2, 3, 4)],
    ['6449455446', 'IETF'],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    ['a26161016162820203', { a: 1, b: [2, 3] }],
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    ['bf6346756ef563416d7421ff', { Fun: true, Amt: -2 }],
  ] as const)('reads %s as in RFC 8949, appendix A', (hex, value) => {
    expect(readCbor(bytesOf(hex))).toEqual(value);
  });

  it('returns what was written, and null for a truncated value', () => {
    const values = fc.letrec<{ value: CborValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', maxDepth: 4 },
        fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
        fc.boolean(),
        fc.constant(null),
        fc.string(),
        bytes,
        fc.array(tie('value')),
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
          tie('value'),
          { noNullPrototype: true },
        ),
      ),
    })).value;
    fc.assert(
      fc.property(values, (value) => {
        const written = writeCbor(value);
        expect(readCbor(written)).toEqual(value);
        expect(readCbor(written.subarray(0, -1))).toBeUndefined();
      }),
    );
  });
});

describe('MCUboot images', () => {
  // imgtool 2.4.0: `sign --header-size 0x20 --version 1.2.3+4 --pad-header`, with the demo key.
  const recorded =
    bytesOf(`3db8f39600000000200000004000000000000000010203000400000000000000000102030405060708090a0b0c0d0e0f
    101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f0769960010002000fe96bbe6
    d74ed7c809aa78e2a605d5c4cca33969885bfcc9ac10d7c52df5e00d01002000b3f7f6d804c3f55d4ae70014a9eee768072b2188019e39d1009d3b6a
    bde234b822004600304402202ee26d62debe96943b394a7e4e9d76253b9beb8b13c731130bfa55d809f7a60602205697fa409e17c5afc75056c23198
    f952e665b5fe67fea84563b73ed6f7ea1886`);

  it('are valid with their key if imgtool made them, and invalid with another', () => {
    const image = validImage(recorded, demoKey.publicKey);
    expect(image && versionText(image.version)).toBe('1.2.3.4');
    expect(image?.program).toEqual(counting);
    expect(validImage(recorded, signingKey('another').publicKey)).toBeNull();
    expect(validImage(recorded, null)).not.toBeNull();
  });

  it('are invalid with one byte changed', () => {
    fc.assert(
      fc.property(fc.nat(0x20 + 63), fc.integer({ min: 1, max: 255 }), (at, by) => {
        expect(validImage(recorded.with(at, (recorded[at] ?? 0) ^ by), null)).toBeNull();
      }),
    );
  });

  it('are valid with any program if this package made them', () => {
    fc.assert(
      fc.property(bytes, (program) => {
        const image = validImage(mcubootImage(program, { version: '9.8.7', key: demoKey }), demoKey.publicKey);
        expect(image?.program).toEqual(program);
        expect(image && versionText(image.version)).toBe('9.8.7');
      }),
      { numRuns: 10 },
    );
    expect(() => mcubootImage(counting, { version: 'one', key: null })).toThrow('one is not an image version');
  });
});
