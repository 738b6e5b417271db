import type { EspDevice } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import { program } from '../../testing/program.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

/** Records DTR and RTS at each change. */
function linesOf(device: EspDevice): string[] {
  const seen: string[] = [];
  const change = device.controlChanged.bind(device);
  device.controlChanged = (lines) => {
    seen.push(`${Number(lines.dtr)}${Number(lines.rts)}`);
    change(lines);
  };
  return seen;
}

describe('connecting to a board', () => {
  it('reports each step once, in order', async () => {
    const uart = new EspRig({ chip: 'esp32c3' });
    await uart.connect();
    expect(uart.steps).toEqual([
      'opening',
      'resetting',
      'synchronising',
      'identifying',
      'changing-baud-rate',
      'uploading-stub',
      'reading-flash-chip',
      'ready',
    ]);
  });

  it('changes the rate before the stub is loaded, unless that stub sets it back', async () => {
    const rig = new EspRig({ chip: 'esp32' });
    await rig.connect();
    expect(rig.steps.indexOf('uploading-stub')).toBeLessThan(rig.steps.indexOf('changing-baud-rate'));
  });

  it('keeps the rate when the slowest is wanted', async () => {
    const rig = new EspRig({ chip: 'esp32c3' });
    const board = await rig.connect({ baudRate: 115_200 });
    expect(board.baudRate).toBe(115_200);
    expect(rig.steps).not.toContain('changing-baud-rate');
  });

  it('hands on what the board prints, before and after', async () => {
    const rig = new EspRig({ flash: { content: 'factory' } });
    const board = await rig.connect();
    expect(rig.text).toContain('waiting for download');
    await rig.run(board.restart());
    await rig.clock.advance(2_000);
    expect(rig.text).toContain('SPI_FAST_FLASH_BOOT');
    expect(rig.device.state).toBe('running');
    await rig.run(board.close());
  });

  it('asks again when the measuring of the rate eats the first request', async () => {
    const rig = new EspRig({ firstSyncLost: true });
    expect((await rig.connect()).info.chip).toBe('esp32');
  });

  it('releases both lines without a reset when a person presses the buttons, at each rate', async () => {
    const rig = new EspRig({ chip: 'esp32c3', powerUp: 'download' });
    const seen = linesOf(rig.device);
    const board = await rig.connect({ entry: 'buttons' });
    expect(board.baudRate).toBe(921_600);
    const opened = ['11', '10', '00'];
    expect(seen).toEqual([...opened, ...opened]);
    expect(rig.device.state).toBe('stub');
  });

  it('waits for a person who presses the buttons', async () => {
    const rig = new EspRig({ connection: 'uart-no-reset' });
    const connecting = rig.connecting({ entry: 'buttons' });
    await rig.clock.advance(700);
    rig.device.holdBoot(true);
    rig.device.pressReset();
    expect((await rig.run(connecting)).info.chip).toBe('esp32');
    expect(rig.steps).not.toContain('resetting');
  });
});

describe('a board that does not answer', () => {
  it('runs a program that is silent', async () => {
    const rig = new EspRig({ connection: 'uart-no-reset', flash: { content: 'factory' } });
    await rig.clock.advance(5_000);
    await expect(rig.connect()).rejects.toMatchObject({ code: 'nothing-at-all', state: 'unchanged' });
  });

  it('started its own program instead', async () => {
    const rig = new EspRig({ connection: 'uart-no-reset', powerUp: 'first-open', flash: { content: 'factory' } });
    await expect(rig.connect()).rejects.toMatchObject({
      code: 'normal-boot',
      detail: expect.stringContaining('boot:'),
    });
  });

  it.each(['esp32', 'esp32c3', 'esp32s3'] as const)(
    'restarts again and again because its flash is empty: %s',
    async (chip) => {
      const content = 'empty';
      const rig = new EspRig({ chip, connection: 'uart-no-reset', powerUp: 'first-open', flash: { content } });
      await expect(rig.connect()).rejects.toMatchObject({ code: 'empty-flash' });
    },
  );

  it('restarts again and again because its flash is damaged', async () => {
    const content = [{ offset: 0x1000, data: new Uint8Array(64).fill(0x11) }];
    const rig = new EspRig({ connection: 'uart-no-reset', powerUp: 'first-open', flash: { content } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'nothing-to-start' });
  });

  it('is in its bootloader and hears nothing', async () => {
    const rig = new EspRig({ wire: { toDevice: { drop: 1 } } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'no-sync-reply' });
  });

  it.each(['esp8266', 'esp32c2'] as const)('is understood though it prints at 74,880 baud: %s', async (chip) => {
    const rig = new EspRig({ chip, wire: { toDevice: { drop: 1 } } });
    await expect(rig.connect()).rejects.toMatchObject({
      code: 'no-sync-reply',
      detail: expect.stringContaining('boot'),
    });
  });

  it('says nothing at all', async () => {
    const rig = new EspRig({ wire: { toHost: { drop: 1 } } });
    const start = rig.clock.now();
    await expect(rig.connect()).rejects.toMatchObject({ code: 'nothing-at-all' });
    expect(rig.clock.now() - start).toBeLessThan(6_000);
  });

  it('leaves the port closed', async () => {
    const rig = new EspRig({ wire: { toHost: { drop: 1 } } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'nothing-at-all' });
    expect(rig.port.readable).toBeNull();
    expect(rig.clock.pending).toBe(0);
  });
});

