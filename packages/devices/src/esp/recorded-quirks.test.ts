/**
 * Answers of genuine ROM code to wrong, unknown and repeated requests, recorded from an ESP32 (ECO3) and an ESP32-C3.
 * The simulated ROM has to answer the same bytes, including the stale ones.
 */
import { describe, expect, it } from 'vitest';
import { joined } from '../byte-fields.ts';
import { bytesOf, hexOf } from '../testing/hex.ts';
import { EspHost, framed, request, sumOf, syncData, words } from './testing/esp-host.ts';

const chips = [
  { chip: 'esp32', magic: '831df000' },
  { chip: 'esp32c3', magic: '6f50311b' },
] as const;

const magicAddress = 0x40001000;
const block = Uint8Array.from({ length: 0x400 }, (_, index) => index & 0xff);

/** A host with a freshly synced chip, as at the start of the recording. */
async function synced(chip: 'esp32' | 'esp32c3') {
  const host = new EspHost({ chip, flash: { content: 'empty' } });
  host.open();
  await host.enterDownload();
  expect(await host.sync()).toEqual(new Array(8).fill('010804000707122000000000'));
  return host;
}

describe.each(chips)('the ROM of an $chip', ({ chip, magic }) => {
  it('answers unknown commands in the name of the command before', async () => {
    const host = await synced(chip);
    expect(await host.ask(0x77, words(1))).toEqual(new Array(8).fill('010804000707122001050000'));
    expect(await host.ask(0x0a, words(magicAddress))).toEqual([`010a0400${magic}00000000`]);
    expect(await host.ask(0x77, words(1))).toEqual([`010a0400${magic}01050000`]);
    expect(await host.ask(0xd2, words(0, 0x4000, 0x400, 64))).toEqual([`010a0400${magic}01050000`]);
    expect(await host.ask(0xd0)).toEqual([`010a0400${magic}01050000`]);
  });

  it('gives back whatever SYNC carries, and what it carried last when it carries nothing', async () => {
    const host = await synced(chip);
    const other = Uint8Array.from([0x11, 0x11, 0x11, 0x11, ...syncData.subarray(4)]);
    expect(await host.ask(0x08, other)).toEqual(new Array(8).fill('010804001111111100000000'));
    expect(await host.ask(0x08)).toEqual(new Array(8).fill('010804001111111100000000'));
  });

  it('finds a request among stray bytes, between doubled delimiters, and two in one piece', async () => {
    const host = await synced(chip);
    const read = request(0x0a, words(magicAddress), 0);
    const right = `010a0400${magic}00000000`;
    expect(await host.raw(joined(bytesOf('112233'), framed(read)))).toEqual([right]);
    expect(await host.raw(joined(bytesOf('c0'), framed(read)))).toEqual([right]);
    expect(await host.raw(joined(framed(read), framed(read)))).toEqual([right, right]);
    expect(await host.raw(framed(request(0x0a, words(magicAddress), 0, 1)))).toEqual([`010a0400${magic}01050000`]);
    expect(await host.raw(framed(request(0x0a, words(magicAddress), 0, 0, 99)))).toEqual([right]);
  });

  it('counts blocks as the genuine one does, and drags its last error along', async () => {
    const host = await synced(chip);
    const status = async (answer: Promise<string[]>) => (await answer).map((frame) => frame.slice(16));
    const sendBlock = (sequence: number, checksum = sumOf(block)) =>
      status(host.sendBlock(0x03, sequence, block, checksum));
    await host.ask(0x0a, words(magicAddress));
    expect(await host.ask(0x0d, words(0, 0))).toEqual([`010d0400${magic}00000000`]);
    expect(await status(host.ask(0x02, words(0x800, 2, 0x400, 0x3e0000)))).toEqual(['01060000']);
    expect(await status(host.ask(0x0b, words(0, 0x400000, 0x10000, 0x1000, 0x100, 0xffff)))).toEqual(['00060000']);
    expect(await sendBlock(0)).toEqual(['00060000']);
    expect(await status(host.ask(0x02, words(0x800, 2, 0x400, 0)))).toEqual(['00060000']);
    expect(await sendBlock(5)).toEqual(['01050000']);
    expect(await sendBlock(0)).toEqual(['00050000']);
    expect(await status(host.ask(0x02, words(0x800, 2, 0x400, 0)))).toEqual(['00050000']);
    expect(await sendBlock(0)).toEqual(['00050000']);
    expect(await sendBlock(1, 0x55)).toEqual(['01070000']);
    expect(await sendBlock(1)).toEqual(['01050000']);
    expect(await sendBlock(2)).toEqual(['00050000']);
    expect(await status(host.ask(0x02, words(0x800, 2, 0x400, 0x400000)))).toEqual(['01060000']);
  });

  it('builds every answer in memory that it never clears', async () => {
    const host = await synced(chip);
    await host.ask(0x0a, words(magicAddress));
    await host.ask(0x0d, words(0, 0));
    await host.ask(0x0b, words(0, 0x400000, 0x10000, 0x1000, 0x100, 0xffff));
    const emptyDigest = hexOf(new TextEncoder().encode('d41d8cd98f00b204e9800998ecf8427e'));
    expect(await host.ask(0x13, words(0, 0, 0, 0))).toEqual([`01132400${magic}${emptyDigest}00000000`]);
    const stale = emptyDigest.padEnd(128, '0');
    expect(await host.ask(0x0e, words(0, 65))).toEqual([`010e4400${magic}${stale}010a0000`]);
    expect(await host.ask(0x10, words(0x1000, 1, 0x400, 0))).toEqual([`01100400${magic}000a3164`]);
    expect(await host.sendBlock(0x11, 0, block)).toEqual([`01110400${magic}010b3164`]);
    expect(await host.ask(0x0a, words(magicAddress))).toEqual([`010a0400${magic}00003164`]);
  });
});

describe('GET_SECURITY_INFO in ROM', () => {
  it('is unknown to the ESP32', async () => {
    const host = await synced('esp32');
    expect(await host.ask(0x14)).toEqual(new Array(8).fill('010804000707122001050000'));
  });

  it('is known to the ESP32-C3', async () => {
    const host = await synced('esp32c3');
    await host.ask(0x77, words(1));
    expect(await host.ask(0x14)).toEqual(['011418000707122000000000000000000000000c050000000300000000050000']);
    expect(await host.ask(0xd2, words(0, 0x4000, 0x400, 64))).toEqual(['011404000707122001050000']);
  });
});

describe('MEM_DATA without MEM_BEGIN and with a wrong checksum', () => {
  it.each([
    ['esp32', '05'],
    ['esp32c3', '07'],
  ] as const)('is an error of its own kind on %s', async (chip, code) => {
    const host = await synced(chip);
    const [answer] = await host.ask(0x07, joined(words(4, 0, 0, 0), bytesOf('78563412')), 0x55);
    expect(answer).toMatch(new RegExp(`^0107.*01${code}0000$`));
  });
});
