import { describe, expect, it } from 'vitest';
import { inputPin, isHigh, outputPin, watchPins } from './instruments/pins.ts';
import { pwmOn } from './instruments/pwm.ts';
import { readRegisters, writeRegister } from './instruments/registers.ts';
import type { Lab } from './lab.ts';
import { LabError } from './lab-failure.ts';
import { entry, type Macro, setting } from './macro.ts';
import { flashCommands } from './open-lab.ts';
import { LabRig } from './testing/lab-rig.ts';

const chips = ['esp32', 'esp32c3'] as const;
const ram = { esp32: 0x3ffb_0000, esp32c3: 0x3fca_0000 } as const;

const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof LabError ? error.code : error;
};

describe.each(chips)('a lab on %s', (chip) => {
  it('opens at the wanted rate without one command for flash, and leaves flash as it was', async () => {
    const rig = new LabRig({ chip });
    const before = rig.device.flash.read(0, 0x2_0000);
    const lab = await rig.open();
    expect(lab.info).toMatchObject({ chip, crystal: 40, link: 'uart', packageName: null });
    expect(lab.info.mac).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
    expect(lab.baudRate).toBe(921_600);
    expect(rig.steps).toEqual(['opening', 'resetting', 'synchronising', 'identifying', 'changing-baud-rate', 'ready']);
    await rig.run(lab.leave());
    expect(lab.counters.flashCommands).toBe(0);
    expect([...rig.device.commands.keys()].filter((op) => flashCommands.includes(op))).toEqual([]);
    expect(rig.device.flash.read(0, 0x2_0000)).toEqual(before);
    expect(rig.problems()).toEqual([]);
  });

  it('gives each of many macros its own words, in order, several in flight', async () => {
    const rig = new LabRig({ chip });
    const lab = await rig.open();
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const fill = numbers.map((number) => entry(ram[chip] + 4 * number, number * 3));
    await rig.run(lab.run(setting('fill', fill)));
    const words = numbers.map((number) => lab.run(readRegisters(lab.chip, [ram[chip] + 4 * number])));
    expect((await rig.run(Promise.all(words))).flat()).toEqual(numbers.map((number) => number * 3));
    expect(lab.counters.reads).toBeGreaterThanOrEqual(100);
    expect(lab.counters.roundTrip).toBeGreaterThan(0);
    expect(rig.problems()).toEqual([]);
  });

  it('splits a list that is longer than the ROM takes', async () => {
    const rig = new LabRig({ chip });
    const lab = await rig.open();
    const entries = Array.from({ length: 900 }, (_, index) => entry(ram[chip] + 4 * index, index));
    await rig.run(lab.run(setting('long', entries)));
    const lists = rig.sent
      .filter(({ op, words }) => op === 9 && words.length > 100)
      .map(({ words }) => words.length / 4);
    expect(lists).toEqual([384, 384, 132]);
  });

  it('sends nothing of a macro with one forbidden entry', async () => {
    const rig = new LabRig({ chip });
    const lab = await rig.open();
    const before = rig.sent.length;
    const uart0 = chip === 'esp32' ? 0x3ff4_0014 : 0x6000_0014;
    expect(await failureOf(lab.run(setting('', [entry(ram[chip], 1), entry(uart0, 0)])))).toBe('refused');
    expect(await failureOf(lab.run(readRegisters(lab.chip, [uart0])))).toBe('refused');
    await rig.clock.advance(100);
    expect(rig.sent).toHaveLength(before);
  });

  it('releases every pin that was used, then resets and closes', async () => {
    const rig = new LabRig({ chip });
    const lab = await rig.open();
    const pins = [4, 5];
    await rig.run(lab.run(outputPin(lab.chip, 4, { high: true })));
    await rig.run(lab.run(pwmOn(lab.chip, { pin: 5, frequency: 1000, duty: 0.5 })));
    const before = rig.sent.length;
    await rig.run(lab.leave());
    const [bank] = lab.chip.gpio.banks;
    const [released, reset] = rig.sent.slice(before);
    const cleared = (released?.words ?? []).filter(
      (_, at, words) => at % 4 === 1 && words[at - 1] === bank?.enableClear,
    );
    expect(cleared).toEqual(pins.map((pin) => 1 << pin));
    expect(reset?.words[0]).toBe(lab.chip.reset.address);
    expect(rig.port.readable).toBeNull();
    expect(await failureOf(lab.run(watchPins(lab.chip)))).toBe('left');
    expect(lab.over.reason).toMatchObject({ code: 'left' });
    expect(rig.problems()).toEqual([]);
  });

  it('does not count pins as released without an answer', async () => {
    // Writes in order: the reset mark, the output, the release.
    const rig = new LabRig({ chip, faults: [{ at: 'write-reg', kind: 'drop-answer', nth: 3 }] });
    const lab = await rig.open();
    await rig.run(lab.run(outputPin(lab.chip, 4, { high: true })));
    await rig.run(lab.leave());
    expect(lab.over.reason).toMatchObject({ code: 'left', detail: expect.stringContaining('did not confirm') });
  });

  it('sends release and reset in one go, before any answer, when it is left at once', async () => {
    const rig = new LabRig({ chip });
    const lab = await rig.open();
    await rig.run(lab.run(outputPin(lab.chip, 4, { high: true })));
    const before = rig.sent.length;
    await rig.run(lab.leave({ atOnce: true }));
    const [list] = rig.sent.slice(before);
    const addresses = list?.words.filter((_, at) => at % 4 === 0) ?? [];
    expect(addresses[0]).toBe(lab.chip.gpio.banks[0]?.enableClear);
    expect(addresses.at(-1)).toBe(lab.chip.reset.address);
    expect(rig.device.state).not.toBe('download');
    expect(lab.over.reason).toMatchObject({ code: 'left', detail: expect.stringContaining('did not confirm') });
    expect(rig.problems()).toEqual([]);
  });

  it('can leave a board in its ROM, with its pins released', async () => {
    const rig = new LabRig({ chip });
    const lab = await rig.open();
    await rig.run(lab.run(outputPin(lab.chip, 4, { high: true })));
    await rig.run(lab.leave({ restart: false }));
    await rig.clock.advance(1_000);
    expect(rig.device.state).toBe('download');
    expect(rig.port.readable).toBeNull();
    expect(lab.over.reason).toMatchObject({ code: 'left', detail: null });
  });

  it('lets another board than the expected one run its own program', async () => {
    const rig = new LabRig({ chip });
    expect(await rig.run(failureOf(rig.opening({ expectedMac: '24:0a:c4:99:99:99' })))).toBe('other-board');
    await rig.clock.advance(1_000);
    expect(rig.device.state).toBe('running');
  });

  it('ends within a second for all waiting calls when it is unplugged', async () => {
    const rig = new LabRig({ chip });
    const lab = await rig.open();
    const waiting = Promise.all([failureOf(lab.run(watchPins(lab.chip))), failureOf(lab.run(watchPins(lab.chip)))]);
    const since = rig.clock.now();
    rig.demo.unplug();
    expect(await rig.run(waiting)).toEqual(['unplugged', 'unplugged']);
    expect(rig.clock.now() - since).toBeLessThanOrEqual(1_000);
    expect(lab.over.reason).toMatchObject({ code: 'unplugged' });
    await rig.run(lab.leave());
  });

  it('reports a stopped ROM within three seconds, without a cause, and leaves the board running', async () => {
    const rig = new LabRig({ chip });
    const lab = await rig.open();
    await rig.run(crash(lab));
    const since = rig.clock.now();
    expect(await rig.run(failureOf(lab.run(watchPins(lab.chip))))).toBe('rom-stopped');
    expect(rig.clock.now() - since).toBeLessThanOrEqual(3_000);
    await rig.run(lab.leave());
    expect(rig.port.readable).toBeNull();
  });

  it('can be opened again after a crash and after leaving', async () => {
    const rig = new LabRig({ chip });
    const first = await rig.open();
    await rig.run(crash(first));
    await rig.run(failureOf(first.run(watchPins(first.chip))));
    await rig.run(first.leave());
    const second = await rig.open();
    await rig.run(second.leave());
    const third = await rig.open();
    const levels = await rig.run(third.run(watchPins(third.chip)));
    expect(isHigh(third.chip, levels, 4)).toBe(false);
  });
});

