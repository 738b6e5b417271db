import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LabWorkerRig } from './testing/lab-worker-rig.ts';

const bus = { sda: 21, scl: 22, clock: 100_000 };
const output = { kind: 'output', high: true, openDrain: false, pull: 'none' } as const;
const gpio = { out: 0x3ff4_4004, enable: 0x3ff4_4020, outSelect: 0x3ff4_4530, outClear: 0x3ff4_400c };

let rig: LabWorkerRig;
let lab: LabWorkerRig['lab'];
let board: ReturnType<LabWorkerRig['plugIn']>;

beforeEach(() => {
  rig = new LabWorkerRig();
  ({ lab } = rig);
  board = rig.plugIn();
});
afterEach(() => rig.dispose());

const refused = (detail: RegExp | string) => ({ code: 'refused', detail: { detail: expect.stringMatching(detail) } });

describe('the I2C bus is used by one thing at a time', () => {
  beforeEach(async () => {
    await rig.connect(board.source());
    await rig.ask(lab.call('openI2c', bus));
  });

  it('a scan refuses another scan, a search, opening, closing, recovering and transfers with what goes on', async () => {
    const scan = lab.call('scan');
    const others = [
      lab.call('scan'),
      lab.call('findBuses'),
      lab.call('openI2c', bus),
      lab.call('closeI2c'),
      lab.call('recover'),
      lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1),
    ].map((call) => expect(call).rejects.toMatchObject(refused('The I2C bus is being scanned.')));
    await rig.ask(Promise.all(others));
    expect(await rig.ask(scan)).toContain(0x76);
    expect(await rig.ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
  });

  it('pins that are chosen quickly one after the other open one after the other', async () => {
    const opened = [13, 14, 25].map((sda) => lab.call('openI2c', { ...bus, sda }));
    await rig.ask(Promise.all(opened));
    await rig.settle();
    expect(rig.tick.i2c?.sda).toBe(25);
    expect(rig.tick.owned.map(({ gpio: pin }) => pin)).toEqual([22, 25]);
  });

  it('a search claims the pins that it tries, reports in the tick that it goes on, and gives them back when it is cancelled', async () => {
    const search = lab.call('findBuses');
    const cancelled = expect(search).rejects.toMatchObject({ code: 'cancelled' });
    await rig.settle(60);
    expect(rig.tick).toMatchObject({ i2cWork: 'searching', i2c: null });
    expect(rig.tick.owned.map(({ gpio: pin }) => pin)).toEqual(expect.arrayContaining([21, 22, 26]));
    await expect(rig.ask(lab.call('setPin', 26, output))).rejects.toMatchObject(refused('GPIO 26 is used by I2C'));
    await rig.ask(lab.call('cancel'));
    await rig.ask(cancelled);
    await rig.settle();
    expect(rig.tick).toMatchObject({ i2cWork: null, owned: [] });
    expect(rig.tick.looks.find(({ gpio: pin }) => pin === 21)?.pull).toBe('none');
    await rig.ask(lab.call('setPin', 26, output));
  });

  it('keeps in the tick what a search found, until a bus is opened', async () => {
    await rig.ask(lab.call('findBuses'));
    await rig.settle();
    expect(rig.tick.pairs).toMatchObject([{ sda: 21, scl: 22 }]);
    await rig.ask(lab.call('openI2c', bus));
    await rig.settle();
    expect(rig.tick.pairs).toBeNull();
  });
});

