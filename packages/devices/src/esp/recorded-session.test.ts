/**
 * A flashing session through the ROM, recorded from an ESP32 and an ESP32-C3. It compares status, length and stale
 * bytes of each answer, with data of our own.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../testing/hex.ts';
import { EspHost, sumOf, words } from './testing/esp-host.ts';

const chips = [
  { chip: 'esp32', spi: 0x3ff42000, usr: 0x1c, usr2: 0x24, length: 0x2c, data: 0x80, divider: 0x3ff40014 },
  { chip: 'esp32c3', spi: 0x60002000, usr: 0x18, usr2: 0x20, length: 0x28, data: 0x58, divider: 0x60000014 },
] as const;

const block = Uint8Array.from({ length: 0x400 }, (_, index) => (index * 5 + 3) & 0xff);
/** Result of RDID, which remains in the value of all following answers. */
const value = 'c8401600';

describe.each(chips)('a recorded session with an $chip', ({ chip, spi, usr, usr2, length, data, divider }) => {
  it('is answered byte by byte', async () => {
    const host = new EspHost({ chip, flash: { content: 'empty' } });
    host.open();
    await host.enterDownload();
    await host.sync();
    await host.ask(0x0a, words(0x40001000));
    await host.ask(0x0d, words(0, 0));
    await host.ask(0x0b, words(0, 0x400000, 0x10000, 0x1000, 0x100, 0xffff));
    for (const [offset, word] of [
      [length, 23],
      [usr, 0x90000000],
      [usr2, 0x7000009f],
      [data, 0],
      [0, 1 << 18],
    ] as const) {
      await host.ask(0x09, words(spi + offset, word, 0xffffffff, 0));
    }
    expect(await host.ask(0x0a, words(spi + data))).toEqual([`010a0400${value}00000000`]);

    expect(await host.ask(0x02, words(0x800, 2, 0x400, 0x10000))).toEqual([`01020400${value}00000000`]);
    expect(await host.sendBlock(0x03, 0, block)).toEqual([`01030400${value}00000000`]);
    expect(await host.sendBlock(0x03, 1, block)).toEqual([`01030400${value}00000000`]);
    const written = Buffer.concat([block, block]);
    const digest = hexOf(new TextEncoder().encode(createHash('md5').update(written).digest('hex')));
    expect(await host.ask(0x13, words(0x10000, 0x800, 0, 0))).toEqual([`01132400${value}${digest}00000000`]);

    const packed = deflateSync(written);
    const stale = digest.slice(4, 8);
    expect(await host.ask(0x10, words(0x1000, 1, 0x400, 0x20000))).toEqual([`01100400${value}0000${stale}`]);
    expect(await host.sendBlock(0x11, 0, packed)).toEqual([`01110400${value}0000${stale}`]);
    expect(host.device.flash.read(0x20000, 0x800)).toEqual(Uint8Array.from(written));

    expect(await host.ask(0x0e, words(0x10001, 64))).toEqual([
      `010e4400${value}${hexOf(block.subarray(1, 65))}00000000`,
    ]);
    const left = hexOf(block.subarray(3, 5));
    expect(await host.ask(0x02, words(0x400, 1, 0x400, 0x30000))).toEqual([`01020400${value}0000${left}`]);
    expect(await host.sendBlock(0x03, 0, block, sumOf(block) ^ 1)).toEqual([`01030400${value}0107${left}`]);
    expect(await host.sendBlock(0x03, 0, block)).toEqual([`01030400${value}0105${left}`]);

    expect(await host.ask(0x0f, words(460_800, 0))).toEqual([`010f0400${value}0000${left}`]);
    expect(await host.ask(0x0a, words(divider))).toEqual([`010a04005600c0000000${left}`]);
    const address = chip === 'esp32' ? 0x40090000 : 0x40380000;
    expect(await host.startStub(address)).toEqual([`010604005600c0000000${left}`, '4f484149']);
  });
});
