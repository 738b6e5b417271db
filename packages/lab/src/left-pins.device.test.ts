/** Boards that were not left: their page was closed or crashed, and their pins stayed as they were set. */
import { describe, expect, it } from 'vitest';
import { outputPin, readPin } from './instruments/pins.ts';
import { pwmOn } from './instruments/pwm.ts';
import type { Lab, OpenLabOptions } from './lab.ts';
import { flashCommands } from './open-lab.ts';
import { startProbe } from './probe/start-probe.ts';
import { LabRig, type LabRigOptions } from './testing/lab-rig.ts';

const chips = ['esp32', 'esp32c3'] as const;
type ChipName = (typeof chips)[number];

/** Opens a board and returns the left pins that were reported before the reset; null without a report. */
async function opened(rig: LabRig, options: Partial<OpenLabOptions> = {}) {
  let left: readonly number[] | null = null;
  const lab = await rig.open({
    ...options,
    onLeftPins: (gpios) => {
      left = gpios;
    },
  });
  return { lab, left: left as readonly number[] | null };
}

/** Closes the port without sending anything, as when a page crashes. */
async function crash(rig: LabRig, lab: Lab): Promise<void> {
  await rig.run(lab.withLink((link) => link.port.close()).catch(() => undefined));
  await rig.clock.advance(100);
}

/** Makes a board with two outputs that stay as they are. */
async function driven(chip: ChipName, opening: Partial<OpenLabOptions> = {}, options: Partial<LabRigOptions> = {}) {
  const rig = new LabRig({ chip, ...options });
  const { lab } = await opened(rig, opening);
  await rig.run(lab.run(outputPin(lab.chip, 4, { high: true })));
  await rig.run(lab.run(pwmOn(lab.chip, { pin: 5, frequency: 1_000, duty: 0.5 })));
  return { rig, lab };
}

/** Counts register reads before the board is opened for the second time, and between that and its reset. */
async function questionsOf(chip: ChipName) {
  const { rig, lab } = await driven(chip);
  const reads = () => rig.device.commands.get(0x0a) ?? 0;
  const readsBefore = reads();
  await crash(rig, lab);
  let questions = 0;
  await opened(rig, {
    onStep: (step) => {
      questions = step === 'resetting' && questions === 0 ? reads() - readsBefore : questions;
    },
  });
  return { readsBefore, questions };
}

/** Counts of runs without faults. */
const asked = { esp32: await questionsOf('esp32'), esp32c3: await questionsOf('esp32c3') };

describe.each(chips)('pins that an earlier session left driven on %s', (chip) => {
  it.each([921_600, 115_200])('are read before the reset that releases them, with the ROM at %d baud', async (rate) => {
    const { rig, lab: crashed } = await driven(chip, { baudRate: rate });
    await crash(rig, crashed);
    expect(rig.device.state).toBe('download');
    const { lab, left } = await opened(rig);
    expect(left).toEqual([4, 5]);
    expect(await rig.run(lab.run(readPin(lab.chip, 4)))).toMatchObject({ output: false });
    await rig.run(lab.leave());
    expect([...rig.device.commands.keys()].filter((op) => flashCommands.includes(op))).toEqual([]);
  });

  it('are read from the program in RAM', { timeout: 60_000 }, async () => {
    const { rig, lab } = await driven(chip);
    await rig.run(startProbe(lab));
    await crash(rig, lab);
    expect((await opened(rig)).left).toEqual([4, 5]);
  });

  it('are not reported without an output', async () => {
    const rig = new LabRig({ chip });
    const { lab } = await opened(rig);
    await crash(rig, lab);
    expect((await opened(rig)).left).toBeNull();
  });

  it.each(Array.from({ length: asked[chip].questions }, (_, index) => index + 1))(
    'are not reported when answer %d is lost, and the board opens',
    async (question) => {
      const faults = [{ at: 'read-reg', kind: 'drop-answer', nth: asked[chip].readsBefore + question }] as const;
      const { rig, lab: crashed } = await driven(chip, {}, { faults });
      await crash(rig, crashed);
      const { lab, left } = await opened(rig);
      expect(left).toBeNull();
      await rig.run(lab.leave());
    },
  );

  it('are not reported when the board runs its own program after Leave', async () => {
    const { rig, lab } = await driven(chip);
    await rig.run(lab.leave());
    await rig.clock.advance(2_000);
    expect((await opened(rig)).left).toBeNull();
  });
});
