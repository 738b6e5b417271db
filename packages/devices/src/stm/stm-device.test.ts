import { describe, expect, it } from 'vitest';
import { stmFirmware } from './firmware.ts';
import type { StmWiring, StmWiringName } from './options.ts';
import { evenParity, StmHost, withSum, wordBytes } from './testing/stm-host.ts';

const flash = 0x0800_0000;
const console8n1 = { ...evenParity, parity: 'none' } as const;
const hello = stmFirmware({ text: 'hello\r\n' });

describe('power-up', () => {
  it('runs the program with BOOT0 low, at the program’s own rate without parity', async () => {
    const content = [{ address: flash, data: stmFirmware({ text: 'ready\r\n', baudRate: 57_600 }) }];
    const host = new StmHost({ part: 'stm32f407', content }, { pace: 'wire' });
    host.open({ ...console8n1, baudRate: 57_600 });
    await host.clock.advance(50);
    expect(host.terminal.text).toBe('ready\r\n');
    expect(host.device.state).toBe('running');
    expect(await host.send([0x7f])).toBe('');
  });

  it('is silent with an empty flash', async () => {
    const host = new StmHost({ part: 'stm32f103', content: 'empty' });
    host.open();
    await host.clock.advance(50);
    expect(host.device.state).toBe('crashed');
    expect(host.terminal.text).toBe('');
  });

  it('runs a foreign program that prints nothing', async () => {
    const data = stmFirmware({ text: 'x' }).slice(0, 192);
    const host = new StmHost({ part: 'stm32f103', content: [{ address: flash, data }] });
    host.open();
    await host.clock.advance(50);
    expect([host.device.state, host.terminal.text]).toEqual(['running', '']);
  });

  it('waits for the port to be opened with the option for it', async () => {
    const host = new StmHost({ part: 'stm32g071', powerUp: 'first-open' });
    await host.clock.advance(1_000);
    expect(host.device.state).toBe('off');
    host.open(console8n1);
    await host.clock.advance(50);
    expect(host.terminal.text).toBe('\r\nSTM32G071 with its factory program.\r\n');
  });

  it('enters the bootloader of an STM32G0 with empty flash until power-up, even after a write', async () => {
    const host = new StmHost({ part: 'stm32g071', content: 'empty' });
    host.open();
    await host.clock.advance(50);
    expect(await host.send([0x7f])).toBe('79');
    for (let at = 0; at < hello.length; at += 256) {
      const block = Array.from(hello.slice(at, at + 256));
      expect(await host.write(flash + at, block)).toBe('797979');
    }
    host.device.pressReset();
    await host.clock.advance(50);
    expect(host.device.state).toBe('bootloader');
    host.terminal.wired.detach();
    const again = host.device;
    again.attach({
      clock: host.clock,
      pending: 0,
      write: () => undefined,
      sendBreak: () => undefined,
      setInputs: () => undefined,
    });
    await host.clock.advance(50);
    expect(again.state).toBe('running');
  });
});

describe('Go', () => {
  it('starts the program at an address', async () => {
    const data = stmFirmware({ text: 'second\r\n', address: flash + 0x4000 });
    const host = new StmHost({ part: 'stm32f072', content: [{ address: flash + 0x4000, data }] });
    await host.connect();
    await host.command(0x21);
    expect(await host.send(withSum(wordBytes(flash + 0x4000)), 1)).toBe('79');
    host.open(console8n1);
    await host.clock.advance(50);
    expect(host.terminal.text).toBe('second\r\n');
  });

  it('ends in silence until a reset at an empty address', async () => {
    const host = new StmHost({ part: 'stm32f072', content: 'empty' });
    await host.connect();
    await host.command(0x21);
    expect(await host.word(flash)).toBe('79');
    await host.clock.advance(50);
    expect(host.device.state).toBe('crashed');
    expect(await host.connect()).toBe('79');
  });

  it('is a reset for code in RAM that resets its core', async () => {
    const host = new StmHost({ part: 'stm32f103', content: [{ address: flash, data: hello }] });
    await host.connect();
    const code = [0x0149_024a, 0x0a60_fee7, 0x0ced_00e0, 0x0400_fa05].flatMap((word) =>
      [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff),
    );
    await host.write(0x2000_0200, [0x00, 0x20, 0x00, 0x20, 0x09, 0x02, 0x00, 0x20, ...code]);
    host.device.setBoot0(false);
    await host.command(0x21);
    expect(await host.send(withSum(wordBytes(0x2000_0200)), 1)).toBe('79');
    host.open(console8n1);
    await host.clock.advance(50);
    expect(host.terminal.text).toBe('hello\r\n');
  });
});

describe('DTR and RTS', () => {
  /** The lines that hold NRST low with BOOT0 high, and the lines that release NRST. */
  const wirings: readonly (readonly [StmWiringName, object, object])[] = [
    ['dtr-reset', { dtr: true, rts: true }, { dtr: false }],
    ['rts-reset', { rts: true, dtr: true }, { rts: false }],
    ['dtr-reset-direct', { dtr: true, rts: false }, { dtr: false }],
    ['rts-reset-direct', { rts: true, dtr: false }, { rts: false }],
  ];

  it.each(wirings)('wired %s reset into the bootloader', async (wiring, hold, release) => {
    const host = new StmHost({ part: 'stm32f103', wiring, content: 'empty' });
    host.open();
    host.terminal.wired.setLines(hold);
    expect(host.device.state).toBe('held');
    expect(await host.send([0x7f])).toBe('');
    host.terminal.wired.setLines(release);
    await host.clock.advance(20);
    expect(await host.send([0x7f])).toBe('79');
  });

  it('can be wired upside down', async () => {
    const wiring: StmWiring = {
      reset: { line: 'dtr', holdsWhen: 'released' },
      boot0: { line: 'rts', highWhen: 'asserted' },
    };
    const host = new StmHost({ part: 'stm32f103', wiring });
    expect(host.device.state).toBe('held');
    host.open();
    host.terminal.wired.setLines({ dtr: true, rts: true });
    await host.clock.advance(20);
    expect(host.device.state).toBe('bootloader');
  });

  it('do nothing where BOOT0 and reset are worked by hand', async () => {
    const host = new StmHost({ part: 'stm32l476', wiring: 'by-hand' });
    host.open();
    await host.clock.advance(100);
    host.terminal.wired.setLines({ dtr: true, rts: true });
    host.terminal.wired.setLines({ dtr: false, rts: false });
    expect(host.device.state).toBe('running');
    host.device.setBoot0(true);
    host.device.pressReset();
    await host.clock.advance(100);
    expect(await host.send([0x7f])).toBe('79');
    expect(host.device.usbIds).toEqual({ usbVendorId: 0x0483, usbProductId: 0x374b });
  });

  it('a reset in the middle of an erase leaves a page half erased', async () => {
    const content = [{ address: flash, data: new Uint8Array(16_384) }];
    const host = new StmHost({ part: 'stm32f407', profile: 'real-flash', content });
    await host.connect();
    await host.extendedErase([0], 200);
    host.device.pressReset();
    const values = new Set(host.device.flash.read(0, 16_384));
    expect(values.size).toBeGreaterThan(50);
  });
});

describe('an STM32 that does not exist', () => {
  it('is refused', () => {
    expect(() => new StmHost({ part: 'stm32f103', flashSize: 1_000 })).toThrow(
      'There is no STM32F103 with 1000 bytes of flash.',
    );
  });
});
