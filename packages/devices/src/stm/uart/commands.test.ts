import { describe, expect, it } from 'vitest';
import { hexOf } from '../../testing/hex.ts';
import { connected, pattern, withSum, wordBytes } from '../testing/stm-host.ts';

const flash = 0x0800_0000;

/** The byte sequences of AN3155, sections 3.1 to 3.3. */
describe('Get, Get Version and Get ID', () => {
  it.each([
    ['stm32f103', '790b22000102112131436373829279', '7901041079'],
    ['stm32f072', '790b31000102112131446373829279', '7901044879'],
    ['stm32f407', '790b31000102112131446373829279', '7901041379'],
    ['stm32g071', '790b31000102112131446373829279', '7901046079'],
    ['stm32l053', '790b31000102112131446373829279', '7901041779'],
    ['stm32l476', '790b31000102112131446373829279', '7901041579'],
    ['stm32h743', '790b31000102112131446373829279', '7901045079'],
  ] as const)('%s lists its commands and says its id', async (part, get, id) => {
    const host = await connected(part);
    expect(await host.command(0x00)).toBe(get);
    expect(await host.command(0x01)).toBe(`79${get.slice(4, 6)}000079`);
    expect(await host.command(0x02)).toBe(id);
  });

  it('a bootloader of V3.3 lists Get Checksum too', async () => {
    const host = await connected('stm32g071', { checksum: true });
    expect(await host.command(0x00)).toBe('790c330001021121314463738292a179');
  });

  it('refuses an unknown command, and one without its complement', async () => {
    const host = await connected('stm32f103');
    for (const frame of [
      [0x44, 0xbb],
      [0xa1, 0x5e],
      [0x50, 0xaf],
      [0x00, 0xfe],
    ] as const) {
      expect(await host.send(frame)).toBe('1f');
    }
    expect(await host.command(0x02)).toBe('7901041079');
    expect([...host.device.commands]).toEqual([[0x02, 1]]);
  });
});

describe('Read Memory', () => {
  it('gives one to 256 bytes', async () => {
    const host = await connected('stm32f103', { content: [{ address: flash, data: Uint8Array.from(pattern(256)) }] });
    expect(await host.read(flash, 1)).toBe('79797903');
    expect(await host.read(flash, 256)).toBe(`797979${hexOf(pattern(256))}`);
  });

  it('reads flash size and unique id where they lie in system memory', async () => {
    const host = await connected('stm32f103', { flashSize: 65_536, uniqueId: '0123456789ABCDEF02468ACE' });
    expect(await host.read(0x1fff_f7e0, 2)).toBe('7979794000');
    expect(await host.read(0x1fff_f7e8, 12)).toBe('79797967452301efcdab89ce8a4602');
    expect(host.device.uniqueId).toBe('0123456789ABCDEF02468ACE');
  });

  it('gives an STM32F4 its size only together with its OTP, as hardware does', async () => {
    const host = await connected('stm32f407');
    expect(await host.command(0x11)).toBe('79');
    expect(await host.word(0x1fff_7a22)).toBe('1f');
    const block = (await host.read(0x1fff_7a00, 256)).slice(6);
    expect(block.slice(0x22 * 2, 0x24 * 2)).toBe('0004');
  });

  it('refuses the RAM of the bootloader, a wrong address, a wrong sum, a wrong count', async () => {
    const host = await connected('stm32f072');
    for (const address of [0x2000_0000, 0x6000_0000, flash + 131_072]) {
      expect(await host.command(0x11)).toBe('79');
      expect(await host.word(address)).toBe('1f');
    }
    expect(await host.command(0x11)).toBe('79');
    expect(await host.send([0x08, 0, 0, 0, 0x09])).toBe('1f');
    expect(await host.command(0x11)).toBe('79');
    expect(await host.word(flash)).toBe('79');
    expect(await host.send([0x0f, 0x0f])).toBe('1f');
    expect(await host.command(0x02)).toBe('7901044879');
  });
});

