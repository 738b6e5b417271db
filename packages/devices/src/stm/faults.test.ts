import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StmFault, seededStmFault, stmFaultKinds, stmUartSteps, stmUsbFaultKinds, stmUsbSteps } from './faults.ts';
import type { StmDeviceOptions } from './options.ts';
import { StmHost, withSum } from './testing/stm-host.ts';

const flash = 0x0800_0000;
const right = '7901041079';
const data = [1, 2, 3, 4];

async function faulty(fault: StmFault, options: Partial<StmDeviceOptions> = {}) {
  const host = new StmHost({ part: 'stm32f103', content: 'empty', faults: [fault], ...options });
  await host.connect();
  return host;
}

describe('a fault at a step', () => {
  it('strikes at the n-th occurrence, and as often as set', async () => {
    const host = await faulty({ at: 'get-id', kind: 'drop-answer', nth: 2, times: 2 });
    const answers = [await host.command(2), await host.command(2), await host.command(2), await host.command(2)];
    expect(answers).toEqual([right, '', '', right]);
  });

  it('drop-answer carries out the command', async () => {
    const host = await faulty({ at: 'write-data', kind: 'drop-answer' });
    expect(await host.write(flash, data)).toBe('7979');
    expect(host.device.flash.read(0, 4)).toEqual(Uint8Array.from(data));
    expect(await host.command(2)).toBe(right);
  });

  it('drop-command and error-answer do not', async () => {
    const dropped = await faulty({ at: 'write-data', kind: 'drop-command' });
    expect(await dropped.write(flash, data)).toBe('7979');
    const refused = await faulty({ at: 'write-data', kind: 'error-answer' });
    expect(await refused.write(flash, data)).toBe('79791f');
    for (const host of [dropped, refused]) {
      expect(host.device.flash.programmedBytes).toBe(0);
      expect(await host.command(2)).toBe(right);
    }
  });

  it('drop-command at the first 0x7F leaves the part waiting for another', async () => {
    const host = await faulty({ at: 'sync', kind: 'drop-command' });
    expect(await host.send([0x7f])).toBe('79');
  });

  it('damage-answer turns one bit, garbage comes before, repeat-answer comes twice', async () => {
    const damaged = BigInt(`0x${await (await faulty({ at: 'get-id', kind: 'damage-answer' })).command(2)}`);
    expect((damaged ^ BigInt(`0x${right}`)).toString(2).match(/1/g)?.length).toBe(1);
    expect(await (await faulty({ at: 'get-id', kind: 'garbage' })).command(2)).toMatch(new RegExp(`^..+${right}$`));
    expect(await (await faulty({ at: 'get-id', kind: 'repeat-answer' })).command(2)).toBe(right + right);
  });

  it('late-answer waits', async () => {
    const host = await faulty({ at: 'erase-pages', kind: 'late-answer', delay: 300 });
    await host.command(0x43);
    expect(await host.send(withSum([0, 1]), 299)).toBe('');
    await host.clock.advance(2);
    expect(host.terminal.bytes).toEqual(Uint8Array.of(0x79));
  });

  it('split-answer comes byte by byte, join-answer with the next one', async () => {
    const split = await faulty({ at: 'get-id', kind: 'split-answer' });
    expect((await split.command(2, 4)).length).toBe(4);
    await split.clock.advance(20);
    expect(split.terminal.bytes.length).toBe(3);
    const joined = await faulty({ at: 'read-command', kind: 'join-answer', delay: 200 });
    expect(await joined.command(0x11)).toBe('');
    expect(await joined.word(flash)).toBe('7979');
  });

  it('hang lasts until a reset', async () => {
    const host = await faulty({ at: 'get', kind: 'hang' });
    expect(await host.command(0)).toBe('');
    expect(await host.command(2)).toBe('');
    expect(host.device.state).toBe('crashed');
    expect(await host.connect()).toBe('79');
    expect(await host.command(2)).toBe(right);
  });

  it('unplug strikes in the middle of an erase, which stays half done', async () => {
    const content = [{ address: flash, data: new Uint8Array(2_048) }];
    const fault = { at: 'erase-pages', kind: 'unplug', replugAfter: 200 } as const;
    const host = await faulty(fault, { content, profile: 'real-flash' });
    const pulled: (number | null)[] = [];
    host.device.onUnplug = (after) => {
      pulled.push(after);
      host.terminal.wired.detach();
    };
    await host.command(0x43);
    expect(await host.send(withSum([1, 0, 1]), 100)).toBe('');
    expect(pulled).toEqual([200]);
    expect(host.device.state).toBe('off');
    expect(new Set(host.device.flash.read(0, 1_024))).toEqual(new Set([0xff]));
    expect(new Set(host.device.flash.read(1_024, 1_024)).size).toBe(1);
  });

  it('brown-out restarts the part', async () => {
    const host = await faulty({ at: 'write-address', kind: 'brown-out' });
    await host.command(0x31);
    expect(await host.word(flash)).toBe('');
    expect(await host.send([0x7f])).toBe('79');
  });

  it('leaves the device consistent after any kind at any step', async () => {
    for (const at of stmUartSteps) {
      for (const kind of stmFaultKinds) {
        const host = await faulty({ at, kind, times: Number.POSITIVE_INFINITY }, { checksum: true });
        host.device.onUnplug = () => host.terminal.wired.detach();
        for (const work of [
          () => host.command(0),
          () => host.command(1),
          () => host.command(2),
          () => host.read(flash, 8),
          () => host.write(flash, data),
          async () => `${await host.command(0x43)}${await host.send(withSum([0, 0]))}`,
          async () => `${await host.command(0x21)}${await host.word(flash)}`,
          () => host.connect(),
          () => host.command(0x82),
        ]) {
          await work();
        }
        await host.clock.advance(500);
        expect(['off', 'crashed', 'bootloader', 'booting']).toContain(host.device.state);
      }
    }
  });
});

describe('a fault by seed', () => {
  it('is reproducible, and within the chosen kinds and steps', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const choice = { at: ['sync', 'dfu-busy'], kinds: ['hang', 'unplug'], latest: 2 } as const;
        const fault = seededStmFault(seed, choice);
        expect(seededStmFault(seed, choice)).toEqual(fault);
        expect(choice.at).toContain(fault.at);
        expect(choice.kinds).toContain(fault.kind);
        expect([1, 2]).toContain(fault.nth);
      }),
    );
  });

  it('reaches every step and every kind, on USB those that exist there', () => {
    const uart = Array.from({ length: 1_000 }, (_, seed) => seededStmFault(seed));
    expect(new Set(uart.map(({ at }) => at)).size).toBe(stmUartSteps.length);
    expect(new Set(uart.map(({ kind }) => kind)).size).toBe(stmFaultKinds.length);
    const usb = Array.from({ length: 500 }, (_, seed) => seededStmFault(seed, { at: stmUsbSteps }));
    expect(new Set(usb.map(({ kind }) => kind))).toEqual(new Set(stmUsbFaultKinds));
  });
});