/** Reads an unmapped address without the policy, which crashes the ROM. */
function crash(lab: Lab): Promise<void> {
  return lab.withLink(async (link, signal) => {
    link.write(Uint8Array.from(Buffer.from('c0000a04000000000000000000c0', 'hex')));
    await link.listen(50, signal);
  });
}

describe('link queue', () => {
  it('serves a person before the background, and the background in the end', async () => {
    const rig = new LabRig({ chip: 'esp32' });
    const lab = await rig.open();
    const named = (title: string): Macro<unknown> => ({ ...watchPins(lab.chip), title, repeatable: false });
    const all = [
      lab.run(named('background'), { priority: 'background' }),
      lab.run(named('first')),
      lab.run(named('second')),
    ];
    await rig.run(Promise.all(all));
    expect(rig.titles).toEqual(['first', 'second', 'background']);
  });

  it('drops a macro when its caller cancels it', async () => {
    const rig = new LabRig({ chip: 'esp32' });
    const lab = await rig.open();
    const abort = new AbortController();
    const { signal } = abort;
    const kept = lab.run({ ...inputPin(lab.chip, 4), repeatable: false });
    const dropped = lab.run(outputPin(lab.chip, 5, { high: true }), { signal });
    abort.abort();
    expect(await failureOf(dropped)).toBe('cancelled');
    await rig.run(kept);
    await rig.clock.advance(100);
    expect(rig.titles).toEqual(['GPIO 4: input, no pull']);
    expect(await failureOf(lab.run(watchPins(lab.chip), { signal }))).toBe('cancelled');
  });

  it('fails waiting macros when the lab leaves', async () => {
    const rig = new LabRig({ chip: 'esp32' });
    const lab = await rig.open();
    const waiting = failureOf(lab.run(watchPins(lab.chip)));
    const leaving = lab.leave();
    expect(await rig.run(waiting)).toBe('left');
    await rig.run(leaving);
  });
});

