import { afterEach, describe, expect, it, vi } from 'vitest';
import { commandText } from './command-name.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the name of a command', () => {
  it.each([
    ['a checkout', undefined, 'npm run backup', 'npm run accounts -- add me --admin'],
    ['the image', 'wirebench', 'wirebench backup', 'wirebench accounts add me --admin'],
  ])('is what people type in %s', (_place, program, alone, withArguments) => {
    vi.stubEnv('WIREBENCH_PROGRAM', program);
    expect(commandText('backup')).toBe(alone);
    expect(commandText('accounts', 'add me --admin')).toBe(withArguments);
  });
});
