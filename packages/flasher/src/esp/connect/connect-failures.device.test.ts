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

  it('changes the rate before the stub is loaded, unless that stub resets it', async () => {
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

  it('passes on the board’s output, before and after', async () => {
    const rig = new EspRig({ flash: { content: 'factory' } });
    const board = await rig.connect();
    expect(rig.text).toContain('waiting for download');
    await rig.run(board.restart());
    await rig.clock.advance(2_000);
    expect(rig.text).toContain('SPI_FAST_FLASH_BOOT');
    expect(rig.device.state).toBe('running');
    await rig.run(board.close());
  });

  it('asks again when the rate detection loses the first request', async () => {
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

  it('waits until a person presses the buttons', async () => {
    const rig = new EspRig({ connection: 'uart-no-reset' });
    const connecting = rig.connecting({ entry: 'buttons' });
    await rig.clock.advance(700);
    rig.device.holdBoot(true);
    rig.device.pressReset();
    expect((await rig.run(connecting)).info.chip).toBe('esp32');
    expect(rig.steps).not.toContain('resetting');
  });
});

describe('the report on a board that does not answer', () => {
  it('says that nothing is received from a silent program', async () => {
    const rig = new EspRig({ connection: 'uart-no-reset', flash: { content: 'factory' } });
    await rig.clock.advance(5_000);
    await expect(rig.connect()).rejects.toMatchObject({ code: 'nothing-at-all', state: 'unchanged' });
  });

  it('says that the board started its own program', async () => {
    const rig = new EspRig({ connection: 'uart-no-reset', powerUp: 'first-open', flash: { content: 'factory' } });
    await expect(rig.connect()).rejects.toMatchObject({
      code: 'normal-boot',
      detail: expect.stringContaining('boot:'),
    });
  });

  it.each(['esp32', 'esp32c3', 'esp32s3'] as const)('says that the flash is empty: %s', async (chip) => {
    const content = 'empty';
    const rig = new EspRig({ chip, connection: 'uart-no-reset', powerUp: 'first-open', flash: { content } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'empty-flash' });
  });

  it('says that the flash is damaged', async () => {
    const content = [{ offset: 0x1000, data: new Uint8Array(64).fill(0x11) }];
    const rig = new EspRig({ connection: 'uart-no-reset', powerUp: 'first-open', flash: { content } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'nothing-to-start' });
  });

  it('says that a board in its bootloader receives nothing', async () => {
    const rig = new EspRig({ wire: { toDevice: { drop: 1 } } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'no-sync-reply' });
  });

  it.each(['esp8266', 'esp32c2'] as const)('quotes a board that prints at 74,880 baud: %s', async (chip) => {
    const rig = new EspRig({ chip, wire: { toDevice: { drop: 1 } } });
    await expect(rig.connect()).rejects.toMatchObject({
      code: 'no-sync-reply',
      detail: expect.stringContaining('boot'),
    });
  });

  it('says that nothing is received, within 6 s', async () => {
    const rig = new EspRig({ wire: { toHost: { drop: 1 } } });
    const start = rig.clock.now();
    await expect(rig.connect()).rejects.toMatchObject({ code: 'nothing-at-all' });
    expect(rig.clock.now() - start).toBeLessThan(6_000);
  });

  it('comes with the port closed', async () => {
    const rig = new EspRig({ wire: { toHost: { drop: 1 } } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'nothing-at-all' });
    expect(rig.port.readable).toBeNull();
    expect(rig.clock.pending).toBe(0);
  });
});

describe('cancelling', () => {
  it.each([0, 40, 120, 180, 205, 240, 500, 880, 902])('releases the port at once after %i ms', async (after) => {
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

describe('the port of a board', () => {
  it('is busy if another program holds it', async () => {
    const rig = new EspRig();
    rig.demo.holdElsewhere();
    await expect(rig.connect()).rejects.toMatchObject({ code: 'port-busy' });
  });

  it('is not permitted if the policy of the page blocks it', async () => {
    const rig = new EspRig({ wire: { open: { failure: 'blocked' } } });
    await expect(rig.connect()).rejects.toMatchObject({ code: 'permission-denied' });
  });

  it('is taken if it comes back as another one for a chip on USB', async () => {
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

  it('is not reset again if a returned chip on USB answers late', async () => {
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

  it('may vanish at the restart of a chip on USB without failing it', async () => {
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
    'has to be picked again if it came back as another one and %s',
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

  it('stays if the board refuses every other', async () => {
    const rig = new EspRig({ chip: 'esp32c3', faults: [{ at: 'change-baud', kind: 'error-answer', times: 9 }] });
    const board = await rig.connect();
    expect(board.baudRate).toBe(115_200);
    expect(board.runsStub).toBe(true);
  });

  it('falls back on an ESP32 whose ROM measures a wrong crystal', async () => {
    const rig = new EspRig({ chip: 'esp32', crystalFuse: 'blank' });
    const board = await rig.connect({ stub: false, baudRate: 460_800 });
    expect(board.baudRate).toBe(115_200);
    const image = program(5_000);
    await rig.run(board.write([{ offset: 0, bytes: image }]));
    expect(rig.flash(0, image.length)).toEqual(image);
  });
});

describe('a board with security', () => {
  it('is written with plain commands in Secure Download Mode, and reported as unverified', async () => {
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
    'is written over its own USB port in Secure Download Mode: %s',
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
  ] as const)('is found with its stub at its last rate: %s at %i', async (chip, baudRate) => {
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

  it.each(['esp32', 'esp32c3', 'esp32s2'] as const)('is found with its ROM at a high rate: %s', async (chip) => {
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