describe('cancelling', () => {
  it.each([0, 40, 120, 180, 205, 240, 500, 880, 902])('after %i ms releases the port at once', async (after) => {
    const rig = new EspRig();
    const abort = new AbortController();
    const connecting = rig.connecting({ signal: abort.signal }).catch((error: unknown) => error);
    await rig.clock.advance(after);
    abort.abort();
    const cancelled = rig.clock.now();
    expect(await rig.run(connecting)).toMatchObject({ code: 'cancelled', state: 'unchanged' });
    expect(rig.clock.now() - cancelled).toBeLessThan(100);
    expect(rig.port.readable).toBeNull();
    await rig.connect();
  });
});

describe('a port', () => {
  it('that another program holds is busy', async () => {
    const rig = new EspRig();
    rig.demo.holdElsewhere();
    await expect(rig.connect()).rejects.toMatchObject({ code: 'port-busy' });
  });

  it('that the policy of the page blocks is not permitted', async () => {
    const rig = new EspRig({ wire: { open: { failure: 'blocked' } } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'permission-denied' });
  });

  it('of a chip on USB that comes back as another one is taken when it is given', async () => {
    const rig = new EspRig({ chip: 'esp32s3', connection: 'usb-jtag', reenumerate: 400 });
    const first = rig.port;
    const returned = () =>
      new Promise<SerialPort>((resolve) => {
        rig.demo.serial.addEventListener('connect', () => resolve(rig.port));
      });
    const board = await rig.connect({ returned });
    expect(board.info.chip).toBe('esp32s3');
    expect(rig.port).not.toBe(first);
    // It vanishes again when it starts its program, which is not a failure.
    await rig.run(board.restart());
    await rig.run(board.close());
  });

  it('of a chip on USB that has come back is not lost by a reset when its first answers are late', async () => {
    const rig = new EspRig({
      chip: 'esp32c3',
      connection: 'usb-jtag',
      reenumerate: 400,
      faults: [{ at: 'sync', kind: 'drop-command', times: 3 }],
    });
    const returned = () =>
      new Promise<SerialPort>((resolve) => {
        rig.demo.serial.addEventListener('connect', () => resolve(rig.port));
      });
    const board = await rig.connect({ returned });
    expect(rig.steps.filter((step) => step === 'resetting')).toHaveLength(1);
    await rig.run(board.close());
  });

  it('of a chip on USB that vanishes at its restart is no failure of the restart', async () => {
    const flash = { content: 'factory' } as const;
    const rig = new EspRig({ chip: 'esp32c3', connection: 'usb-jtag', reenumerate: 400, flash });
    const returned = () =>
      new Promise<SerialPort>((resolve) => {
        rig.demo.serial.addEventListener('connect', () => resolve(rig.port));
      });
    const board = await rig.connect({ returned });
    await rig.run(board.restart());
    await rig.clock.advance(1_000);
    expect(rig.device.state).toBe('running');
  });

  it.each(['nobody gives it', 'it never comes'])(
    'that comes back as another one has to be picked again when %s',
    async (why) => {
      const rig = new EspRig({ chip: 'esp32c3', connection: 'usb-jtag', reenumerate: 400 });
      const returned = () => new Promise<SerialPort>(() => undefined);
      const connecting = rig.connect(why === 'it never comes' ? { returned } : {});
      await expect(connecting).rejects.toMatchObject({ code: 'came-back-different' });
    },
  );
});

describe('the baud rate', () => {
  it('falls back when the board stays at its own', async () => {
    const rig = new EspRig({
      chip: 'esp32c3',
      faults: [{ at: 'change-baud', kind: 'ignore-baud', times: 1 }],
    });
    const board = await rig.connect({ baudRate: 921_600 });
    expect(board.baudRate).toBe(460_800);
    expect(rig.notices).toContainEqual({ kind: 'baud-fell-back', wanted: 921_600, baudRate: 460_800 });
  });

  it('stays where it was when the board refuses every other', async () => {
    const rig = new EspRig({ chip: 'esp32c3', faults: [{ at: 'change-baud', kind: 'error-answer', times: 9 }] });
    const board = await rig.connect();
    expect(board.baudRate).toBe(115_200);
    expect(board.runsStub).toBe(true);
  });

  it('falls back on an ESP32 whose ROM takes its crystal for another one', async () => {
    const rig = new EspRig({ chip: 'esp32', crystalFuse: 'blank' });
    const board = await rig.connect({ stub: false, baudRate: 460_800 });
    expect(board.baudRate).toBe(115_200);
    const image = program(5_000);
    await rig.run(board.write([{ offset: 0, bytes: image }]));
    expect(rig.flash(0, image.length)).toEqual(image);
  });
});

