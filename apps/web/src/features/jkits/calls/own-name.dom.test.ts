import { afterEach, expect, it, vi } from 'vitest';
import { isOwnName } from '../../../shared/session/own-names.ts';
import { learnNameOf } from './own-name.ts';

const request = vi.hoisted(() => vi.fn());
vi.mock('../../../shared/api/api.ts', () => ({ request }));

afterEach(() => {
  request.mockReset();
  vi.restoreAllMocks();
});

it('asks the server once under which name somebody publishes', async () => {
  request.mockResolvedValue({ account: { publicName: 'gnss-hut' } });
  await Promise.all([learnNameOf('mira'), learnNameOf('mira')]);
  expect(isOwnName('mira', 'gnss-hut')).toBe(true);
  await learnNameOf('mira');
  expect(request).toHaveBeenCalledTimes(1);
});

it('asks again after a failure', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  request.mockRejectedValueOnce(new Error('offline'));
  await learnNameOf('lea');
  request.mockResolvedValue({ account: { publicName: 'lea.k' } });
  await learnNameOf('lea');
  expect(isOwnName('lea', 'lea.k')).toBe(true);
});
