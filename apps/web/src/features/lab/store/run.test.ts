import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallError } from '../../../protocol/calls/call-client.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { changeLab, idleLab } from './lab-store.ts';
import { tell } from './run.ts';

vi.mock('../../../shared/ui/toast.ts', () => ({ toast: vi.fn() }));

const failed = (code: string, detail: string | null = null) => {
  const message = 'What happened.';
  const failure = { code, message, remedy: 'What to do.', detail };
  return () => Promise.reject(new CallError({ name: 'LabError', message, code, detail: failure }));
};

beforeEach(() => changeLab({ ...idleLab, phase: 'open' }));
afterEach(() => {
  changeLab(idleLab);
  vi.mocked(toast).mockClear();
});

it('says what failed, and what to do', async () => {
  await tell(failed('outcome-unknown', 'At 0x76.'));
  expect(toast).toHaveBeenCalledExactlyOnceWith('What happened.', { level: 'error', detail: 'At 0x76. What to do.' });
});

it('says why something was refused', async () => {
  await tell(failed('refused', 'GPIO 6 is connected to the flash chip.'));
  expect(toast).toHaveBeenCalledExactlyOnceWith('GPIO 6 is connected to the flash chip.', {
    level: 'error',
    detail: 'What to do.',
  });
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
  expect(toast).not.toHaveBeenCalled();
});