describe('a lost answer', () => {
  /** Injects a fault into the first write of a macro, after the reset mark. */
  const rigWith = (kind: 'drop-answer' | 'garbage' | 'drop-command') =>
    new LabRig({ chip: 'esp32', faults: [{ at: 'write-reg', kind, nth: 2 }] });

  it.each(['drop-answer', 'garbage', 'drop-command'] as const)(
    'is answered by a repeat when it was to a setting (%s)',
    async (kind) => {
      const rig = rigWith(kind);
      const lab = await rig.open();
      await rig.run(lab.run(writeOnce(true)));
      const [word] = await rig.run(lab.run(readRegisters(lab.chip, [ram.esp32])));
      expect(word).toBe(7);
      expect(rig.traffic.filter((event) => event.kind === 'resynchronised')).toHaveLength(1);
      expect(rig.sent.filter(({ words }) => words[0] === ram.esp32 && words.length === 4)).toHaveLength(2);
    },
  );

  it('is reported, not repeated, when it was to a transfer', async () => {
    const rig = rigWith('drop-answer');
    const lab = await rig.open();
    expect(await rig.run(failureOf(lab.run(writeOnce(false))))).toBe('outcome-unknown');
    expect(rig.sent.filter(({ words }) => words[0] === ram.esp32 && words.length === 4)).toHaveLength(1);
    expect((await rig.run(lab.run(watchPins(lab.chip)))).words).toHaveLength(2);
  });
});

function writeOnce(repeatable: boolean): Macro<void> {
  return { ...writeRegister(ram.esp32, 7), repeatable };
}