describe('Write Memory', () => {
  it('programs data that can be read back', async () => {
    const host = await connected('stm32l476');
    expect(await host.write(flash + 0x800, pattern(256))).toBe('797979');
    expect(await host.read(flash + 0x800, 256)).toBe(`797979${hexOf(pattern(256))}`);
    expect(host.device.flash.programmedBytes).toBe(256);
  });

  it('refuses data with a wrong sum and programs nothing of it', async () => {
    const host = await connected('stm32f103');
    expect(await host.command(0x31)).toBe('79');
    expect(await host.word(flash)).toBe('79');
    expect(await host.send([3, 1, 2, 3, 4, 0])).toBe('1f');
    expect(host.device.flash.read(0, 4)).toEqual(Uint8Array.of(0xff, 0xff, 0xff, 0xff));
  });

  it('takes multiples of four bytes only', async () => {
    const host = await connected('stm32f103');
    expect(await host.write(flash, [1, 2])).toBe('79791f');
    expect(await host.write(flash, [1, 2, 3, 4])).toBe('797979');
  });

  it.each(['stm32f103', 'stm32g071', 'stm32l476', 'stm32h743'] as const)(
    '%s refuses to program cells that are not erased, except with zeros',
    async (part) => {
      const host = await connected(part);
      const data = pattern(32);
      expect(await host.write(flash, data)).toBe('797979');
      expect(await host.write(flash, data)).toBe('79791f');
      expect(await host.write(flash, new Array<number>(32).fill(0))).toBe('797979');
      expect(host.device.flash.read(0, 32)).toEqual(new Uint8Array(32));
    },
  );

  it('an STM32F4 clears bits of cells that are not erased, without an error', async () => {
    const host = await connected('stm32f407');
    await host.write(flash, [0xf0, 0xff, 0x0f, 0xff]);
    expect(await host.write(flash, [0x3c, 0x3c, 0x3c, 0x3c])).toBe('797979');
    expect(hexOf(host.device.flash.read(0, 4))).toBe('303c0c3c');
  });

  it('an STM32L0 is erased to 0 and sets bits', async () => {
    const host = await connected('stm32l053');
    expect(await host.read(flash, 4)).toBe('79797900000000');
    expect(await host.write(flash, pattern(128))).toBe('797979');
    expect(hexOf(host.device.flash.read(0, 128))).toBe(hexOf(pattern(128)));
    expect(await host.write(flash + 64, new Array<number>(8).fill(0xff))).toBe('79791f');
  });

  it('an STM32L0 writes its data memory without an erase', async () => {
    const host = await connected('stm32l053');
    expect(await host.write(0x0808_0000, [1, 2, 3, 4])).toBe('797979');
    expect(await host.write(0x0808_0000, [9, 8, 7, 6])).toBe('797979');
    expect(await host.read(0x0808_0000, 4)).toBe('79797909080706');
  });

  it('fails at an address that is not aligned, and from there on everywhere until a reset', async () => {
    const host = await connected('stm32l476');
    expect(await host.write(flash + 4, [1, 2, 3, 4])).toBe('79791f');
    expect(await host.write(flash + 8, pattern(8))).toBe('79791f');
    expect(await host.connect()).toBe('79');
    expect(await host.write(flash + 8, pattern(8))).toBe('797979');
  });

  it('writes RAM', async () => {
    const host = await connected('stm32g071');
    expect(await host.write(0x2000_2700, [1, 2, 3, 4])).toBe('797979');
    expect(await host.read(0x2000_2700, 4)).toBe('79797901020304');
  });

  it('programs an STM32F4 by words when the option says that the supply allows it', async () => {
    const host = await connected('stm32f407', { profile: 'real-flash' });
    expect(await host.write(flash, pattern(256), 4)).toBe('7979');
    await host.clock.advance(10);
    expect(await host.write(0xffff_0000, [0x03, 0xff, 0xff, 0xff])).toBe('797979');
    expect(await host.write(flash + 256, pattern(256), 1.1)).toBe('797979');
    expect(await host.write(0xffff_0000, [0x05, 0xff, 0xff, 0xff])).toBe('79791f');
  });
});

describe('Erase', () => {
  const content = [{ address: flash, data: new Uint8Array(8_192).fill(0x55) }];

  it('erases pages by numbers of one byte', async () => {
    const host = await connected('stm32f103', { content });
    expect(await host.command(0x43)).toBe('79');
    expect(await host.send(withSum([1, 0, 2]))).toBe('79');
    expect([0, 1, 2, 3].map((page) => host.device.flash.read(page * 1_024, 1)[0])).toEqual([0xff, 0x55, 0xff, 0x55]);
    expect(host.device.flash.erasedBytes).toBe(2_048);
  });

  it('erases everything for 0xff and 0x00, and acknowledges 0xff and something else without erasing', async () => {
    const host = await connected('stm32f103', { content });
    await host.command(0x43);
    expect(await host.send([0xff, 0x01])).toBe('79');
    expect(host.device.flash.erasedBytes).toBe(0);
    await host.command(0x43);
    expect(await host.send([0xff, 0x00])).toBe('79');
    expect(host.device.flash.erasedBytes).toBe(131_072);
  });

  it('refuses a wrong sum and a page that is not there', async () => {
    const host = await connected('stm32f103', { content });
    await host.command(0x43);
    expect(await host.send([0, 1, 2])).toBe('1f');
    await host.command(0x43);
    expect(await host.send(withSum([0, 128]))).toBe('1f');
    expect(host.device.flash.erasedBytes).toBe(0);
  });
});

