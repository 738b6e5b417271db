import { VirtualClock } from '@wirebench/clock';
import { buildImage } from '@wirebench/flasher/file-systems';
import { describe, expect, it } from 'vitest';
import { CallClient } from '../../protocol/calls/call-client.ts';
import { callLine } from '../../protocol/calls/testing/call-line.ts';
import type { FileSystemApi } from '../../protocol/file-system-protocol.ts';
import { FileSystemStore } from './file-system-store.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const image = buildImage('littlefs', 65_536, [{ path: '/config.json', bytes: bytes('{}') }]);

function start(): CallClient<FileSystemApi, null> {
  const { page, bench } = callLine();
  new FileSystemStore(bench, new VirtualClock());
  const client = new CallClient<FileSystemApi, null>(() => undefined);
  client.attach(page);
  return client;
}

describe('worker for file systems', () => {
  it('lists, changes and reads a partition, and returns only changed sectors', async () => {
    const client = start();
    await client.call('open', 1, image);
    const before = await client.call('apply', 1, []);
    expect(before.entries.map(({ path, size }) => [path, size])).toEqual([['/config.json', 2]]);
    expect(before.changed).toEqual([]);
    const after = await client.call('apply', 1, [{ kind: 'write', path: '/config.json', bytes: bytes('{"a": 1}') }]);
    expect(after.isChanged).toBe(true);
    expect(after.changed.every(({ bytes: { length, buffer } }) => buffer.byteLength === length)).toBe(true);
    const content = await client.call('read', 1, '/config.json', 4);
    expect([content.size, new TextDecoder().decode(content.bytes)]).toEqual([8, '{"a"']);
    expect(content.before).toEqual(bytes('{}'));
  });

  it('keeps its state after an edit that is impossible, and names the remedy', async () => {
    const client = start();
    await client.call('open', 1, image);
    await client.call('apply', 1, []);
    const large = client.call('apply', 1, [{ kind: 'write', path: '/large', bytes: new Uint8Array(65_536) }]);
    await expect(large).rejects.toMatchObject({
      code: 'full',
      message: expect.stringContaining('Delete files, or use a larger partition.'),
    });
    expect((await client.call('readAll', 1)).files.map(({ path }) => path)).toEqual(['/config.json']);
  });

  it('states the fault of a partition without a file system, and describes one in a line', async () => {
    const client = start();
    const erased = new Uint8Array(65_536).fill(0xff);
    await client.call('open', 1, erased);
    expect((await client.call('apply', 1, [])).fault?.code).toBe('no-file-system');
    expect(await client.call('describe', erased)).toBeNull();
    expect(await client.call('describe', image)).toBe('LittleFS, 1 file, 13 % full');
    await client.call('close', 1);
    await expect(client.call('readAll', 1)).rejects.toThrow('not open');
  });
});
