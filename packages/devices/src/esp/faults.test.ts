import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../testing/hex.ts';
import { type EspFault, espFaultKinds, espSteps, seededEspFault } from './faults.ts';
import type { EspDeviceOptions } from './options.ts';
import { EspHost, framed, request, syncData, words } from './testing/esp-host.ts';

const read = (host: EspHost, milliseconds?: number) => host.ask(0x0a, words(0x40001000), 0, milliseconds);
const right = '010a04006f50311b00000000';

async function faulty(fault: EspFault, options: Partial<EspDeviceOptions> = {}) {
  const host = new EspHost({ chip: 'esp32c3', faults: [fault], ...options });
  host.open();
  await host.enterDownload();
  return host;
}

describe('a fault at a step', () => {
  it('strikes at the n-th occurrence, and as often as set', async () => {
    const host = await faulty({ at: 'read-reg', kind: 'drop-answer', nth: 2, times: 2 });
    const answers = [await read(host), await read(host), await read(host), await read(host)];
    expect(answers.map(({ length }) => length)).toEqual([1, 0, 0, 1]);
  });

  it('drop-answer carries out the command', async () => {
    const host = await faulty({ at: 'write-reg', kind: 'drop-answer' });
    expect(await host.ask(0x09, words(0x3fc90000, 5, 0xffffffff, 0))).toEqual([]);
    expect(await host.ask(0x0a, words(0x3fc90000))).toEqual(['010a04000500000000000000']);
  });

  it('drop-command does not carry out the command', async () => {
    const host = await faulty({ at: 'write-reg', kind: 'drop-command' });
    expect(await host.ask(0x09, words(0x3fc90000, 5, 0xffffffff, 0))).toEqual([]);
    expect(await host.ask(0x0a, words(0x3fc90000))).toEqual(['010a04000000000000000000']);
  });

  it('damage-answer turns one bit', async () => {
    const host = await faulty({ at: 'read-reg', kind: 'damage-answer' });
    host.terminal.take();
    host.terminal.wired.send(framed(request(0x0a, words(0x40001000), 0)));
    await host.clock.advance(10);
    const bits = hexOf(host.terminal.take());
    const whole = BigInt(`0x${bits}`) ^ BigInt(`0xc0${right}c0`);
    expect(whole.toString(2).match(/1/g)?.length).toBe(1);
  });

  it('garbage comes before the answer, repeat-answer gives it twice', async () => {
    const garbage = await faulty({ at: 'read-reg', kind: 'garbage' });
    garbage.terminal.take();
    garbage.terminal.wired.send(framed(request(0x0a, words(0x40001000), 0)));
    await garbage.clock.advance(10);
    expect(hexOf(garbage.terminal.take())).toMatch(new RegExp(`^..+c0${right}c0$`));
    const repeat = await faulty({ at: 'read-reg', kind: 'repeat-answer' });
    expect(await read(repeat)).toEqual([right, right]);
  });

  it('late-answer delays the answer and every command behind it', async () => {
    const host = await faulty({ at: 'read-reg', kind: 'late-answer', delay: 300 });
    expect(await read(host, 299)).toEqual([]);
    host.terminal.wired.send(framed(request(0x0a, words(0x40001000), 0)));
    await host.clock.advance(2);
    expect(hexOf(host.terminal.take())).toBe(`c0${right}c0`.repeat(2));
  });

  it('split-answer comes byte by byte', async () => {
    const host = await faulty({ at: 'read-reg', kind: 'split-answer' });
    host.terminal.take();
    host.terminal.wired.send(framed(request(0x0a, words(0x40001000), 0)));
    await host.clock.advance(10);
    expect(host.terminal.bytes.length).toBeLessThan(6);
    await host.clock.advance(40);
    expect(hexOf(host.terminal.take())).toBe(`c0${right}c0`);
  });

  it('join-answer comes with the next one, or after its time', async () => {
    const host = await faulty({ at: 'read-reg', kind: 'join-answer', delay: 200, times: 2 });
    expect(await read(host)).toEqual([]);
    expect(await host.ask(0x0d, words(0, 0))).toEqual([right, '010d04006f50311b00000000']);
    expect(await read(host, 100)).toEqual([]);
    await host.clock.advance(120);
    expect(hexOf(host.terminal.take())).toBe(`c0${right}c0`);
  });

  it('error-answer refuses and does nothing', async () => {
    const host = await faulty({ at: 'write-reg', kind: 'error-answer' });
    expect(await host.ask(0x09, words(0x3fc90000, 5, 0xffffffff, 0))).toEqual(['010904000000000001060000']);
    expect(await host.ask(0x0a, words(0x3fc90000))).toEqual(['010a04000000000000000000']);
  });

  it('ignore-baud answers well and changes nothing', async () => {
    const host = await faulty({ at: 'change-baud', kind: 'ignore-baud' });
    expect((await host.ask(0x0f, words(921_600, 0))).length).toBe(1);
    expect(host.device.link).toMatchObject({ baudRate: 115_200 });
  });

  it('hang lasts until a reset', async () => {
    const host = await faulty({ at: 'sync', kind: 'hang' });
    expect(await host.sync()).toEqual([]);
    expect(await host.sync()).toEqual([]);
    expect(host.device.state).toBe('crashed');
    await host.enterDownload();
    expect((await host.sync()).length).toBe(8);
  });

  it('unplug strikes in the middle of a write, which stays half done', async () => {
    const options = {
      profile: 'real-flash',
      flash: { content: [{ offset: 0, data: new Uint8Array(0x8000) }] },
    } as const;
    const host = await faulty({ at: 'flash-data', kind: 'unplug', replugAfter: 200 }, options);
    const pulled: (number | null)[] = [];
    host.device.onUnplug = (after) => {
      pulled.push(after);
      host.terminal.wired.detach();
    };
    await host.startStub(0x40380000);
    await host.ask(0x02, words(0x4000, 1, 0x4000, 0));
    expect(await host.sendBlock(0x03, 0, new Uint8Array(0x4000).fill(0x77), undefined, 1_000)).toEqual([]);
    expect(pulled).toEqual([200]);
    expect(host.device.state).toBe('off');
    const sectors = [0, 0x1000, 0x2000, 0x3000].map((offset) => new Set(host.device.flash.read(offset, 0x1000)));
    expect(sectors[0]).toEqual(new Set([0xff]));
    expect(sectors[3]).toEqual(new Set([0x00]));
    expect(sectors.some((bytes) => bytes.size > 100)).toBe(true);
  });

  it('brown-out restarts the chip into its flash, and once more when the application starts', async () => {
    const host = await faulty({ at: 'flash-begin', kind: 'brown-out' }, { chip: 'esp32' });
    await host.ask(0x0d, words(0, 0));
    host.terminal.take();
    host.terminal.wired.send(framed(request(0x02, words(0x1000, 4, 0x400, 0x100000), 0)));
    await host.clock.advance(1_000);
    const text = host.terminal.text;
    expect(text).toContain('rst:0xf (RTCWDT_BROWN_OUT_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)');
    expect(text).toContain('Brownout detector was triggered');
    expect(host.device.state).toBe('running');
  });

  it('can keep a stub from greeting', async () => {
    const host = await faulty({ at: 'stub-start', kind: 'drop-answer' });
    expect((await host.startStub(0x40380000)).length).toBe(1);
    expect(host.device.state).toBe('stub');
    expect((await host.ask(0x0d, words(0))).length).toBe(1);
  });

  it('leaves the device consistent after any kind at any step', async () => {
    for (const at of espSteps) {
      for (const kind of espFaultKinds) {
        const host = await faulty({ at, kind, times: Number.POSITIVE_INFINITY });
        host.device.onUnplug = () => host.terminal.wired.detach();
        await host.raw(framed(request(0x08, syncData, 0)));
        await host.startStub(0x40380000);
        for (const [opcode, data] of [
          [0x14, words()],
          [0x0f, words(230_400, 115_200)],
          [0x0b, words(0, 0x400000, 0x10000, 0x1000, 0x100, 0xffff)],
          [0x13, words(0, 4, 0, 0)],
          [0xd2, words(0, 4, 4, 1)],
          [0xd1, words(0, 0x1000)],
          [0xd0, words()],
        ] as const) {
          await host.ask(opcode, data, 0, 5);
        }
        await host.clock.advance(500);
        expect(['off', 'stub', 'crashed', 'booting', 'running', 'boot-loop', 'download']).toContain(host.device.state);
      }
    }
  });
});

describe('a fault by seed', () => {
  it('is reproducible, and within the chosen kinds and steps', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const fault = seededEspFault(seed, { at: ['md5', 'sync'], kinds: ['hang', 'unplug'], latest: 2 });
        expect(seededEspFault(seed, { at: ['md5', 'sync'], kinds: ['hang', 'unplug'], latest: 2 })).toEqual(fault);
        expect(['md5', 'sync']).toContain(fault.at);
        expect(['hang', 'unplug']).toContain(fault.kind);
        expect([1, 2]).toContain(fault.nth);
      }),
    );
  });

  it('reaches every step and every kind', () => {
    const faults = Array.from({ length: 1_000 }, (_, seed) => seededEspFault(seed));
    expect(new Set(faults.map(({ at }) => at)).size).toBe(espSteps.length);
    expect(new Set(faults.map(({ kind }) => kind)).size).toBe(espFaultKinds.length);
  });
});
