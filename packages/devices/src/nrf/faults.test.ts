import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../testing/hex.ts';
import { nrfBoardNames, nrfBoards } from './boards.ts';
import { type NrfFault, type NrfStep, nrfFaultKinds, nrfSteps, seededNrfFault } from './faults.ts';
import { NrfHost, slipEnded } from './testing/nrf-host.ts';
import { smpRequest } from './testing/smp-host.ts';

const ping = [0x09, 0x07];
const right = '60090107';

async function faulty(fault: NrfFault) {
  return new NrfHost({ board: 'nrf52840-secure', powerUp: 'bootloader', faults: [fault] }).open();
}

describe('a fault at a step', () => {
  it('strikes at the n-th occurrence, and as often as set', async () => {
    const host = await faulty({ at: 'ping', kind: 'drop-answer', nth: 2, times: 2 });
    const answers = [await host.ask(ping), await host.ask(ping), await host.ask(ping), await host.ask(ping)];
    expect(answers).toEqual([right, '', '', right]);
    expect(host.device.steps.get('ping')).toBe(4);
  });

  it('drop-answer carries out the command, drop-command does not', async () => {
    const [dropAnswer, dropCommand] = await Promise.all(
      (['drop-answer', 'drop-command'] as const).map((kind) => faulty({ at: 'create', kind })),
    );
    const offsets = async (host: NrfHost | undefined) => {
      await host?.ask([0x01, 0x01, 4, 0, 0, 0]);
      await host?.ask([0x08, 1, 2]);
      return host?.ask([0x03]);
    };
    expect(await offsets(dropAnswer)).toMatch(/^60030102000000/);
    expect(await offsets(dropCommand)).toMatch(/^60030100000000/);
  });

  it('damage-answer turns one bit, garbage comes before the answer, repeat-answer gives it twice', async () => {
    const host = await faulty({ at: 'ping', kind: 'damage-answer' });
    const bits = BigInt(`0x${hexOf(await host.raw(slipEnded(Uint8Array.from(ping))))}`) ^ BigInt(`0x${right}c0`);
    expect(bits.toString(2).match(/1/g)?.length).toBe(1);
    const garbage = await faulty({ at: 'ping', kind: 'garbage' });
    expect(hexOf(await garbage.raw(slipEnded(Uint8Array.from(ping))))).toMatch(new RegExp(`^..+${right}c0$`));
    const repeat = await faulty({ at: 'ping', kind: 'repeat-answer' });
    expect(await repeat.ask(ping)).toBe(`${right} ${right}`);
  });

  it('late-answer delays the answer and later commands, split-answer sends single bytes', async () => {
    const late = await faulty({ at: 'ping', kind: 'late-answer', delay: 300 });
    expect(await late.ask(ping, 299)).toBe('');
    expect(await late.ask([0x07], 2)).toBe(`${right} 6007010308`);
    const split = await faulty({ at: 'ping', kind: 'split-answer' });
    expect((await split.raw(slipEnded(Uint8Array.from(ping)), 7)).length).toBe(3);
  });

  it('error-answer is an error, and nothing is done', async () => {
    const host = await faulty({ at: 'ping', kind: 'error-answer' });
    expect(await host.ask(ping)).toBe('60090a');
    const smp = new NrfHost({
      board: 'nrf52840-mcuboot',
      powerUp: 'bootloader',
      faults: [{ at: 'reset', kind: 'error-answer' }],
    });
    await smp.open();
    await smp.raw(smpRequest(2, 0, 5, [0xa0]), 1_000);
    expect(smp.device.state).toBe('bootloader');
  });

  it('hang is silence until a reset', async () => {
    const host = await faulty({ at: 'ping', kind: 'hang' });
    expect(await host.ask(ping)).toBe('');
    expect(host.device.state).toBe('crashed');
    expect(await host.ask(ping, 10_000)).toBe('');
    host.device.pressReset('with-boot-button');
    await host.clock.advance(100);
    expect(await host.ask(ping)).toBe(right);
  });

  it('seeded gives the same fault again, of the steps and kinds that were asked for', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('secure', 'adafruit', 'mcuboot'), (seed, family) => {
        const at: readonly NrfStep[] = nrfSteps[family as keyof typeof nrfSteps];
        const fault = seededNrfFault(seed, { at, kinds: ['unplug', 'hang'], latest: 5 });
        expect(fault).toEqual(seededNrfFault(seed, { at, kinds: ['unplug', 'hang'], latest: 5 }));
        expect(at).toContain(fault.at);
        expect(['unplug', 'hang']).toContain(fault.kind);
      }),
    );
    expect(nrfFaultKinds).toContain(seededNrfFault(3, { at: ['ping'] }).kind);
  });

  it('leaves any board able to answer after a reset', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...nrfBoardNames),
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }),
        async (board, noise) => {
          const host = new NrfHost({ board, powerUp: 'bootloader' });
          await host.open();
          for (const bytes of noise) {
            host.terminal.wired.send(Uint8Array.from([0xc0, ...bytes, 0xc0, 0x0a]));
          }
          await host.clock.advance(1_000);
          host.device.pressReset('with-boot-button');
          await host.clock.advance(1_000);
          expect(host.device.state).toBe('bootloader');
          if (nrfBoards[board].bootloader === 'secure') {
            expect(await host.ask(ping)).toBe(right);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
