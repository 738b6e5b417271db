/** Commands that gammu sends to a modem on a pseudo-terminal, and the modem's results. Linux and macOS. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { bytesOf, readChunks, type SeenPiece } from '../testing/golden-cases.ts';
import { isInstalled, runJudge } from '../testing/judges.ts';

interface Judged {
  readonly chunks: readonly (readonly [ms: number, direction: 'rx' | 'tx', hex: string])[];
  readonly output: string;
  readonly commands: readonly string[];
  readonly finals: readonly string[];
}

const value = ({ decoded }: SeenPiece, name: string) => decoded.fields.find((field) => field.name === name)?.value;
const source = random('gammu');
const digits = (count: number) => Array.from({ length: count }, () => source.below(10)).join('');

describe.runIf(isInstalled('gammu', '--version'))('AT commands beside gammu', () => {
  it.each(Array.from({ length: isLong ? 10 : 1 }, (_, index) => [index]))(
    'shows the same commands, results and facts of the modem: %i',
    { timeout: 100_000 },
    () => {
      const facts = {
        manufacturer: `ACME ${digits(2)}`,
        model: `M-${digits(3)}`,
        firmware: `${digits(1)}.${digits(2)}`,
        imei: digits(15),
        imsi: digits(15),
      };
      const folder = mkdtempSync(join(tmpdir(), 'wirebench-gammu-'));
      try {
        const script = fileURLToPath(new URL('../testing/gammu.py', import.meta.url));
        const judged = JSON.parse(runJudge('python3', [script, folder, JSON.stringify(facts)], '')) as Judged;
        // gammu has read what the modem said.
        for (const fact of Object.values(facts)) {
          expect(judged.output).toContain(fact);
        }
        const { pieces } = readChunks(
          [libraryDecoders.at],
          judged.chunks.map(([at, direction, hex]) => ({
            at,
            direction: direction === 'tx' ? ('sent' as const) : ('received' as const),
            bytes: bytesOf(hex),
          })),
        );
        const isCommand = (piece: SeenPiece) => value(piece, 'role') === 'command' && piece.direction === 'sent';
        const commands = pieces.filter(isCommand);
        const finals = pieces.filter((piece) => value(piece, 'role') === 'final');
        expect(commands.map((piece) => value(piece, 'command'))).toEqual(judged.commands);
        expect(finals.map((piece) => value(piece, 'text') ?? piece.decoded.fields[0]?.value)).toEqual(judged.finals);
        // Each result belongs to the command before it.
        expect(finals.map(({ link }) => link.to)).toEqual(commands.map((piece) => pieces.indexOf(piece)));
        const answerTo = (command: string) =>
          pieces
            .filter(
              ({ link }, index) =>
                link.to !== null && index > link.to && value(pieces[link.to] as SeenPiece, 'command') === command,
            )
            .map(({ decoded }) => decoded.fields[0]?.value);
        expect(answerTo('AT+CGMI')).toContain(facts.manufacturer);
        expect(answerTo('AT+CGSN')).toContain(facts.imei);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
