/** The client against recorded sessions with the ROM: the same bytes for the same command, and an end of every wait. */
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { runOn } from '../../testing/run-on.ts';
import { deadlines } from '../deadlines.ts';
import { RpError } from '../rp-failure.ts';
import { commandsOf, type RecordedCommand, RecordedRom, recordedSessions } from '../testing/recorded-rom.ts';
import { exclusiveAccess, exitXip, flashErase, readMemory, reboot, writeMemory } from './commands.ts';
import { PicobootLink } from './picoboot-link.ts';

const place = { interfaceNumber: 1, in: 4, out: 3 };
const sessions = recordedSessions().map((session) => ({ ...session, commands: commandsOf(session) }));

/** Outcome of a command at the ROM, in the words of the client. */
function recorded({ command, steps }: RecordedCommand): string {
  const transfers = steps.filter(({ op }) => op !== 'control');
  const bad = transfers.find(({ result }) => result === 'stall') ?? transfers.find(({ result }) => result !== 'ok');
  const wanted = 2 + (command.data === undefined && command.length === 0 ? 0 : 1);
  if (bad?.result === 'stall') {
    return 'refused';
  }
  if (bad !== undefined || transfers.length < wanted) {
    return 'stopped-answering';
  }
  const received = transfers.find(({ op }) => op === 'in');
  const size = received?.length ?? (received?.data?.length ?? 0) / 2;
  return size === command.length ? 'ok' : 'out-of-step';
}

describe('recorded sessions with the ROM', () => {
  it('are all read', () => {
    expect(sessions.length).toBeGreaterThan(100);
    expect(sessions.filter(({ commands }) => commands.length > 0).length).toBeGreaterThan(90);
  });

  it.each(sessions.filter(({ commands }) => commands.length > 0).map((one) => [one.id, one] as const))(
    'end as recorded: %s',
    async (_id, { commands }) => {
      const clock = new VirtualClock();
      // A session counts up to its first command that fails: the client recovers there, which the recorder did not.
      for (const [index, one] of commands.entries()) {
        const rom = new RecordedRom(commands.slice(0, index + 1));
        const link = new PicobootLink(clock, rom, place, undefined);
        const outcomes: string[] = [];
        for (const { command } of commands.slice(0, index + 1)) {
          const start = clock.now();
          const outcome = await runOn(
            clock,
            link.run(command).then(
              () => 'ok',
              (error: unknown) => (error instanceof RpError ? error.code : String(error)),
            ),
          );
          expect(clock.now() - start).toBeLessThan(deadlines.command + 100);
          outcomes.push(outcome);
        }
        expect(outcomes.at(-1)).toBe(recorded(one));
        if (outcomes.at(-1) !== 'ok') {
          break;
        }
        // Tokens are counted from 1, as the recorder did, so every byte of a command is compared.
        expect(rom.unknown).toEqual([]);
      }
    },
  );

  it('hold the commands that the client makes', () => {
    const bytes = new Set(
      sessions.flatMap(({ commands }) =>
        commands.map(({ command: { id, args, data, length } }) =>
          JSON.stringify([id, [...args], data?.length ?? 0, length]),
        ),
      ),
    );
    const own = [
      exclusiveAccess('take'),
      exclusiveAccess('release'),
      exitXip,
      flashErase(0x1000_0000, 0x1_0000),
      writeMemory(0x1000_0000, new Uint8Array(256)),
      writeMemory(0x1000_0000, new Uint8Array(40_960)),
      readMemory(0x1000_0000, 256),
      readMemory(0x1001_0000, 65_536),
    ];
    for (const { id, args, data, length, what } of own) {
      expect(bytes.has(JSON.stringify([id, [...args], data?.length ?? 0, length])), what).toBe(true);
    }
    // The recorder passed no stack pointer.
    expect([...reboot.args]).toEqual([0, 0, 0, 0, 0x00, 0x20, 0x04, 0x20, 0xf4, 0x01, 0, 0]);
  });
});
