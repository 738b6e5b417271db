import { crc32 } from '@wirebench/serial/transfer';
import { describe, expect, it } from 'vitest';
import { PartialFiles, receivedFiles } from './protocols.ts';

const offer = { name: 'log.bin', size: 6, modified: 1_000 };
const text = async (content: Blob | undefined) => new TextDecoder().decode(await content?.arrayBuffer());
const part = Uint8Array.of(0x61, 0x62, 0x63);

async function interrupted(partials: PartialFiles): Promise<void> {
  const file = await receivedFiles(partials).open(offer);
  await file?.write(part);
  await file?.close(false);
}

describe('received files', () => {
  it('continues the part of an interrupted file', async () => {
    const partials = new PartialFiles();
    await interrupted(partials);
    const store = receivedFiles(partials);
    const file = await store.open(offer);
    expect(file?.kept).toBe(3);
    expect(await file?.keptCrc()).toBe(crc32(part));
    await file?.write(Uint8Array.of(0x64, 0x65, 0x66));
    await file?.close(true);
    expect(store.whole.map(({ name }) => name)).toEqual(['log.bin']);
    expect(await text(store.whole[0]?.content)).toBe('abcdef');
  });

  it('drops the part when the sender has another file', async () => {
    const partials = new PartialFiles();
    await interrupted(partials);
    const store = receivedFiles(partials);
    const file = await store.open(offer);
    file?.restart();
    await file?.write(Uint8Array.of(0x78));
    await file?.close(true);
    expect(await text(store.whole[0]?.content)).toBe('x');
  });

  it('keeps no part of a file of another size or time, and four at most', async () => {
    const partials = new PartialFiles();
    await interrupted(partials);
    expect((await receivedFiles(partials).open({ ...offer, size: 7 }))?.kept).toBe(0);
    for (let index = 0; index < 4; index++) {
      partials.keep({ ...offer, name: `${index}` }, new Blob(['x']));
    }
    expect(partials.take(offer)).toBeNull();
    expect(partials.take({ ...offer, name: '0' })).not.toBeNull();
  });
});