describe('Extended Erase', () => {
  it('erases sectors of their sizes', async () => {
    const content = [{ address: flash, data: new Uint8Array(262_144).fill(0x55) }];
    const host = await connected('stm32f407', { content });
    expect(await host.extendedErase([3, 4])).toBe('7979');
    expect(host.device.flash.erasedBytes).toBe(16_384 + 65_536);
    const marks = [0xbfff, 0xc000, 0x1_ffff, 0x2_0000].map((offset) => host.device.flash.read(offset, 1)[0]);
    expect(marks).toEqual([0x55, 0xff, 0xff, 0x55]);
  });

  it('takes the special codes that the part has', async () => {
    const l476 = await connected('stm32l476');
    expect(await l476.extendedErase(0xfffd)).toBe('7979');
    expect(l476.device.flash.erasedBytes).toBe(524_288);
    expect(await l476.extendedErase(0xffff)).toBe('7979');
    expect(await l476.extendedErase(0xfffc)).toBe('791f');
    const g071 = await connected('stm32g071');
    expect(await g071.extendedErase(0xfffe)).toBe('791f');
    expect(await g071.extendedErase(0xffff)).toBe('7979');
  });

  it('an STM32L0 refuses a mass erase and takes pages', async () => {
    const host = await connected('stm32l053', { content: [{ address: flash, data: new Uint8Array(65_536).fill(1) }] });
    expect(await host.extendedErase(0xffff)).toBe('791f');
    expect(await host.extendedErase(Array.from({ length: 512 }, (_, page) => page))).toBe('7979');
    expect(host.device.flash.read(0, 65_536)).toEqual(new Uint8Array(65_536));
  });

  it('refuses a special code with a wrong sum', async () => {
    const host = await connected('stm32f407');
    await host.command(0x44);
    expect(await host.send([0xff, 0xff, 0x01])).toBe('1f');
    expect(host.device.flash.erasedBytes).toBe(0);
  });

  it('takes its time, and keeps one byte that arrives during the erase', async () => {
    const host = await connected('stm32f407', { profile: 'real-flash' });
    expect(await host.extendedErase([0], 399)).toBe('79');
    expect(await host.send([0x02, 0xfd, 0x02, 0xfd], 5)).toBe('79');
    expect(await host.send([0xfd])).toBe('7901041379');
    const start = host.clock.now();
    expect(await host.extendedErase(0xffff, 15_900)).toBe('79');
    await host.clock.advance(200);
    expect(hexOf(host.terminal.take())).toBe('79');
    expect(host.clock.now() - start).toBeLessThan(16_200);
  });
});

describe('Go', () => {
  it('refuses addresses outside flash and RAM', async () => {
    const host = await connected('stm32f103');
    for (const address of [0x1fff_f000, 0x1fff_f800, 0x4000_0000]) {
      expect(await host.command(0x21)).toBe('79');
      expect(await host.word(address)).toBe('1f');
    }
  });
});

describe('Get Checksum', () => {
  /** The checksum of AN4187's unit over 00 01 02 … 0f, computed by hand with the polynomial of Ethernet. */
  it('gives the sum of the words after an ACK for each parameter', async () => {
    const data = Uint8Array.from({ length: 16 }, (_, index) => index);
    const host = await connected('stm32g071', { checksum: true, content: [{ address: flash, data }] });
    expect(await host.command(0xa1)).toBe('79');
    expect(await host.word(flash)).toBe('79');
    expect(await host.word(4)).toBe('79');
    expect(await host.word(0x04c1_1db7)).toBe('79');
    const answer = await host.word(0xffff_ffff);
    const sum = referenceSum(data);
    expect(answer).toBe(`7979${hexOf(withSum(wordBytes(sum)))}`);
  });

  it('refuses no words, and more than there is', async () => {
    const host = await connected('stm32g071', { checksum: true });
    for (const words of [0, 1_000_000]) {
      await host.command(0xa1);
      await host.word(flash);
      expect(await host.word(words)).toBe('1f');
    }
  });
});

/** Computes the same checksum by long division of big integers, unlike the device. */
function referenceSum(data: Uint8Array): number {
  const view = new DataView(data.buffer);
  const words = Array.from({ length: data.length / 4 }, (_, index) => view.getUint32(index * 4, true));
  let message = words.reduce((all, word) => (all << 32n) | BigInt(word), 0n) << 32n;
  message ^= 0xffff_ffffn << BigInt(data.length * 8);
  const divisor = 0x1_04c1_1db7n;
  for (let bit = data.length * 8 - 1; bit >= 0; bit--) {
    if ((message >> BigInt(bit + 32)) & 1n) {
      message ^= divisor << BigInt(bit);
    }
  }
  return Number(message);
}
