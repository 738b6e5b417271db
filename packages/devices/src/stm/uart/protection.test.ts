import { describe, expect, it } from 'vitest';
import { hexOf } from '../../testing/hex.ts';
import { connected, pattern, StmHost, withSum } from '../testing/stm-host.ts';

const flash = 0x0800_0000;

describe('write protection', () => {
  it('keeps sectors without reporting an error, until it is taken away', async () => {
    const host = await connected('stm32f103', { content: [{ address: flash, data: new Uint8Array(8_192) }] });
    expect(await host.command(0x63)).toBe('79');
    expect(await host.send(withSum([0, 0]))).toBe('79');
    expect(await host.send([0x7f])).toBe('79');
    await host.command(0x43);
    expect(await host.send(withSum([1, 3, 4]))).toBe('79');
    expect([host.device.flash.read(3_072, 1)[0], host.device.flash.read(4_096, 1)[0]]).toEqual([0, 0xff]);
    expect((await host.read(0x1fff_f808, 2)).slice(6)).toBe('fe01');
    expect(await host.command(0x73)).toBe('7979');
    await host.connect();
    await host.command(0x43);
    await host.send(withSum([0, 3]));
    expect(host.device.flash.read(3_072, 1)[0]).toBe(0xff);
  });

  it.each(['stm32f072', 'stm32f407', 'stm32g071', 'stm32l053', 'stm32l476', 'stm32h743'] as const)(
    '%s has it too',
    async (part) => {
      const host = await connected(part, { content: [{ address: flash, data: new Uint8Array(64).fill(0x5a) }] });
      await host.command(0x63);
      expect(await host.send(withSum([0, 0]))).toBe('79');
      await host.connect();
      expect(await host.extendedErase([0])).toMatch(/79$/);
      expect(host.device.flash.read(0, 64)).toEqual(new Uint8Array(64).fill(0x5a));
    },
  );
});

describe('read protection', () => {
  const content = [{ address: flash, data: Uint8Array.from(pattern(64)) }];

  it('leaves the few commands that the document allows', async () => {
    const host = await connected('stm32g071', { content, protection: 1 });
    expect(await host.command(0x00)).toMatch(/^790b31.*79$/);
    expect(await host.command(0x01)).toBe('7931000079');
    expect(await host.command(0x02)).toBe('7901046079');
    for (const code of [0x11, 0x21, 0x31, 0x44, 0x63, 0x73, 0x82]) {
      expect(await host.command(code)).toBe('1f');
    }
  });

  it('has two NACKs on an STM32F4 for reading and writing', async () => {
    const host = await connected('stm32f407', { content, protection: 1 });
    expect([await host.command(0x11), await host.command(0x31), await host.command(0x44)]).toEqual([
      '1f1f',
      '1f1f',
      '1f',
    ]);
  });

  it.each(['stm32f103', 'stm32f072', 'stm32f407', 'stm32g071', 'stm32l053', 'stm32l476', 'stm32h743'] as const)(
    '%s is protected, restarts, and loses everything when it is opened again',
    async (part) => {
      const host = await connected(part, { content });
      await host.write(0x2000_1f00, [1, 2, 3, 4]);
      expect(await host.command(0x82)).toBe('7979');
      await host.clock.advance(100);
      expect(host.device.protection).toBe(1);
      await host.connect();
      expect(await host.command(0x11)).toMatch(/^1f/);
      expect(hexOf(host.device.flash.read(0, 64))).toBe(hexOf(pattern(64)));
      expect(await host.command(0x92)).toBe('7979');
      await host.connect();
      expect(host.device.protection).toBe(0);
      const erased = part === 'stm32l053' ? '00' : 'ff';
      expect(await host.read(flash, 64)).toBe(`797979${erased.repeat(64)}`);
    },
  );

  it('comes with the option bytes when they are written', async () => {
    const host = await connected('stm32f407', { content });
    expect((await host.read(0x1fff_c000, 16)).slice(6)).toMatch(/^efaa/);
    expect(await host.write(0x1fff_c000, [0xef, 0x55, 0xff, 0xff])).toBe('797979');
    await host.connect();
    expect(host.device.protection).toBe(1);
  });

  it('takes the time of a mass erase to go', async () => {
    const host = await connected('stm32f407', { content, protection: 1, profile: 'real-flash' });
    expect(await host.command(0x92, 15_990)).toBe('79');
    await host.clock.advance(20);
    expect(hexOf(host.terminal.take())).toBe('79');
    expect(host.device.state).toBe('booting');
  });

  it('blocks the bootloader at level 2', async () => {
    const host = new StmHost({ part: 'stm32f407', protection: 2, powerUp: 'bootloader' });
    host.open();
    await host.clock.advance(200);
    expect(host.device.state).toBe('running');
    expect(await host.send([0x7f])).toBe('');
  });

  it('has no level 2 on an STM32F1', async () => {
    const host = await connected('stm32f103', { protection: 2 });
    expect(host.device.protection).toBe(1);
  });
});
