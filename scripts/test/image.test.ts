/** The check of the image, with a fake Podman that records its calls. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkImage } from './image.ts';

let folder = '';
let lines: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-image-'));
  lines = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => {
    lines.push(line);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Answers of an engine without faults, as lines of a shell's `case`. The first matching line wins. */
const well = [
  `*health-check*) test -e "$0.asked" || { touch "$0.asked"; exit 1; } ;;`,
  `*accounts*) echo 'Create one with: wirebench accounts add <name>' ;;`,
  `*backup*) echo 'Backed up: 3 files' ;;`,
  `inspect*) echo 0 ;;`,
  `'run --detach'*) echo 'container-1' ;;`,
  `*) ;;`,
];

function engine(...answers: readonly string[]): { readonly program: string; calls(): readonly string[] } {
  const program = join(folder, 'podman');
  const cases = [...answers, ...well].join('\n');
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${program}.calls'\ncase "$*" in\n${cases}\nesac\n`);
  chmodSync(program, 0o755);
  return {
    program,
    calls: () => readFileSync(`${program}.calls`, 'utf8').trim().split('\n'),
  };
}

const check = (...programs: readonly string[]) => checkImage({ programs, pause: 0, attempts: 3 });

describe('the check of the image', () => {
  it('is skipped with a line where no engine answers', async () => {
    const { program, calls } = engine('info) exit 125 ;;');
    expect(await check(join(folder, 'missing'), program)).toEqual({ passed: 0, failed: 0, skipped: 1 });
    expect(lines).toEqual(['Skipped: the image is not built, because neither Podman nor Docker runs here.']);
    expect(calls()).toEqual(['info']);
  });

  it('is skipped with a line where the image of Node cannot be fetched', async () => {
    const { program } = engine("'image inspect'*|pull*) exit 125 ;;");
    expect(await check(program)).toEqual({ passed: 0, failed: 0, skipped: 1 });
    expect(lines).toEqual([expect.stringMatching(/cannot fetch docker\.io\/library\/node:\S+\.$/)]);
  });

  it('builds the image, runs it as compose does, asks it until it is healthy, and leaves nothing behind', async () => {
    const { program, calls } = engine();
    expect(await check(program)).toEqual({ passed: 7, failed: 0, skipped: 0 });
    expect(lines).toEqual([]);
    const all = calls();
    expect(all.filter((call) => call.startsWith('build '))).toEqual([
      expect.stringContaining('--format docker --file deploy/Containerfile'),
    ]);
    expect(all.find((call) => call.startsWith('run --detach'))).toMatch(/--read-only .*--cap-drop=ALL/);
    expect(all.filter((call) => call.includes('health-check.ts'))).toHaveLength(2);
    expect(all.slice(-2)).toEqual([
      'rm --force --volumes container-1',
      expect.stringMatching(/^rmi --force wirebench-test:\d+$/),
    ]);
  });

  it.each([
    ['the build fails', 'build*) echo "no space left"; exit 1 ;;', 0, 'The image is built'],
    ['a test is in it', "'run --rm'*) echo apps/server/src/cli.test.ts ;;", 6, 'It has the licence and no tests'],
    ['the licence is not in it', "'run --rm'*) exit 1 ;;", 6, 'It has the licence and no tests'],
    ['no server starts', "'run --detach'*) exit 125 ;;", 2, 'A server starts'],
    ['it does not become healthy', '*health-check*) exit 1 ;;', 2, 'The health check passes'],
    ['it names commands of npm', '*accounts*) echo "npm run accounts -- add" ;;', 6, 'names its own command'],
    ['its files are wrong', '*verify*) exit 1 ;;', 6, 'wirebench verify finds no fault'],
    ['it is killed at its end', 'inspect*) echo 137 ;;', 6, 'The server ends in order'],
  ])('fails when %s', async (_what, answer, passed, sentence) => {
    const { program } = engine(answer);
    expect(await check(program)).toEqual({ passed, failed: 1, skipped: 0 });
    expect(lines[0]).toContain(sentence);
  });
});