describe('the cable is pulled at the end of a search for the bus', () => {
  /** Counts commands until a search has ended. Its last write releases the pins, and reads of these pins follow. */
  async function countCommands() {
    await rig.connect(board.source());
    await rig.ask(lab.call('findBuses'));
    const count = (op: number) => board.device.commands.get(op) ?? 0;
    return { writes: count(0x09), reads: count(0x0a) };
  }

  /** Searches on another board with this fault, and returns the error. */
  async function failingSearch(at: 'write-reg' | 'read-reg', nth: number): Promise<unknown> {
    await rig.dispose();
    rig = new LabWorkerRig();
    ({ lab } = rig);
    board = rig.plugIn({ faults: [{ at, kind: 'unplug', nth }] });
    await rig.connect(board.source());
    return rig.ask(
      lab.call('findBuses').then(
        () => null,
        (error: unknown) => error,
      ),
    );
  }

  it('the search fails and logs no result if its pins were being released', async () => {
    const { writes } = await countCommands();
    expect(await failingSearch('write-reg', writes)).toMatchObject({ code: 'unplugged' });
    await rig.settle();
    expect(rig.tick).toMatchObject({ pairs: null, lost: { code: 'unplugged' } });
    expect(rig.logged().filter((line) => line.includes('I2C search'))).toEqual([]);
  });

  it('the search fails if its released pins were being read', async () => {
    const { reads } = await countCommands();
    // The last reads are of the pins, apart from a few of the levels.
    expect(await failingSearch('read-reg', reads - 10)).toMatchObject({ code: 'unplugged' });
  });
});

it('two instruments that ask for one pin at the same time do not both get it', async () => {
  await rig.connect(board.source());
  const opened = lab.call('openI2c', bus);
  const taken = expect(lab.call('setPin', 21, output)).rejects.toMatchObject(refused('GPIO 21 is used by I2C'));
  await rig.ask(Promise.all([opened, taken]));
});

it('a use that the chip refuses leaves the pin to its owner', async () => {
  await rig.connect(board.source());
  await rig.ask(lab.call('setPin', 26, output));
  const slow = { kind: 'pwm', frequency: 0, duty: 0.5 } as const;
  await expect(rig.ask(lab.call('setPin', 26, slow))).rejects.toMatchObject({ code: 'refused' });
  await rig.settle();
  expect(rig.tick.owned).toMatchObject([{ gpio: 26, owner: 'pin', label: 'OUT' }]);
});

describe('a bus that gets no further says which line was low, and no more than that', () => {
  beforeEach(async () => {
    await rig.connect(board.source());
    await rig.ask(lab.call('openI2c', bus));
  });

  it('names the line that is held low', async () => {
    board.breadboard.shortToGround(21);
    await rig.ask(lab.call('scan'));
    await rig.settle();
    expect(rig.tick.halted).toEqual({ sda: false, scl: true, recovered: false });
    expect(rig.logged().at(-1)).toContain('the controller got no further, SDA is low');
    expect(await rig.ask(lab.call('recover'))).toBe(false);
    await rig.settle();
    expect(rig.tick.halted).toEqual({ sda: false, scl: true, recovered: true });
  });

  it('claims no low line where both are high when they are read', async () => {
    const seen: unknown[] = [];
    for (const released of [1, 2, 3, 4, 5, 6]) {
      board.breadboard.shortToGround(22);
      const scan = lab.call('scan');
      rig.clock.schedule(released, () => board.breadboard.open(22));
      await rig.ask(scan);
      await rig.settle(100);
      seen.push(rig.tick.halted);
      const high = rig.logged().at(-1)?.includes('though SDA and SCL are high now');
      expect(high ?? false).toBe(rig.tick.halted?.scl ?? false);
      await rig.ask(lab.call('openI2c', bus));
    }
    expect(seen).toContainEqual({ sda: true, scl: true, recovered: false });
  });
});

