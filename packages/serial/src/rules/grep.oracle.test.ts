/**
 * GNU grep counts the lines of a log that 32 conditions match, and the rules count the same. Runs if grep is installed.
 * In the long run the log has 1,000,000 lines.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import { isLong, random } from '@wirebench/test-input';
import { expect, it } from 'vitest';
import { receivedChannel } from '../testing/line-channels.ts';
import { noActions } from './rule.ts';
import { RuleWatch } from './rule-watch.ts';

const MIB = 1 << 20;
const lineCount = isLong ? 1_000_000 : 10_000;

/** Conditions as the find field takes them, and the arguments with which grep looks for the same. */
const conditions: readonly (readonly [find: string, ...grep: string[]])[] = [
  ['error', '-F', '-i', 'error'],
  ['"heap: 1"', '-F', 'heap: 1'],
  ['größe', '-F', 'größe'],
  ['GRÖßE', '-F', '-i', 'GRÖßE'],
  ['ошибка', '-F', '-i', 'ошибка'],
  ['not:wifi', '-v', '-F', '-i', 'wifi'],
  ['/^E /', '-E', '^E '],
  ['/error|failed|timeout/', '-E', 'error|failed|timeout'],
  ['/ERROR/i', '-E', '-i', 'ERROR'],
  ['/[0-9]{6}/', '-E', '[0-9]{6}'],
  ['/\\d\\d%/', '-P', '\\d\\d%'],
  ['/^[EW] \\(\\d+\\) (wifi|ble):/', '-P', '^[EW] \\(\\d+\\) (wifi|ble):'],
  ['/0x[0-9a-f]{8}$/', '-E', '0x[0-9a-f]{8}$'],
  ['/\\bheap\\b/', '-P', '\\bheap\\b'],
  ['/retr(y|ies) \\d+ of \\d+/', '-P', 'retr(y|ies) \\d+ of \\d+'],
  ['/(?:ab)+c/', '-P', '(?:ab)+c'],
  ['/t.mp/', '-E', 't.mp'],
  ['/temp=-?\\d+\\.\\d/', '-P', 'temp=-?\\d+\\.\\d'],
  ['/^$/', '-E', '^$'],
  ['/^.{45,}/', '-P', '^.{45,}'],
  ['/x*y/', '-E', 'x*y'],
  ['/[^ -~]/', '-P', '[^ -~]'],
  ['/größe|Größe/', '-P', 'größe|Größe'],
  ['/\\.$/', '-E', '\\.$'],
  ['/(?:a|b|c)(?:d|e|f)/', '-E', '(a|b|c)(d|e|f)'],
  ['/\\[ERR\\]/', '-F', '[ERR]'],
  ['/wifi.*failed/', '-E', 'wifi.*failed'],
  ['/failed.*wifi/', '-E', 'failed.*wifi'],
  ['/W|E/', '-E', 'W|E'],
  ['/^I.*[13579]$/', '-E', '^I.*[13579]$'],
  ['/a{3}/', '-E', 'a{3}'],
  ['/\\s\\S\\s/', '-P', '\\s\\S\\s'],
];

/** Conditions without case. */
const anyCase = new Set(['error', 'GRÖßE', 'ошибка', 'not:wifi']);

function log(): string {
  const { below: next } = random('log');
  const texts = [
    () => `wifi: retry ${next(9)} of ${next(9)}`,
    () => `wifi: connection failed, reason ${next(300)}`,
    () => `heap: ${next(200_000)}`,
    () => `temp=${next(2) === 0 ? '-' : ''}${next(90)}.${next(10)} hum=${next(100)}%`,
    () =>
      `at 0x${next(1 << 30)
        .toString(16)
        .padStart(8, '0')}`,
    () => `Größe ${next(50)} abab${next(3) === 0 ? 'c' : 'd'}`,
    () => `[ERR] ble: Error, TIMEOUT after ${next(10_000)} ms.`,
    () => 'a'.repeat(next(8)),
    () => '',
    () => `${['ОШИБКА', 'Ошибка', 'ошибка'][next(3)]} ${next(100)}`,
    () => `größe failed before wifi x${'x'.repeat(next(4))}y`,
  ];
  return Array.from({ length: lineCount }, () => {
    const text = (texts[next(texts.length)] as () => string)();
    return next(3) === 0 ? text : `${'EWID'[next(4)]} (${next(1 << 20)}) ${['wifi', 'ble', 'app'][next(3)]}: ${text}`;
  }).join('\n');
}

it.skipIf(spawnSync('grep', ['--version']).status !== 0)(
  `counts what grep counts, in ${lineCount} lines for 32 conditions`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wirebench-grep-'));
    try {
      const file = join(folder, 'log.txt');
      writeFileSync(file, `${log()}\n`);
      const clock = new VirtualClock();
      const channel = receivedChannel(128 * MIB);
      const watch = new RuleWatch({
        clock,
        channels: [channel],
        isOpen: () => false,
        onHit: () => undefined,
        onChange: () => undefined,
      });
      watch.set(
        conditions.map(([find], index) => ({
          ...noActions,
          id: `${index}`,
          ports: null,
          condition: { kind: 'line' as const, find, matchCase: !anyCase.has(find) },
        })),
      );
      const bytes = Buffer.from(`${log()}\n`);
      for (let at = 0; at < bytes.length; at += 65_536) {
        channel.append(bytes.subarray(at, at + 65_536), clock.now());
        watch.changed();
        await clock.advance(20);
      }
      expect(channel.lines).toBe(lineCount);
      const counted = conditions.map((_, index) => watch.counts.get(`${index}`));
      const grepped = conditions.map(([, ...options]) => {
        const pattern = options.pop() ?? '';
        const { stdout } = spawnSync('grep', ['-c', ...options, '-e', pattern, file], {
          env: { ...process.env, LC_ALL: 'C.UTF-8' },
          encoding: 'utf8',
        });
        return Number(stdout);
      });
      expect(counted).toEqual(grepped);
      expect(conditions.filter((_, index) => grepped[index] === 0 || grepped[index] === lineCount)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);
