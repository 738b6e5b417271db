import { afterEach, describe, expect, it, vi } from 'vitest';
import { caller } from './server-call.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function warningsFor(server: string): readonly string[] {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  caller(server, 'a token');
  return said.mock.calls.map(([line]) => String(line));
}

describe('a publishing token', () => {
  it.each(['http://bench.example.org', 'http://10.0.0.5:8080', 'http://localhost.example'])(
    'is not sent to %s in clear without a warning',
    (server) => {
      expect(warningsFor(server)).toEqual([
        `Warning: the publishing token goes to ${server} without encryption: whoever can read the traffic can publish with it. Use https, or a network that you trust.`,
      ]);
    },
  );

  it.each([
    'https://bench.example.org',
    'http://localhost:4173',
    'http://127.0.0.1:4173',
    'http://[::1]:4173',
    'http://bench.localhost',
  ])('is sent to %s without a warning', (server) => {
    expect(warningsFor(server)).toEqual([]);
  });
});