describe('a raw register write', () => {
  beforeEach(() => rig.connect(board.source()));

  const pin = (number: number) => rig.tick.owned.find(({ gpio: owned }) => owned === number);
  const look = (number: number) => rig.tick.looks.find(({ gpio: looked }) => looked === number);

  it('leaves no stale pin: an output that it drives or releases stands there so', async () => {
    await rig.ask(lab.call('setPin', 26, output));
    await rig.ask(lab.call('writeWord', gpio.outClear, 1 << 26, 0xffff_ffff));
    await rig.settle();
    expect(pin(26)?.use).toEqual({ ...output, high: false });
    await rig.ask(lab.call('writeWord', gpio.enable, 0, 1 << 26));
    await rig.settle();
    expect(look(26)?.direction).toBe('in');
    expect(pin(26)).toMatchObject({ label: 'IN', use: { kind: 'input' } });
  });

  it('makes a pin that it drives one in use, which can be released', async () => {
    await rig.ask(lab.call('writeWord', gpio.enable, 1 << 25, 1 << 25));
    await rig.settle();
    expect(look(25)?.direction).toBe('out');
    expect(pin(25)).toMatchObject({ owner: 'pin' });
    await rig.ask(lab.call('releasePin', 25));
    await rig.settle();
    expect(pin(25)).toBeUndefined();
    expect(look(25)?.direction).not.toBe('out');
  });

  it('leaves the pins of a bus to the bus', async () => {
    await rig.ask(lab.call('openI2c', bus));
    await rig.ask(lab.call('writeWord', gpio.enable, 0, 1 << 21));
    await rig.settle();
    expect(pin(21)).toMatchObject({ owner: 'i2c', label: 'SDA' });
  });
});

describe('Connect again', () => {
  const stillOpen = () => board.plugged.port?.readable ?? null;

  it('right after a lost link waits until the port is closed: it is not busy', async () => {
    await rig.connect(board.source());
    // The ROM goes silent. The lab resets the board and closes the port, which takes a while after it has reported
    // the loss.
    board.device.pressReset();
    for (let look = 0; look < 1_000 && (rig.tick?.lost ?? null) === null; look++) {
      await rig.settle(5);
    }
    expect(rig.tick.lost).not.toBeNull();
    expect(await rig.connect({ kind: 'same' })).toMatchObject({ chip: 'esp32' });
  });

  it('while a connect is cancelled waits for its port as well', async () => {
    const first = lab.call('connect', board.source(), { baudRate: 921_600, byHand: false });
    const cancelled = expect(first).rejects.toMatchObject({ code: 'cancelled' });
    await rig.settle(100);
    const second = rig.connect(board.source());
    await rig.ask(cancelled);
    expect(await second).toMatchObject({ chip: 'esp32' });
  });

  it('takes no other board of the same kind: it says so, and lets that one run its own program', async () => {
    const { mac } = await rig.connect(board.source());
    board.plugged.unplug();
    await rig.settle(3_000);
    const other = rig.plugIn({ mac: '24:0A:C4:00:99:99' });
    await expect(rig.connect({ kind: 'same' }, { mac })).rejects.toMatchObject({ code: 'other-board' });
    await rig.settle(1_000);
    expect(other.device.state).toBe('running');
    board.plugged.replug();
    await rig.settle(100);
    expect(await rig.connect({ kind: 'same' }, { mac })).toMatchObject({ mac });
  });

  it('says that the board is not plugged in when it is not', async () => {
    const { mac } = await rig.connect(board.source());
    board.plugged.unplug();
    await rig.settle(3_000);
    await expect(rig.connect({ kind: 'same' }, { mac })).rejects.toMatchObject({ code: 'port-gone' });
    expect(stillOpen()).toBeNull();
  });
});

describe('a connect that is cancelled', () => {
  /** Cancels the connect at a step, and returns its error. */
  async function cancelAt(step: string): Promise<unknown> {
    const connecting = lab.call('connect', board.source(), { baudRate: 921_600, byHand: false });
    const outcome = connecting.catch((error: unknown) => error);
    for (let look = 0; look < 2_000 && rig.tick?.step !== step; look++) {
      await rig.settle(1);
    }
    expect(rig.tick.step).toBe(step);
    void lab.call('cancel');
    return rig.ask(outcome);
  }

  it.each(['synchronising', 'identifying', 'changing-baud-rate', 'ready'])(
    'at %s leaves the board in its own program, and the port closed',
    async (step) => {
      expect(await cancelAt(step)).toMatchObject({ code: 'cancelled' });
      await rig.settle(1_500);
      expect(board.device.state).toBe('running');
      expect(board.plugged.port?.readable ?? null).toBeNull();
      expect(rig.tick.open).toBe(false);
      await expect(rig.ask(lab.call('scan'))).rejects.toMatchObject({ code: 'left' });
    },
  );
});

