import { describe, expect, it } from 'vitest';
import { readArguments, usage } from './arguments.ts';

const link = 'https://bench.example/live.html?id=room#secret';

describe('command line of remote-port', () => {
  it('has a link, a port of the bench, a TCP port and a name', () => {
    expect(readArguments([link, '--port', '2', '--listen', '5000', '--name', ' Grace '], {})).toEqual({
      link,
      port: 2,
      listen: 5_000,
      name: 'Grace',
    });
  });

  it('needs nothing but a link, which may be in the environment or come later', () => {
    expect(readArguments([], { WIREBENCH_LINK: link })).toEqual({ link, port: null, listen: 4_000, name: null });
    expect(readArguments([link], { WIREBENCH_LINK: 'another' })).toMatchObject({ link });
    expect(readArguments([], { WIREBENCH_LINK: '' })).toMatchObject({ link: null });
  });

  it('trims the link of the environment and refuses quotation marks around it, without naming it', () => {
    for (const text of [`${link}\r`, `\ufeff${link}\u00a0`, ` ${link}\n`]) {
      expect(readArguments([], { WIREBENCH_LINK: text })).toMatchObject({ link });
    }
    expect(readArguments([], { WIREBENCH_LINK: ' \r' })).toMatchObject({ link: null });
    expect(() => readArguments([], { WIREBENCH_LINK: `"${link}"` })).toThrow(
      /^WIREBENCH_LINK has quotation marks (?!.*secret)/,
    );
  });

  it('asks for help, which says that the link is a secret and what the exit codes mean', () => {
    expect(readArguments(['--help'], {})).toBe('help');
    expect(usage).toContain('The link is a secret');
    expect(usage).toMatch(/Exit codes: 0 .* 1 .* 2 /);
  });

  it.each([
    ['a port that no bench has', [link, '--port', '5'], '--port must be a whole number from 1 to 4'],
    ['a TCP port that is none', [link, '--listen', '65536'], '--listen must be a whole number from 0 to 65535'],
    ['two links', [link, link], 'give one link'],
    ['an unknown option', [link, '--ports', '1'], '--ports'],
  ])('with %s is refused in one line, without the link', (_name, args, part) => {
    const refusal = () => readArguments(args, {});
    expect(refusal).toThrow(part);
    expect(refusal).not.toThrow('secret');
  });
});
