/** DMX512 frames that olad sends to an adapter on a pseudo-terminal, and receives from it. As root, on Linux. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../frame-types.ts';
import { bytesOf, readChunks } from '../testing/golden-cases.ts';
import { isInstalled, runJudge } from '../testing/judges.ts';

const isHere = process.getuid?.() === 0 && isInstalled('sh', '-c', 'command -v olad && command -v setpriv');

interface Judged {
  readonly hex: string;
  /** Slots that olad has; it keeps those beyond a shorter frame. */
  readonly slots: readonly number[];
}

describe.runIf(isHere)('DMX512 beside olad', () => {
  it('has the same slots in both directions', { timeout: 290_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'wirebench-olad-'));
    try {
      const script = fileURLToPath(new URL('../testing/olad.py', import.meta.url));
      const count = isLong ? 100 : 12;
      const output = runJudge('python3', [script, folder, String(count), String(random('olad').below(1_000_000))], '');
      const judged = JSON.parse(output) as Readonly<Record<'sent' | 'received', readonly Judged[]>>;
      for (const direction of ['sent', 'received'] as const satisfies readonly Direction[]) {
        const frames = judged[direction];
        expect(frames).toHaveLength(count);
        const chunks = frames.map(({ hex }, at) => ({ at, direction, bytes: bytesOf(hex) }));
        const { pieces } = readChunks([libraryDecoders.dmx], chunks);
        expect(pieces).toHaveLength(count);
        for (const [index, { decoded }] of pieces.entries()) {
          const slots = decoded.fields
            .filter(({ name }) => name.startsWith('slot.'))
            .map(({ value }) => value as number);
          expect(decoded.message).toBe(direction === 'sent' ? 'send' : 'received');
          expect(slots.length).toBeGreaterThanOrEqual(24);
          expect(frames[index]?.slots.slice(0, slots.length)).toEqual(slots);
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