it('a board whose pins cannot be read is not left open', async () => {
  await rig.dispose();
  rig = new LabWorkerRig();
  ({ lab } = rig);
  board = rig.plugIn({ faults: [{ at: 'read-reg', kind: 'hang', nth: 60 }] });
  await expect(rig.connect(board.source())).rejects.toThrow();
  await rig.settle(2_000);
  expect(rig.tick.open).toBe(false);
  expect(board.plugged.port?.readable ?? null).toBeNull();
  expect(rig.logged().filter((line) => line.includes('stopped answering'))).toHaveLength(1);
});

it('a board that is pulled while it is left is not said to have released its pins', async () => {
  await rig.connect(board.source());
  await rig.ask(lab.call('setPin', 26, output));
  const leaving = lab.call('leave');
  board.plugged.unplug();
  await rig.ask(leaving);
  expect(rig.logged().join('\n')).not.toContain('its pins were released');
  expect(rig.logged().at(-1)).toContain('may still drive its pins');
});

describe('the check of flash', () => {
  const hashCommand = 0x13;

  it('hashes all of it before the bench and after it, with nothing run in between, and starts the board', async () => {
    const before = board.device.flash.read(0, 0x1_0000);
    await rig.connect(board.source(), { checkFlash: true });
    await rig.settle();
    const { flash } = rig.tick;
    expect(flash).toMatchObject({ after: null, reading: null, failure: null });
    expect(flash?.before?.md5).toMatch(/^[0-9a-f]{32}$/);
    expect(flash?.before?.bytes).toBe(board.device.flash.size);
    const hashed = board.device.commands.get(hashCommand);
    await rig.ask(lab.call('setPin', 26, output));
    expect(board.device.commands.get(hashCommand)).toBe(hashed);
    await rig.ask(lab.call('leave'));
    await rig.settle(1_000);
    expect(rig.tick.flash?.after?.md5).toBe(flash?.before?.md5);
    expect(board.device.state).toBe('running');
    expect(board.device.flash.read(0, 0x1_0000)).toEqual(before);
    expect(rig.logged().join('\n')).toMatch(/Flash after: MD5 .*, unchanged/);
  });

  it('sees one byte that was changed in between', async () => {
    await rig.connect(board.source(), { checkFlash: true });
    // The public type of the board's flash is read-only, so this reaches into its implementation.
    const flash = board.device.flash as typeof board.device.flash & {
      preload(offset: number, data: Uint8Array): void;
    };
    flash.preload(0x3f_0000, Uint8Array.of(0));
    await rig.ask(lab.call('leave'));
    await rig.settle();
    const { before, after } = rig.tick.flash ?? {};
    expect(after?.md5).not.toBe(before?.md5);
    expect(rig.logged().join('\n')).toContain('CHANGED');
  });

  it.each([
    [1, 'before'],
    [2, 'after'],
  ])('takes one damaged answer for no change: hash %i, %s the bench', async (nth) => {
    await rig.dispose();
    rig = new LabWorkerRig();
    ({ lab } = rig);
    // The bit that this seed damages is a bit of the hash.
    board = rig.plugIn({ seed: 4, faults: [{ at: 'md5', kind: 'damage-answer', nth }] });
    await rig.connect(board.source(), { checkFlash: true });
    await rig.ask(lab.call('leave'));
    await rig.settle(1_000);
    const { before, after } = rig.tick.flash ?? {};
    expect(before?.md5).toMatch(/^[0-9a-f]{32}$/);
    expect(after?.md5).toBe(before?.md5);
    expect(rig.logged().join('\n')).toMatch(/Flash after: MD5 .*, unchanged/);
  });

  it('says that the board could not be restarted after the second hash', async () => {
    await rig.connect(board.source(), { checkFlash: true });
    const hashed = board.device.commands.get(hashCommand) ?? 0;
    const { port } = board.plugged;
    const open = port?.open.bind(port);
    if (port && open) {
      // The restart opens the port at the ROM's rate.
      port.open = (options) =>
        (board.device.commands.get(hashCommand) ?? 0) > hashed
          ? Promise.reject(new DOMException('Failed to open serial port.', 'NetworkError'))
          : open(options);
    }
    await rig.ask(lab.call('leave'));
    await rig.settle(1_000);
    const { before, after, failure, notRestarted } = rig.tick.flash ?? {};
    expect([after?.md5, failure]).toEqual([before?.md5, null]);
    expect(notRestarted).toMatch(/^The board could not be restarted: .* Press EN\.$/);
    expect(rig.logged().join('\n')).toContain('The board could not be restarted');
  });

  it('says why there is no second hash: the board was lost', async () => {
    await rig.connect(board.source(), { checkFlash: true });
    board.plugged.unplug();
    await rig.settle(3_000);
    expect(rig.tick.flash).toMatchObject({ after: null, failure: expect.stringContaining('was lost') });
  });

  it('is cancelled like anything else, and the board runs its own program then', async () => {
    await rig.connect(board.source(), { checkFlash: true });
    const leaving = lab.call('leave');
    for (let look = 0; look < 2_000 && rig.tick.flash?.reading == null; look++) {
      await rig.settle(5);
    }
    await rig.ask(lab.call('cancel'));
    await rig.ask(leaving);
    await rig.settle(1_500);
    expect(rig.tick.flash).toMatchObject({ after: null, failure: 'The second hash was cancelled.' });
    expect(board.device.state).toBe('running');
  });

  it('is cancelled before it begins, right after Leave, and the board runs its own program then', async () => {
    for (const wait of [0, 1, 3, 10, 20, 40, 80]) {
      await rig.connect(board.source(), { checkFlash: true });
      const leaving = lab.call('leave');
      await rig.settle(wait);
      await rig.ask(lab.call('cancel'));
      await rig.ask(leaving);
      await rig.settle(1_500);
      expect(rig.tick.flash).toMatchObject({ after: null, reading: null, failure: 'The second hash was cancelled.' });
      expect(board.device.state).toBe('running');
      expect(board.plugged.port?.readable ?? null).toBeNull();
    }
  });

  it('does not keep a page that goes away while its board is being left', async () => {
    await rig.connect(board.source(), { checkFlash: true });
    await rig.ask(lab.call('setPin', 26, output));
    const leaving = lab.call('leave');
    await rig.settle(1);
    await rig.ask(lab.call('leave', true));
    await rig.ask(leaving);
    await rig.settle(1_500);
    expect(board.device.state).toBe('running');
    expect(board.breadboard.led.brightness).toBe(0);
  });

  it('before the bench is cancelled with the connect, at any moment, and the board runs its own program then', async () => {
    for (const wait of [50, 100, 200, 300, 400, 500]) {
      const connecting = lab.call('connect', board.source(), { baudRate: 921_600, byHand: false, checkFlash: true });
      const cancelled = expect(connecting).rejects.toMatchObject({ code: 'cancelled' });
      await rig.settle(wait);
      await rig.ask(lab.call('cancel'));
      await rig.ask(cancelled);
      await rig.settle(1_500);
      expect(board.device.state).toBe('running');
      expect(rig.tick).toMatchObject({ open: false, flash: null });
    }
  });

  it('asks a board without reset lines in its ROM, which nothing has to be brought back from', async () => {
    await rig.dispose();
    rig = new LabWorkerRig();
    ({ lab } = rig);
    board = rig.plugIn({ connection: 'uart-no-reset', powerUp: 'download' });
    await rig.connect(board.source(), { checkFlash: true, byHand: true });
    await rig.settle();
    expect(rig.tick.flash?.before?.md5).toMatch(/^[0-9a-f]{32}$/);
    expect(rig.tick.open).toBe(true);
  });
});
