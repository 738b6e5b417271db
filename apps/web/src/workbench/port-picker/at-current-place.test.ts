import { describe, expect, it, vi } from 'vitest';
import type { PortPlace } from '../../hardware/permitted-ports.ts';
import { outdatedPlace } from '../../protocol/bench/port-part.ts';
import type { FlashSource } from '../../protocol/usb-source.ts';
import { CallError } from '../bench-client.ts';
import { atCurrentPlace } from './at-current-place.ts';

const placeAt = (index: number): PortPlace => ({ index, count: 4, info: {} });
const failure = (name: string) => new CallError({ name, message: 'refused', code: null, detail: null });
const source = { kind: 'serial', place: placeAt(0) } as const;

describe('connecting at the current place of a port', () => {
  it('looks the port up again each time that the list has changed', async () => {
    const asked: (number | null)[] = [];
    const attempt = (current: FlashSource) => {
      asked.push(current.kind === 'serial' ? current.place.index : null);
      return asked.length === 3 ? Promise.resolve('open') : Promise.reject(failure(outdatedPlace));
    };
    let index = 0;
    const find = () => Promise.resolve(placeAt(++index));
    expect(await atCurrentPlace(source, attempt, find)).toBe('open');
    expect(asked).toEqual([0, 1, 2]);
  });

  it('gives up when the list never rests', async () => {
    const attempt = vi.fn(() => Promise.reject(failure(outdatedPlace)));
    await expect(atCurrentPlace(source, attempt, () => Promise.resolve(placeAt(1)))).rejects.toThrow('refused');
    expect(attempt).toHaveBeenCalledTimes(6);
  });

  it('does not look up an unplugged port twice, and nothing after another failure', async () => {
    const find = vi.fn(() => Promise.resolve(undefined));
    await expect(atCurrentPlace(source, () => Promise.reject(failure(outdatedPlace)), find)).rejects.toThrow('refused');
    expect(find).toHaveBeenCalledTimes(1);
    await expect(atCurrentPlace(source, () => Promise.reject(failure('PortError')), find)).rejects.toThrow('refused');
    await expect(
      atCurrentPlace({ kind: 'demo', model: 'esp32' }, () => Promise.reject(failure(outdatedPlace)), find),
    ).rejects.toThrow('refused');
    expect(find).toHaveBeenCalledTimes(1);
  });
});
