/** The configuration that a server reports to pages, for tests without a server. */
import { apiPaths, type PublicConfig } from '@wirebench/contract';
import { vi } from 'vitest';

export const testConfig: PublicConfig = {
  apiUrl: '',
  oidc: { issuer: 'https://id.example', url: 'https://id.example', realm: 'r', clientId: 'c' },
  latestReleaseUrl: '/',
  adminRole: 'admin',
  limits: { projects: 5, versions: 3, jkits: 5, elfSize: 0, builds: 8 },
};

type Answer = (input: string, init?: RequestInit) => Promise<Response>;

/**
 * Replaces `fetch` until `vi.unstubAllGlobals` by a server with this configuration. Pages ask for it once.
 *
 * @param other Answers all other requests. By default, they stay without an answer.
 */
export function serveConfig(
  config: PublicConfig = testConfig,
  other: Answer = () => new Promise(() => undefined),
): void {
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) =>
    input === apiPaths.config ? Response.json(config) : other(input, init),
  );
}