describe('a board that restarts by itself', () => {
  it('is noticed without a request', async () => {
    const rig = new LabRig({ chip: 'esp32' });
    const lab = await rig.open({ baudRate: 115_200 });
    rig.device.pressReset();
    await rig.clock.advance(3_000);
    expect(lab.over.reason).toMatchObject({ code: 'restarted' });
    await rig.run(lab.leave());
    expect(rig.port.readable).toBeNull();
  });

  it('is noticed by its lost settings, although it answers and its text is unreadable', async () => {
    const rig = new LabRig({ chip: 'esp32' });
    const lab = await rig.open();
    rig.device.holdBoot(true);
    rig.device.pressReset();
    const ended = await rig.run(failureOf(lab.run(watchPins(lab.chip))));
    expect(['restarted', 'stopped-answering', 'rom-stopped']).toContain(ended);
    expect(lab.over.aborted).toBe(true);
  });
});

describe('the rate', () => {
  it('is changed between macros', async () => {
    const rig = new LabRig({ chip: 'esp32' });
    const lab = await rig.open({ baudRate: 115_200 });
    expect(lab.baudRate).toBe(115_200);
    const changing = lab.setBaudRate(460_800);
    const levels = lab.run(watchPins(lab.chip));
    await rig.run(changing);
    expect(lab.baudRate).toBe(460_800);
    expect((await rig.run(levels)).words).toHaveLength(2);
    expect(rig.problems()).toEqual([]);
  });

  it('stays where the board refuses another', async () => {
    const rig = new LabRig({ chip: 'esp32', faults: [{ at: 'change-baud', kind: 'error-answer' }] });
    const lab = await rig.open({ baudRate: 115_200 });
    expect(await rig.run(failureOf(lab.setBaudRate(921_600)))).toBe('baud-refused');
    expect(lab.baudRate).toBe(115_200);
    expect((await rig.run(lab.run(watchPins(lab.chip)))).words).toHaveLength(2);
  });
});

describe('a program that answers in place of the ROM', () => {
  it('has its own limits and its own way to synchronise', async () => {
    const rig = new LabRig({ chip: 'esp32', faults: [{ at: 'read-reg', kind: 'drop-answer', nth: 20 }] });
    const lab = await rig.open();
    let asked = 0;
    lab.answerBy({
      limits: { ...lab.chip.limits, readsInFlight: 2 },
      synchronise: async (link, signal) => {
        asked++;
        await link.quiet(signal);
        return true;
      },
    });
    const first = rig.traffic.length;
    const addresses = Array.from({ length: 40 }, (_, index) => ram.esp32 + 4 * index);
    expect(await rig.run(lab.run(readRegisters(lab.chip, addresses)))).toHaveLength(40);
    expect(asked).toBe(1);
    let inFlight = 0;
    let most = 0;
    for (const { kind } of rig.traffic.slice(first)) {
      inFlight = kind === 'sent' ? inFlight + 1 : kind === 'received' ? inFlight - 1 : 0;
      most = Math.max(most, inFlight);
    }
    expect(most).toBeLessThanOrEqual(3);
  });
});

describe('a board without reset lines', () => {
  it('is opened by its buttons, and reset by its own register when the lab leaves', async () => {
    const rig = new LabRig({ chip: 'esp32', connection: 'uart-no-reset', powerUp: 'download' });
    const lab = await rig.open({ entry: 'buttons' });
    await rig.run(lab.run(outputPin(lab.chip, 4, { high: true })));
    await rig.run(lab.leave());
    expect(rig.sent.at(-1)?.words).toEqual([lab.chip.reset.address, lab.chip.reset.value, lab.chip.reset.mask, 0]);
    expect(rig.port.readable).toBeNull();
    expect(rig.problems()).toEqual([]);
  });
});

describe('a board that cannot be an instrument', () => {
  it('is refused by name when it is another chip, and its port is closed', async () => {
    const rig = new LabRig({ chip: 'esp32c6' as 'esp32' });
    expect(await rig.run(failureOf(rig.opening()))).toBe('unsupported-chip');
    expect(rig.port.readable).toBeNull();
  });

  it('is refused in Secure Download Mode', async () => {
    const rig = new LabRig({ chip: 'esp32c3', security: { secureDownload: true } });
    expect(await rig.run(failureOf(rig.opening()))).toBe('secure-download');
  });
});
