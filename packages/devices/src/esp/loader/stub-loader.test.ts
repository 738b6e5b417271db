/** The stub as "Serial Protocol" describes it. Exact bytes are those of sessions recorded with esptool-js' stub. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { joined } from '../../byte-fields.ts';
import { bytesOf, hexOf } from '../../testing/hex.ts';
import type { EspDeviceOptions } from '../options.ts';
import { EspHost, framed, request, sumOf, words } from '../testing/esp-host.ts';

const ramOf = { esp32: 0x40090000, esp32s3: 0x40378000, esp32c3: 0x40380000, esp8266: 0x4010c500 } as const;
const image = Uint8Array.from({ length: 0x9000 }, (_, index) => (index * 31 + (index >> 7)) & 0xff);

async function withStub(options: Partial<EspDeviceOptions> & { chip?: keyof typeof ramOf } = {}) {
  const { chip = 'esp32c3', ...rest } = options;
  const host = new EspHost({ chip, flash: { content: 'empty' }, ...rest });
  host.open();
  await host.enterDownload();
  await host.sync();
  const started = await host.startStub(ramOf[chip]);
  expect(started.at(-1)).toBe(hexOf(new TextEncoder().encode('OHAI')));
  expect(host.device.state).toBe('stub');
  return host;
}

const good = (opcode: string) => `01${opcode}0200000000000000`;
const bad = (opcode: string, code: string) => `01${opcode}020000000000${code}00`;

describe('the stub', () => {
  it('answers with two status bytes, and with a value of 0 but for READ_REG', async () => {
    const host = await withStub();
    expect(await host.ask(0x0a, words(0x40001000))).toEqual(['010a02006f50311b0000']);
    expect(await host.ask(0x0d, words(0))).toEqual([good('0d')]);
    expect(await host.ask(0x0b, words(0, 0x400000, 0x10000, 0x1000, 0x100, 0xffff))).toEqual([good('0b')]);
    expect(await host.sync()).toEqual(new Array(8).fill(good('08')));
  });

  it('answers like the trace in the ESP32-S3 documentation', async () => {
    // "Serial Protocol", section "Tracing Esptool Serial Communications".
    const host = await withStub({ chip: 'esp32s3' });
    host.terminal.take();
    host.terminal.wired.send(bytesOf('c0000a04000000000000100040c0'));
    await host.clock.advance(10);
    expect(hexOf(host.terminal.take())).toBe('c0010a0200090000000000c0');
  });

  it('is not greeted by a chip whose entry was not uploaded', async () => {
    const host = new EspHost({ chip: 'esp32c3' });
    host.open();
    await host.enterDownload();
    await host.sync();
    await host.ask(0x06, words(0, 0x40380000));
    expect(host.device.state).toBe('crashed');
  });

  it('writes plain and compressed data, and returns its digest in raw bytes', async () => {
    const host = await withStub();
    const packed = deflateSync(image);
    expect(await host.ask(0x10, words(image.length, 1, 0x4000, 0x1000))).toEqual([good('10')]);
    expect(await host.sendBlock(0x11, 0, packed)).toEqual([good('11')]);
    expect(await host.ask(0x12, words(1))).toEqual([good('12')]);
    expect(await host.ask(0x02, words(0x4000, 1, 0x4000, 0x20000))).toEqual([good('02')]);
    expect(await host.sendBlock(0x03, 0, image.subarray(0, 0x4000))).toEqual([good('03')]);
    expect(host.device.flash.read(0x1000, image.length)).toEqual(image);
    expect(host.device.flash.read(0x20000, 0x4000)).toEqual(image.slice(0, 0x4000));
    const digest = createHash('md5').update(image).digest('hex');
    expect(await host.ask(0x13, words(0x1000, image.length, 0, 0))).toEqual([`0113120000000000${digest}0000`]);
  });

  it('takes a compressed stream in blocks, the window across them', async () => {
    const host = await withStub();
    const packed = deflateSync(image);
    const cut = Math.ceil(packed.length / 3);
    await host.ask(0x10, words(image.length, 3, cut, 0));
    for (let block = 0; block < 3; block++) {
      expect(await host.sendBlock(0x11, block, packed.subarray(block * cut, (block + 1) * cut))).toEqual([good('11')]);
    }
    expect(host.device.flash.read(0, image.length)).toEqual(image);
  });

  it.each([
    ['a length that does not fit', 0xc0, (host: EspHost) => host.ask(0x13, words(0, 0))],
    [
      'a wrong checksum',
      0xc1,
      async (host: EspHost) => {
        await host.ask(0x02, words(4, 1, 4, 0));
        return host.sendBlock(0x03, 0, bytesOf('01020304'), 0x55);
      },
    ],
    ['an unknown command', 0xc3, (host: EspHost) => host.ask(0x77)],
    ['an answer instead of a request', 0xc3, (host: EspHost) => host.raw(framed(request(0x0a, words(0), 0, 1)))],
    ['a write beyond the flash', 0xc4, (host: EspHost) => host.ask(0x02, words(0x2000, 1, 0x2000, 0x3ff000))],
    ['data without a begin', 0xc6, (host: EspHost) => host.sendBlock(0x03, 0, bytesOf('01020304'))],
    [
      'a piece of RAM longer than announced',
      0xc9,
      async (host: EspHost) => {
        await host.ask(0x05, words(2, 1, 2, 0x40380000));
        return host.sendBlock(0x07, 0, bytesOf('01020304'));
      },
    ],
    [
      'an end with data missing',
      0xc0,
      async (host: EspHost) => {
        await host.ask(0x02, words(0x1000, 1, 0x1000, 0));
        return host.ask(0x04, words(1));
      },
    ],
    ['an erase that is not aligned', 0xc0, (host: EspHost) => host.ask(0xd1, words(0x100, 0x1000))],
  ])('refuses %s with %i', async (_, code, provoke) => {
    const [answer = ''] = await provoke(await withStub());
    expect(answer.slice(-4)).toBe(`${code.toString(16)}00`);
  });

  it('acknowledges invalid compressed data and fails the next command in its place', async () => {
    const host = await withStub();
    await host.ask(0x10, words(0x1000, 1, 0x1000, 0));
    expect(await host.sendBlock(0x11, 0, new Uint8Array(64).fill(0xa5))).toEqual([good('11')]);
    expect(await host.ask(0x09, words(0x3fc90000, 7, 0xffffffff, 0))).toEqual([bad('09', 'c7')]);
    expect(await host.ask(0x0a, words(0x3fc90000))).toEqual([good('0a')]);
  });

  it('ANDs data with the old contents beyond a smaller erase', async () => {
    const host = await withStub({ flash: { content: [{ offset: 0x1000, data: new Uint8Array(16).fill(0x0f) }] } });
    await host.ask(0x02, words(0x1000, 1, 0x2000, 0));
    await host.sendBlock(0x03, 0, new Uint8Array(0x2000).fill(0x33));
    expect(host.device.flash.read(0x0fff, 2)).toEqual(Uint8Array.of(0x33, 0x0f));
    expect(host.device.flash.programmedBytes).toBe(0x1000);
  });

  it('erases a region in sectors, and the whole chip', async () => {
    const host = await withStub({ flash: { content: [{ offset: 0, data: new Uint8Array(0x4000) }] } });
    expect(await host.ask(0xd1, words(0x1000, 0x2000))).toEqual([good('d1')]);
    expect(Array.from([0xfff, 0x1000, 0x2fff, 0x3000], (at) => host.device.flash.read(at, 1)[0])).toEqual([
      0, 255, 255, 0,
    ]);
    expect(await host.ask(0xd0)).toEqual([good('d0')]);
    expect(host.device.flash.read(0, 1)[0]).toBe(0xff);
  });

  it('reads packet by packet, each acknowledged, with the digest of all behind', async () => {
    const host = await withStub({ flash: { content: [{ offset: 0, data: image }] } });
    const [first, packet] = await host.ask(0xd2, words(0x10, 0x1800, 0x1000, 64));
    expect(first).toBe(good('d2'));
    expect(packet).toBe(hexOf(image.subarray(0x10, 0x1010)));
    expect(await host.raw(framed(words(0x1000)))).toEqual([hexOf(image.subarray(0x1010, 0x1810))]);
    const digest = createHash('md5').update(image.subarray(0x10, 0x1810)).digest('hex');
    expect(await host.raw(framed(words(0x1800)))).toEqual([digest]);
    expect(await host.ask(0x0d, words(0))).toEqual([good('0d')]);
  });

  it('has as many bytes in flight as it is allowed packets, in the legacy version', async () => {
    const content = [{ offset: 0, data: image }];
    const host = await withStub({ stub: 'legacy', flash: { content } });
    expect((await host.ask(0xd2, words(0, 0x4000, 0x1000, 0x3000))).length).toBe(1 + 3);
    const current = await withStub({ flash: { content } });
    expect((await current.ask(0xd2, words(0, 0x4000, 0x1000, 0x3000))).length).toBe(1 + 1);
  });

  it('restarts the chip at FLASH_END with 0 in the legacy version, and stays in the current one', async () => {
    for (const [stub, state] of [
      ['legacy', 'running'],
      ['current', 'stub'],
    ] as const) {
      const host = await withStub({ stub, flash: { content: 'factory' } });
      await host.ask(0x02, words(0, 0, 0x4000, 0));
      expect(await host.ask(0x04, words(0))).toEqual([good('04')]);
      await host.clock.advance(1_000);
      expect(host.device.state).toBe(state);
    }
  });

  it('refuses blocks above 16 KiB in the legacy version', async () => {
    const host = await withStub({ stub: 'legacy' });
    expect(await host.ask(0x02, words(0x8000, 1, 0x8000, 0))).toEqual([bad('02', 'c2')]);
  });

  it('does not know the security command on an ESP8266', async () => {
    const host = await withStub({ chip: 'esp8266' });
    expect(await host.ask(0x14)).toEqual([bad('14', 'ff')]);
  });
});

describe('the time of a real flash', () => {
  const pace = { profile: 'real-flash' } as const;

  it('passes after the acknowledgement, and the next command waits for it', async () => {
    const host = await withStub(pace);
    await host.ask(0x02, words(0x4000, 1, 0x4000, 0));
    expect(await host.sendBlock(0x03, 0, image.subarray(0, 0x4000), sumOf(image.subarray(0, 0x4000)), 1)).toEqual([
      good('03'),
    ]);
    // Four sectors, minus the time since the begin command, and 64 pages.
    expect(await host.ask(0x0d, words(0), 0, 100)).toEqual([]);
    await host.clock.advance(100);
    expect(framesNow(host)).toEqual([good('0d')]);
  });

  it('makes the chip lose a third frame sent during a write', async () => {
    const host = await withStub(pace);
    await host.ask(0x02, words(0x4000, 1, 0x4000, 0));
    await host.sendBlock(0x03, 0, image.subarray(0, 0x4000), sumOf(image.subarray(0, 0x4000)), 1);
    const read = framed(request(0x0a, words(0x40001000), 0));
    expect((await host.raw(joined(read, read, read), 1_000)).length).toBe(1);
  });

  it('is 150 ms for a block and 45 ms for each other sector of ERASE_REGION', async () => {
    const host = await withStub(pace);
    expect(await host.ask(0xd1, words(0, 0x12000), 0, 239)).toEqual([]);
    await host.clock.advance(2);
    expect(framesNow(host)).toEqual([good('d1')]);
  });
});

function framesNow(host: EspHost): string[] {
  return hexOf(host.terminal.take())
    .split('c0')
    .filter((frame) => frame !== '');
}
