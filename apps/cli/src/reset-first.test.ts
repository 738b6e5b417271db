/** Commands that restart a board and wait for its text: output from before the restart does not count. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ResetKind, restartedBoard } from './testing/restarted-board.ts';
import { hasSocat } from './testing/served-board.ts';
import { SimulatedMachine } from './testing/simulated-machine.ts';

/** Runs a line beside boards that print one text before their reset and another one after it. */
async function ranBeside(line: string, kinds: readonly ResetKind[], before: string, after: string) {
  await using machine = new SimulatedMachine();
  for (const [index, kind] of kinds.entries()) {
    await machine.plug(`ttyUSB${index}`, restartedBoard(kind, before, after));
  }
  const rule = { name: 'No panic', when: { line: 'panic' }, must: 'not-fire' };
  machine.save('old.jkit.json', JSON.stringify({ name: 'Old', fields: [], rules: [rule] }));
  const awaited = { name: 'Up', when: { line: 'PASS' }, must: 'fire' };
  machine.save('up.jkit.json', JSON.stringify({ name: 'Up', fields: [], rules: [awaited] }));
  const [ran] = await machine.run([line]);
  if (ran === undefined) {
    throw new Error('the line ran');
  }
  const log = line.includes('run.txt') ? readFileSync(join(machine.home, 'run.txt'), 'utf8') : '';
  return { ...ran, log };
}

describe.runIf(hasSocat && process.platform === 'linux')('a reset before a wait', { timeout: 60_000 }, () => {
  it.each<ResetKind>(['circuit', 'dtr'])('monitor takes no text from before it (%s)', async (kind) => {
    const line = 'wirebench monitor ttyUSB0 --reset --until PASS --timeout 1.5 --log run.txt';
    const { code, text, log } = await ranBeside(line, [kind], 'PASS\n', 'boot\nup\n');
    expect(code, text).toBe(1);
    expect(text).toContain('"PASS" did not come within 1.5 s.');
    expect(text).toContain('Asked the board on ttyUSB0 to restart, using its control lines');
    if (kind === 'dtr') {
      // Nothing holds this board, which prints until DTR rises.
      expect(log).toContain('RX  PASS');
    }
    expect(log).toContain('RX  up');
  });

  it.each<ResetKind>(['circuit', 'dtr'])('monitor ends with the text of the new program (%s)', async (kind) => {
    const line = 'wirebench monitor ttyUSB0 --reset --until PASS --fail-on panic --timeout 20';
    const { code, text } = await ranBeside(line, [kind], 'panic\n', 'boot\nPASS\n');
    expect(code, text).toBe(0);
  });

  it('monitor warns when nothing holds the board', async () => {
    const line = 'wirebench monitor ttyUSB0 --reset --until PASS --timeout 20';
    const { text } = await ranBeside(line, ['dtr'], 'old\n', 'PASS\n');
    expect(text).toContain('went on receiving while the reset was held: its output shows whether the board restarts');
  });

  it('monitor restarts every board before it ends with the text of one', async () => {
    const line = 'wirebench monitor ttyUSB0 ttyUSB1 --reset --until PASS --timeout 20';
    const { code, text } = await ranBeside(line, ['circuit', 'circuit'], 'PASS\n', 'new PASS\n');
    expect(code, text).toBe(0);
    expect(text.match(/Asked the board on ttyUSB[01] to restart/g)).toHaveLength(2);
  });

  it.each<ResetKind>(['circuit', 'dtr'])('test takes no line from before it (%s)', async (kind) => {
    const { code, text } = await ranBeside(
      'wirebench test old.jkit.json --port ttyUSB0 --reset --fail-on fatal',
      [kind],
      'panic fatal\n',
      'boot\n',
    );
    expect(code, text).toBe(0);
  });

  it('test awaits a rule in the output of the new program alone', async () => {
    const line = 'wirebench test up.jkit.json --port ttyUSB0 --reset --timeout 2';
    const { code, text } = await ranBeside(line, ['circuit'], 'PASS\n', 'boot\n');
    expect(code, text).toBe(1);
    expect(text).toContain('the rule "Up" did not fire');
  });
});
