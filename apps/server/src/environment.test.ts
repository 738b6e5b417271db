import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadEnvironment } from './environment.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

async function load(file: string | Uint8Array, environment: Record<string, string> = {}) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, '.env');
  await writeFile(path, file);
  return loadEnvironment(path, environment);
}

const text = 'PORT=4180\r\nADMIN_ROLE="bench admin"\r\n';
const variables = { PORT: '4180', ADMIN_ROLE: 'bench admin' };

describe('.env', () => {
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 of PowerShell', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 with the high byte first', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
  ])('is read in %s', async (_name, file) => {
    expect(await load(file)).toEqual(variables);
  });

  it('reads a variable behind a byte order mark or a no-break space in its middle', async () => {
    expect(await load('PORT=4180\n\ufeffADMIN_ROLE=b#nch\n\u00a0DATA_DIR=/var/lib/bench\u00a0\n')).toMatchObject({
      ADMIN_ROLE: 'b#nch',
      DATA_DIR: '/var/lib/bench\u00a0',
    });
  });

  it('leaves variables that are set, and may be missing', async () => {
    expect(await load(text, { PORT: '', HOME: '/root' })).toEqual({
      PORT: '',
      ADMIN_ROLE: 'bench admin',
      HOME: '/root',
    });
    expect(loadEnvironment('/nowhere/.env', { PORT: '1' })).toEqual({ PORT: '1' });
  });

  it.each([
    ['A=postgres://bench:p#ss@db/bench', 'postgres://bench:p#ss@db/bench'],
    ['export A = p#ss', 'p#ss'],
    ['A=p#ss # the password', 'p#ss'],
    ["A=p#s's\\n", "p#s's\\n"],
    ["A=p#s's`", "p#s's`"],
    ['A=4173 # the port', '4173'],
    ['A=# nothing', ''],
    ['# A=1#2\nA=3', '3'],
    ['A="1#2" # 3', '1#2'],
    ['A="1\nB=2#3"', '1\nB=2#3'],
  ])('has a # in a value, and a comment after a blank: %j', async (file, value) => {
    expect((await load(file))['A']).toBe(value);
  });

  it('gives every value without blanks and quotes back', async () => {
    const value = fc
      .string({ minLength: 1, unit: fc.constantFrom(...'aZ09#/?@:%=\\$&+-_.é') })
      .filter((one) => one[0] !== '#');
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 3 }), async (values) => {
        const file = values.map((one, index) => `V${index}=${one}\n`).join('');
        expect(Object.values(await load(file))).toEqual(values);
      }),
      { numRuns: 30 },
    );
  });
});
