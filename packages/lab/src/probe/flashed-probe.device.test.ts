/**
 * The probe in flash: the product's flasher writes it, the ROM of a simulated board starts it, and the lab finds it
 * without a reset.
 */
import { readFileSync } from 'node:fs';
import { type LabBreadboard, labBreadboard } from '@wirebench/devices';
import { anyEsp, connectEsp, planEsp } from '@wirebench/flasher/esp';
import { describe, expect, it } from 'vitest';
import { scan } from '../instruments/i2c-scan.ts';
import { outputPin, watchPins } from '../instruments/pins.ts';
import type { OpenLabOptions } from '../lab.ts';
import type { Bench } from '../testing/bench.ts';
import { busClock, busUp } from '../testing/bench.ts';
import { LabRig, type LabRigOptions } from '../testing/lab-rig.ts';
import { startProbe } from './start-probe.ts';

type Chip = LabRigOptions['chip'];

const chips = ['esp32', 'esp32c3'] as const;
const places = { esp32: 0x1000, esp32c3: 0 } as const;
const parts = [0x3c, 0x48, 0x50, 0x68, 0x76];

const imageOf = (chip: Chip) =>
  new Uint8Array(readFileSync(new URL(`../../../../firmware/probe/images/${chip}.bin`, import.meta.url)));

interface Flashed {
  readonly rig: LabRig;
  readonly breadboard: LabBreadboard;
  open(options?: Partial<OpenLabOptions>): Promise<Bench>;
}

/** Returns a board with factory firmware that the flasher has overwritten with the probe. */
async function flashed(chip: Chip, options: Partial<LabRigOptions> = {}): Promise<Flashed> {
  const breadboard = labBreadboard(chip);
  const rig = new LabRig({ chip, breadboard, ...options });
  const board = await rig.run(connectEsp(rig.port, { clock: rig.clock }));
  const plan = await planEsp({
    files: [{ name: 'probe.bin', offset: places[chip], bytes: imageOf(chip) }],
    board: { info: board.info, isDemo: true, table: 'none', otaData: null },
    guard: { ...anyEsp, chip },
  });
  expect(plan.refusals).toEqual([]);
  const report = await rig.run(board.write(plan.regions));
  expect(report).toMatchObject({ regions: [{ outcome: 'verified' }] });
  await rig.run(board.restart());
  await rig.run(board.close());
  await rig.clock.advance(300);
  const open = async (opening: Partial<OpenLabOptions> = {}) => {
    const since = rig.clock.now();
    const lab = await rig.open(opening);
    const openedIn = rig.clock.now() - since;
    return { rig, board: breadboard, lab, openedIn, run: <T>(work: Promise<T>) => rig.run(work) };
  };
  return { rig, breadboard, open };
}

/** Milliseconds. Long, because the processor is simulated for seconds, instruction by instruction. */
const timeout = 90_000;

describe.each(chips)('a board that runs the probe from flash: %s', { timeout }, (chip) => {
  it('keeps its flash contents besides the program', async () => {
    const before = new LabRig({ chip }).device.flash;
    const { rig } = await flashed(chip);
    const image = imageOf(chip);
    const { flash } = rig.device;
    const whole = Buffer.from(flash.read(0, flash.size));
    expect(whole.subarray(places[chip], places[chip] + image.length).equals(image)).toBe(true);
    const written = { from: places[chip], to: places[chip] + Math.ceil(image.length / 4_096) * 4_096 };
    expect(whole.subarray(0, written.from).equals(Buffer.from(before.read(0, written.from)))).toBe(true);
    const rest = Buffer.from(before.read(written.to, flash.size - written.to));
    expect(whole.subarray(written.to).equals(rest)).toBe(true);
  });

  it('is found without a reset, works as an instrument, and runs the program after leaving', async () => {
    const { rig, breadboard, open } = await flashed(chip);
    const bench = await open();
    const { lab, run } = bench;
    expect(rig.steps).toEqual(['opening', 'identifying', 'changing-baud-rate', 'ready']);
    expect(rig.device.state).toBe('running');
    expect(lab.runsProbe).toBe(true);
    expect(lab.info).toMatchObject({ chip, crystal: 40, link: 'uart' });
    expect(lab.info.mac).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
    expect(lab.baudRate).toBe(921_600);

    await run(lab.run(outputPin(lab.chip, breadboard.pins.led, { high: true })));
    expect(breadboard.led.brightness).toBe(1);
    await busUp(bench);
    expect((await run(scan(lab, { clock: busClock }))).found).toEqual(parts);
    // Nothing is loaded, because the program already runs.
    const probe = await run(startProbe(lab));
    expect(await run(probe.i2cScan(1_000))).toEqual(parts);
    expect(rig.sent.filter(({ op }) => op >= 0x05 && op <= 0x07)).toEqual([]);

    await run(lab.leave());
    expect(breadboard.led.brightness).toBe(0);
    await rig.clock.advance(300);
    expect(rig.device.state).toBe('running');
    const again = await open();
    expect(again.lab.runsProbe).toBe(true);
    await rig.run(again.lab.leave());
  });

  it('is found among the attempts on boards without reset lines', async () => {
    const { rig, open } = await flashed(chip);
    const { lab } = await open({ entry: 'buttons' });
    expect(lab.runsProbe).toBe(true);
    expect((await rig.run(lab.run(watchPins(lab.chip)))).words.length).toBeGreaterThan(0);
    await rig.run(lab.leave());
  });

  it('is reset into its ROM if it was left at another rate, and runs the program afterwards', async () => {
    const { rig, open } = await flashed(chip);
    const { lab } = await open();
    expect(lab.runsProbe).toBe(true);
    // The page closes without leaving the board.
    await rig.run(lab.withLink((link) => link.port.close()));
    await rig.clock.advance(100);
    const again = await open();
    expect(again.lab.runsProbe).toBe(false);
    expect(rig.device.state).toBe('download');
    await rig.run(again.lab.leave());
    await rig.clock.advance(300);
    expect(rig.device.state).toBe('running');
    const third = await open();
    expect(third.lab.runsProbe).toBe(true);
    await rig.run(third.lab.leave());
  });

  it('is lost to the lab when it restarts during the session', async () => {
    const { rig, open } = await flashed(chip);
    const { lab } = await open({ baudRate: 115_200 });
    await rig.run(lab.run(watchPins(lab.chip)));
    rig.device.pressReset();
    await rig.clock.advance(1_500);
    expect(lab.over.reason).toMatchObject({ code: 'restarted' });
    await rig.run(lab.leave());
  });
});

describe('an ESP32-C3 on its own USB port', { timeout }, () => {
  it('is found by the same request', async () => {
    const { rig, open } = await flashed('esp32c3', { connection: 'usb-jtag' });
    const { lab } = await open();
    expect(lab.runsProbe).toBe(true);
    expect(lab.info.link).toBe('usb-jtag');
    expect((await rig.run(lab.run(watchPins(lab.chip)))).words.length).toBeGreaterThan(0);
    await rig.run(lab.leave());
    await rig.clock.advance(300);
    expect(rig.device.state).toBe('running');
  });
});

describe('a board that runs something else', () => {
  it('gets one request of ten bytes, which costs a tenth of a second', async () => {
    const rig = new LabRig({ chip: 'esp32' });
    const lab = await rig.open();
    const asked = rig.sent.filter(({ op }) => op === 0xe0);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.length).toBe(10);
    expect(lab.runsProbe).toBe(false);
    await rig.run(lab.leave());
  });
});
