import { afterEach, beforeEach, expect, it } from 'vitest';
import { CallError } from '../../../protocol/calls/call-client.ts';
import { resetStores } from '../../../shared/testing/stores.ts';
import { toasts } from '../../../shared/testing/toasts.ts';
import { changeLab, idleLab } from './lab-store.ts';
import { tell } from './run.ts';

const failed = (code: string, detail: string | null = null) => {
  const message = 'What happened.';
  const failure = { code, message, remedy: 'What to do.', detail };
  return () => Promise.reject(new CallError({ name: 'LabError', message, code, detail: failure }));
};

beforeEach(() => {
  resetStores();
  changeLab({ ...idleLab, phase: 'open' });
});
afterEach(() => changeLab(idleLab));

it('says what failed, and what to do', async () => {
  await tell(failed('outcome-unknown', 'At 0x76.'));
  const said = { text: 'What happened.', level: 'error', detail: 'At 0x76. What to do.' };
  expect(toasts()).toMatchObject({ current: said, waiting: [] });
});

it('says why something was refused', async () => {
  await tell(failed('refused', 'GPIO 6 is connected to the flash chip.'));
  const said = { text: 'GPIO 6 is connected to the flash chip.', level: 'error', detail: 'What to do.' };
  expect(toasts()).toMatchObject({ current: said, waiting: [] });
});

it.each([
  'cancelled',
  'unplugged',
  'port-failed',
  'rom-crashed',
  'rom-stopped',
  'program-stopped',
  'restarted',
  'brown-out',
  'left',
])('says nothing of %s: the bench does, though it does not know it yet', async (code) => {
  await tell(failed(code));
  expect(toasts().current).toBeNull();
});
