import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { describe, expect, it } from 'vitest';
import { elfOf } from './read-build.ts';

describe("ELF file of a build's folder", () => {
  it.each(['utf8', 'utf16le'] as const)('is named by a description in %s', async (encoding) => {
    await using folder = await temporaryFolder();
    const description = JSON.stringify({ app_elf: 'hello.elf' });
    await writeFile(join(folder.path, 'project_description.json'), Buffer.from(`\ufeff${description}`, encoding));
    await writeFile(join(folder.path, 'hello.elf'), 'ELF');
    expect(await elfOf(folder.path, 'Name it.')).toBe(join(folder.path, 'hello.elf'));
  });
});
