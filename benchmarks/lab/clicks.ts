/**
 * Duration of a click until its answer, on the virtual clock. Sends the same macros in the same order as the
 * product's host.
 */
import { allChips } from '@wirebench/contract/chip-library';
import { checkChip } from '@wirebench/contract/chips';
import { i2cTransfer, i2cUp, inputPin, type Lab, pinRule, readPin, scan, watchPins } from '@wirebench/lab';
import { describedChip } from '@wirebench/lab/chip-jkit';
import { orShortest } from '../shortest.ts';
import { type BenchChip, type OpenBoard, onVirtualBoard } from './virtual-board.ts';

/** Hertz. */
const busClock = 100_000;
/** Milliseconds between two reads of all levels (`apps/web/src/worker/lab/lab-session.ts`). */
const levelPause = 8;
/** Milliseconds between changes of a pin. Odd, so that they occur at any time between two reads. */
const changeInterval = 53.7;
const changes = orShortest(40, 2);

export interface Clicks {
  /** Milliseconds from opening the port until the levels of all pins are known. */
  readonly connect: number;
  /** Milliseconds from a closed bus until every device is found and identified. */
  readonly scan: number;
  readonly identified: readonly string[];
  /** Milliseconds from each change at the board until a read shows it. */
  readonly pinChanges: readonly number[];
  readonly changedFlash: number;
}

export async function measureClicks(chip: BenchChip, baudRate: number): Promise<Clicks> {
  let result: Omit<Clicks, 'changedFlash'> | null = null;
  const changedFlash = await onVirtualBoard(chip, baudRate, async (open) => {
    const connect = await timeToLivePins(open);
    const identified: string[] = [];
    const scanning = await open.time(scanAndIdentify(open, identified));
    result = { connect, scan: scanning, identified, pinChanges: await timePinChanges(open) };
  });
  if (result === null) {
    throw new Error('Nothing was measured.');
  }
  return { ...(result as Omit<Clicks, 'changedFlash'>), changedFlash };
}

async function timeToLivePins({ lab, rig, begun, time }: OpenBoard): Promise<number> {
  const { chip } = lab;
  const usable = chip.pins.flatMap(({ gpio }) => (isUsable(lab, gpio) ? [gpio] : []));
  const openedAt = rig.clock.now();
  const looking = Promise.all(usable.map((gpio) => lab.run(readPin(chip, gpio)))).then(() => lab.run(watchPins(chip)));
  return openedAt - begun + (await time(looking));
}

function isUsable({ chip }: Lab, gpio: number): boolean {
  const { kind } = pinRule(chip, gpio);
  return kind !== 'locked' && kind !== 'absent';
}

async function scanAndIdentify({ lab, board }: OpenBoard, identified: string[]): Promise<void> {
  const { sda, scl } = board.pins;
  await lab.run(i2cUp(lab.chip, { sda, scl, clock: busClock }));
  await Promise.all([sda, scl].map((gpio) => lab.run(readPin(lab.chip, gpio))));
  const { found } = await scan(lab, { clock: busClock });
  for (const address of found) {
    identified.push(`0x${address.toString(16)} ${(await nameOf(lab, address)) ?? 'by address'}`);
  }
}

/** Identifies a device by the shipped descriptions, until one matches with certainty. */
async function nameOf(lab: Lab, address: number): Promise<string | null> {
  for (const { content } of allChips) {
    const { content: checked } = checkChip(JSON.stringify(content));
    if (checked?.bus === 'i2c' && checked.addresses.includes(address)) {
      const { identify } = describedChip(checked, address);
      const answers: Uint8Array[] = [];
      for (const { write, read } of identify.transfers) {
        const done = await lab.run(i2cTransfer(lab.chip, { address, write, read, clock: busClock }));
        answers.push(done.read);
      }
      if (identify.value(answers) === 'identified') {
        return checked.name;
      }
    }
  }
  return null;
}

async function timePinChanges({ lab, board, rig }: OpenBoard): Promise<number[]> {
  const { button } = board.pins;
  await rig.run(lab.run(inputPin(lab.chip, button, 'up')));
  const seen: number[] = [];
  let pressed = false;
  let pressedAt: number | null = null;
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const { words } = await lab.run(watchPins(lab.chip), { priority: 'background' });
      const isLow = (((words[0] ?? 0) >>> button) & 1) === 0;
      if (pressedAt !== null && isLow === pressed) {
        seen.push(rig.clock.now() - pressedAt);
        pressedAt = null;
      }
      await rig.clock.sleep(levelPause);
    }
  })();
  for (let change = 0; change < changes; change++) {
    await rig.clock.advance(changeInterval);
    pressed = !pressed;
    board.button.press(pressed);
    pressedAt = rig.clock.now();
  }
  await rig.clock.advance(changeInterval);
  ending.abort();
  await rig.run(watching);
  if (seen.length !== changes) {
    throw new Error(`${seen.length} of ${changes} changes were seen.`);
  }
  return seen;
}