describe('a board with security', () => {
  it('in Secure Download Mode is written with plain commands, and nothing is claimed', async () => {
    for (const chip of ['esp32s2', 'esp32c3', 'esp32c6', 'esp32c2', 'esp32c5'] as const) {
      const rig = new EspRig({ chip, security: { secureDownload: true } });
      const board = await rig.connect();
      expect(board.info).toMatchObject({ chip, mac: null, security: { secureDownload: true } });
      expect(board.runsStub).toBe(false);
      const image = program(10_000);
      const report = await rig.run(board.write([{ offset: 0x1_0000, bytes: image }]));
      expect(report).toMatchObject({ state: 'unverified', regions: [{ outcome: 'unverified', proof: null }] });
      expect(rig.flash(0x1_0000, image.length)).toEqual(image);
      await expect(rig.run(board.md5({ offset: 0, length: 4_096 }))).rejects.toMatchObject({
        code: 'secure-download',
      });
      await expect(rig.run(board.read({ offset: 0, length: 4_096 }))).rejects.toMatchObject({
        code: 'secure-download',
      });
      await expect(rig.run(board.eraseAll())).rejects.toMatchObject({ code: 'secure-download' });
    }
  });

  it.each(['esp32s3', 'esp32c3', 'esp32c6', 'esp32h2'] as const)(
    'in Secure Download Mode is written over its own USB port, where no watchdog can be stopped: %s',
    async (chip) => {
      const rig = new EspRig({ chip, connection: 'usb-jtag', security: { secureDownload: true } });
      const board = await rig.connect();
      const image = program(10_000);
      const report = await rig.run(board.write([{ offset: 0x1_0000, bytes: image }]));
      expect(report.state).toBe('unverified');
      expect(rig.flash(0x1_0000, image.length)).toEqual(image);
    },
  );

  it.each([
    [{ flashEncryption: 'development' }, 'flash-encryption'],
    [{ flashEncryption: 'release' }, 'flash-encryption'],
    [{ secureBoot: true }, 'secure-boot'],
  ] as const)('%o is refused before anything is erased, unless it is meant', async (security, code) => {
    for (const chip of ['esp32', 'esp32c3'] as const) {
      const rig = new EspRig({ chip, security });
      const board = await rig.connect();
      const regions = [{ offset: 0, bytes: program(4_096) }];
      await expect(rig.run(board.write(regions))).rejects.toMatchObject({ code, state: 'unchanged' });
      expect(rig.device.flash.erasedBytes).toBe(0);
    }
  });
});

describe('a board without reset lines that was released in its bootloader', () => {
  const left = { connection: 'uart-no-reset', powerUp: 'download' } as const;

  it.each([
    ['esp32', 921_600],
    ['esp32c3', 921_600],
    ['esp32c3', 460_800],
    ['esp32c6', 2_000_000],
    ['esp8266', 230_400],
  ] as const)('with its stub is found where it was left: %s at %i', async (chip, baudRate) => {
    const rig = new EspRig({ chip, ...left });
    await rig.run((await rig.connect({ baudRate })).close());
    for (const entry of ['automatic', 'buttons'] as const) {
      const board = await rig.connect({ entry });
      expect(board).toMatchObject({ baudRate, runsStub: true });
      const image = program(20_000, entry.length);
      await rig.run(board.write([{ offset: 0x1_0000, bytes: image }]));
      expect(rig.flash(0x1_0000, image.length)).toEqual(image);
      await rig.run(board.close());
    }
  });

  it.each(['esp32', 'esp32c3', 'esp32s2'] as const)('with its ROM at a high rate is found: %s', async (chip) => {
    const rig = new EspRig({ chip, ...left });
    await rig.run((await rig.connect({ stub: false })).close());
    const board = await rig.connect();
    expect(board).toMatchObject({ baudRate: 921_600, runsStub: true });
    expect(board.info.crystal).toBe(40);
  });

  it('is looked for at the wanted rate before any other', async () => {
    const rig = new EspRig(left);
    await rig.run((await rig.connect({ baudRate: 460_800 })).close());
    const rates: number[] = [];
    const open = rig.port.open.bind(rig.port);
    rig.port.open = (options) => {
      rates.push(options.baudRate);
      return open(options);
    };
    await rig.connect({ baudRate: 460_800 });
    expect(rates).toEqual([115_200, 460_800]);
  });
});
