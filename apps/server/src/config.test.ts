import { describe, expect, it } from 'vitest';
import { type Environment, readConfig } from './config.ts';
import { StartError } from './start-error.ts';

function linesFor(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof StartError) {
      return error.lines;
    }
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toEqual({
      listen: { host: '127.0.0.1', port: 4173 },
      tls: null,
      publicUrl: null,
      hstsSubdomains: false,
      apiUrl: null,
      dataDir: './data',
      databaseUrl: null,
      s3: null,
      identity: { kind: 'embedded', realm: 'wirebench', clientId: 'wirebench-web', reachedBy: null },
      adminRole: 'admin',
      appOrigins: [],
      latestReleaseUrl: null,
      issuesUrl: null,
      probeRelease: true,
      limits: { projects: 5, versions: 3, jkits: 5, elfSize: 67_108_864, builds: 8 },
      writesPerMinute: 60,
      readsPerMinute: 600,
      uploads: { perUser: 2, inAll: 16, diskReserve: 268_435_456 },
      pullHosts: [],
      overloadDelay: 500,
      keepAlive: 130_000,
      live: {
        rooms: 4,
        guests: 1_000,
        connections: 1_000,
        rate: 1_048_576,
        fanout: 67_108_864,
        origins: [],
      },
      redisUrl: null,
      redisTimeout: 2_000,
      tokenOwnerActiveDays: 90,
      trustProxy: false,
      logLevel: 'info',
      metrics: 'loopback',
    });
  });

  it('takes an empty variable for one that is not set, as compose files leave them', () => {
    expect(readConfig({ PORT: '', OIDC_URL: '', LOG_LEVEL: ' ' })).toEqual(readConfig({}));
  });

  it.each<[string, Environment]>([
    ['a carriage return', { DATA_DIR: '/var/lib/bench\r' }],
    ['blanks', { DATA_DIR: '  /var/lib/bench ' }],
    ['a byte order mark', { DATA_DIR: '\ufeff/var/lib/bench' }],
    ['a no-break space', { DATA_DIR: '/var/lib/bench\u00a0' }],
    ['a byte order mark before the name', { '\ufeffDATA_DIR': '/var/lib/bench' }],
  ])('reads a folder with %s at the ends', (_what, environment) => {
    expect(readConfig(environment).dataDir).toBe('/var/lib/bench');
  });

  it('trims every setting and refuses quotation marks around each, by name and without its value', () => {
    const settings = {
      PORT: '4180',
      HOST: '127.0.0.1',
      TLS_CERT: '/tls/cert.pem',
      TLS_KEY: '/tls/key.pem',
      PUBLIC_URL: 'https://bench.example.org',
      HSTS_SUBDOMAINS: 'on',
      API_URL: 'https://api.example.org',
      APP_ORIGINS: 'https://one.example.org,https://two.example.org',
      DATA_DIR: '/var/lib/bench',
      DATABASE_URL: 'postgres://bench:s3cret@db/bench',
      REDIS_URL: 'redis://:s3cret@redis',
      REDIS_TIMEOUT: '500',
      S3_ENDPOINT: 'https://s3.example.org',
      S3_BUCKET: 'bench',
      S3_REGION: 'garage',
      S3_ACCESS_KEY_ID: 's3cret',
      S3_SECRET_ACCESS_KEY: 's3cret',
      S3_PUBLIC_URL: 'https://files.example.org',
      OIDC_URL: 'https://id.example.org',
      OIDC_REALM: 'bench',
      OIDC_CLIENT_ID: 'bench',
      OIDC_ISSUER: 'https://id.example.org/tenant/',
      OIDC_JWKS_URL: 'https://id.example.org/keys',
      OIDC_AUDIENCE: 'bench',
      OIDC_ROLES_CLAIM: 'roles',
      EMBEDDED_IDENTITY: 'allow',
      ADMIN_ROLE: 'bench admin',
      LATEST_RELEASE_URL: 'https://bench.example.org/release.html',
      ISSUES_URL: 'help@example.org',
      PROBE_RELEASE: 'off',
      LIMIT_PROJECTS: '7',
      PULL_PRIVATE_HOSTS: 'files.lan,10.0.0.5',
      LIVE_ORIGINS: 'https://one.example.org',
      TRUST_PROXY: '10.0.0.0/8',
      LOG_LEVEL: 'warn',
      METRICS: 'off',
    };
    const changed = (change: (value: string) => string) =>
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, change(value)]));
    expect(readConfig(changed((value) => `\ufeff ${value}\u00a0\r`))).toEqual(readConfig(settings));
    for (const mark of ['"', "'"]) {
      const lines = linesFor(changed((value) => `${mark}${value}${mark}\r`));
      expect(lines).toEqual(
        Object.keys(settings).map((name) => expect.stringMatching(`^${name} has quotation marks around its value\\.`)),
      );
      expect(lines.join()).not.toContain('s3cret');
    }
  });

  it('refuses a mark at one end of a path, and keeps the one of a password', () => {
    expect(linesFor({ DATA_DIR: '"/var/lib/bench' })).toEqual([
      'DATA_DIR has a quotation mark at the start of its value, and none at the other. Remove the mark.',
    ]);
    const url = 'redis://:s3cret@redis';
    const store = { S3_ENDPOINT: 'https://s3.example.org', S3_BUCKET: 'bench', S3_REGION: 'x', S3_ACCESS_KEY_ID: 'y' };
    expect(readConfig({ ...store, REDIS_URL: url, S3_SECRET_ACCESS_KEY: 'p4ss"' }).s3?.secretAccessKey).toBe('p4ss"');
  });

  it.each(['https://"bench.example.org":4173', 'https://“bench.example.org”:4173', "https://'bench.example.org':4173"])(
    'refuses quotation marks around the host: %s',
    (address) => {
      for (const variable of ['PUBLIC_URL', 'OIDC_ISSUER', 'S3_ENDPOINT']) {
        expect(linesFor({ [variable]: address })[0]).toContain(`${variable} must be `);
      }
    },
  );

  it.each(['~/bench', '~', '$HOME/bench', `${'$'}{HOME}/bench`])(
    'refuses the folder %s, which only a shell replaces',
    (path) => {
      expect(linesFor({ DATA_DIR: path })).toEqual([
        `DATA_DIR must be the path of a folder, without ~ or a variable of the shell at its start, not ${JSON.stringify(path)}.`,
      ]);
      expect(readConfig({ DATA_DIR: `./${path}` }).dataDir).toBe(`./${path}`);
    },
  );

  it('ignores variables that it does not know, as other programs and older versions have them', () => {
    expect(readConfig({ SCRUB_RATE: 'fast', TERM: 'xterm' })).toEqual(readConfig({}));
  });

  it.each<[string, string, string]>([
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535, not "http".'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536".'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, not "-1".'],
    ['PORT', '4173.5', 'PORT must be a whole number from 0 to 65535, not "4173.5".'],
    [
      'HOST',
      'not a host',
      'HOST must be an address or host name of this machine, such as 127.0.0.1 or 0.0.0.0, not "not a host".',
    ],
    [
      'PUBLIC_URL',
      'bench.example.org',
      'PUBLIC_URL must be an address like https://bench.example.org, without a path, not "bench.example.org".',
    ],
    [
      'PUBLIC_URL',
      'https://example.org/bench',
      'PUBLIC_URL must be an address like https://bench.example.org, without a path, not "https://example.org/bench".',
    ],
    [
      'API_URL',
      'https://example.org/api',
      'API_URL must be an address like https://bench.example.org, without a path, not "https://example.org/api".',
    ],
    [
      'OIDC_URL',
      'ftp://id.example.org',
      'OIDC_URL must be the address of your identity provider, like https://id.example.org, not "ftp://id.example.org".',
    ],
    ['OIDC_REALM', 'a/b', 'OIDC_REALM must be a name without spaces or slashes, not "a/b".'],
    ['OIDC_ISSUER', 'tenant', 'OIDC_ISSUER must be the issuer exactly as it appears in the tokens, not "tenant".'],
    [
      'OIDC_ISSUER',
      'https://id.example.org/.well-known/openid-configuration',
      'OIDC_ISSUER must be the issuer exactly as it appears in the tokens, not "https://id.example.org/.well-known/openid-configuration".',
    ],
    ['EMBEDDED_IDENTITY', 'yes', 'EMBEDDED_IDENTITY must be one of allow, not "yes".'],
    [
      'LATEST_RELEASE_URL',
      '/release.html',
      'LATEST_RELEASE_URL must be a complete http or https address, not "/release.html".',
    ],
    ...['git.example.org', 'javascript:alert(1)', 'mailto:a@b.example?bcc=c@d.example', 'a b@c.example'].map(
      (value): [string, string, string] => [
        'ISSUES_URL',
        value,
        `ISSUES_URL must be the address of an issue tracker or an e-mail address, such as https://git.example.org/bench/issues or help@example.org, not "${value}".`,
      ],
    ),
    ['PROBE_RELEASE', 'maybe', 'PROBE_RELEASE must be on or off, not "maybe".'],
    ['LIMIT_PROJECTS', '0', 'LIMIT_PROJECTS must be a whole number from 1 to 10000, not "0".'],
    ['RATE_LIMIT_WRITES', 'off', 'RATE_LIMIT_WRITES must be a whole number from 0 to 1000000, not "off".'],
    [
      'TRUST_PROXY',
      'maybe',
      'TRUST_PROXY must be on, off, a number of proxies from 1 to 16, or a list of addresses and networks such as 10.0.0.0/8,127.0.0.1, not "maybe".',
    ],
    [
      'TRUST_PROXY',
      '10.0.0.0/33',
      'TRUST_PROXY must be on, off, a number of proxies from 1 to 16, or a list of addresses and networks such as 10.0.0.0/8,127.0.0.1, not "10.0.0.0/33".',
    ],
    ['METRICS', 'on', 'METRICS must be one of loopback, all, off, not "on".'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".'],
  ])('%s=%s is one line that says what to do', (variable, value, line) => {
    expect(linesFor({ [variable]: value })).toEqual([line]);
  });

  it('names every wrong variable at once', () => {
    expect(linesFor({ PORT: 'x', LOG_LEVEL: 'x', DATA_DIR: '/tmp' }).map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
    ]);
  });

  it.each<[Environment, string | null]>([
    [{}, null],
    [{ HOST: '127.0.0.2', PUBLIC_URL: 'http://127.0.0.1:4173' }, null],
    [{ HOST: '::1', PUBLIC_URL: 'http://[::1]:4173' }, null],
    [{ PUBLIC_URL: 'https://localhost:4173', TRUST_PROXY: 'off' }, null],
    [{ HOST: '0.0.0.0' }, 'HOST 0.0.0.0'],
    [{ HOST: '::' }, 'HOST ::'],
    [{ HOST: 'localhost.example.org' }, 'HOST localhost.example.org'],
    [{ PUBLIC_URL: 'https://bench.example.org' }, 'PUBLIC_URL https://bench.example.org'],
    [{ PUBLIC_URL: 'http://127.0.0.1.example.org' }, 'PUBLIC_URL http://127.0.0.1.example.org'],
    [{ TRUST_PROXY: 'on' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: 'loopback' }, 'TRUST_PROXY'],
    [
      { HOST: '0.0.0.0', PUBLIC_URL: 'https://bench.example.org', TRUST_PROXY: 'on' },
      'HOST 0.0.0.0, PUBLIC_URL https://bench.example.org, TRUST_PROXY',
    ],
    [{ HOST: '0.0.0.0', EMBEDDED_IDENTITY: 'allow' }, null],
    [{ TRUST_PROXY: 'on', EMBEDDED_IDENTITY: 'allow' }, 'TRUST_PROXY'],
    [{ PUBLIC_URL: 'https://bench.example.org', EMBEDDED_IDENTITY: 'allow' }, 'PUBLIC_URL https://bench.example.org'],
  ])('with %j lists the settings by which other machines reach the embedded sign-in', (environment, reachedBy) => {
    expect(readConfig(environment).identity).toMatchObject({ kind: 'embedded', reachedBy });
  });

  it('takes certificate and key together, and a public address that fits', () => {
    expect(readConfig({ TLS_CERT: '/tls/cert.pem', TLS_KEY: '/tls/key.pem' }).tls).toEqual({
      cert: '/tls/cert.pem',
      key: '/tls/key.pem',
    });
    expect(linesFor({ TLS_CERT: '/tls/cert.pem' })).toEqual([
      'TLS_KEY is missing: https needs it together with TLS_CERT; with neither, the server speaks http.',
    ]);
    expect(linesFor({ TLS_KEY: '/tls/key.pem' })).toEqual([
      'TLS_CERT is missing: https needs it together with TLS_KEY; with neither, the server speaks http.',
    ]);
    expect(linesFor({ TLS_CERT: 'c', TLS_KEY: 'k', PUBLIC_URL: 'http://localhost:4173' })).toEqual([
      'PUBLIC_URL http://localhost:4173 must begin with https: TLS_CERT and TLS_KEY make the server speak https.',
    ]);
  });

  it.each(['realm_access.roles', 'roles', 'https://bench.example.org/roles', 'a.b.c'])(
    'takes %s for a claim',
    (path) => {
      const { identity } = readConfig({ OIDC_URL: 'https://id.example.org', OIDC_ROLES_CLAIM: path });
      expect(identity).toMatchObject({ rolesClaim: path });
    },
  );

  it.each(['.roles', 'roles.', 'a..b', 'two words', '.'])('does not take %s for a claim', (path) => {
    expect(linesFor({ OIDC_URL: 'https://id.example.org', OIDC_ROLES_CLAIM: path })).toEqual([
      `OIDC_ROLES_CLAIM must be the path of a claim, such as realm_access.roles, not "${path}".`,
    ]);
  });

  it('refuses settings of a provider that is not there', () => {
    const settings = { OIDC_AUDIENCE: 'api', OIDC_JWKS_URL: 'http://keys.example.org/', OIDC_ROLES_CLAIM: 'roles' };
    expect(linesFor(settings)).toEqual([
      'OIDC_JWKS_URL applies only to your own identity provider: set OIDC_URL or OIDC_ISSUER too.',
      'OIDC_AUDIENCE applies only to your own identity provider: set OIDC_URL or OIDC_ISSUER too.',
      'OIDC_ROLES_CLAIM applies only to your own identity provider: set OIDC_URL or OIDC_ISSUER too.',
    ]);
  });

  it("builds Keycloak's issuer and key address from url and realm", () => {
    expect(readConfig({ OIDC_URL: 'https://id.example.org/auth/', OIDC_REALM: 'lab' }).identity).toEqual({
      kind: 'external',
      issuer: 'https://id.example.org/auth/realms/lab',
      url: 'https://id.example.org/auth',
      realm: 'lab',
      clientId: 'wirebench-web',
      jwksUrl: 'https://id.example.org/auth/realms/lab/protocol/openid-connect/certs',
      audience: null,
      rolesClaim: 'realm_access.roles',
    });
  });

  it.each([
    'https://id.example.org/auth',
    'https://id.example.org/auth/realms/lab',
    'https://id.example.org/auth/realms/lab/',
  ])("takes Keycloak's address with and without the realm: %s", (address) => {
    expect(readConfig({ OIDC_URL: address, OIDC_REALM: 'lab' }).identity).toMatchObject({
      url: 'https://id.example.org/auth',
      issuer: 'https://id.example.org/auth/realms/lab',
    });
  });

  it('leaves the keys of a named issuer to its discovery document', () => {
    expect(readConfig({ OIDC_ISSUER: 'https://id.example.org/tenant/', OIDC_AUDIENCE: 'api' }).identity).toMatchObject({
      issuer: 'https://id.example.org/tenant/',
      jwksUrl: null,
      audience: 'api',
    });
  });

  it('takes the address of a PostgreSQL to the letter, and reads none out that is wrong', () => {
    const url = 'postgres://bench:p%40ss@db.example.org:5433/bench?sslmode=verify-full';
    expect(readConfig({ DATABASE_URL: ` ${url}` }).databaseUrl).toBe(url);
    expect(readConfig({ DATABASE_URL: 'postgresql:///bench?host=%2Frun' }).databaseUrl).toMatch(/^postgresql:/);
    for (const wrong of ['bench:secret@db', 'mysql://bench:secret@db/bench', 'secret']) {
      expect(linesFor({ DATABASE_URL: wrong })).toEqual([
        'DATABASE_URL must be the address of a PostgreSQL database, like postgres://user:password@host:5432/name, not its current value.',
      ]);
    }
  });

  it.each([
    ['p#ss', '%23 in place of #'],
    ['p/ss', '%2F in place of /'],
    ['p?ss', '%3F in place of ?'],
    ['12#ss', '%23 in place of #'],
    ['12/ss', '%2F in place of /'],
    ['12?ss', '%3F in place of ?'],
    ['12/s?a=b', '%2F in place of / and %3F in place of ?'],
    ['p@s/s#?', '%40 in place of @ and %2F in place of / and %23 in place of # and %3F in place of ?'],
  ])('names the characters of the password %s that have to be encoded, and not the password', (password, remedy) => {
    for (const [variable, address] of [
      ['DATABASE_URL', `postgres://bench:${password}@db.example.org:5432/bench`],
      ['DATABASE_URL', `postgresql://bench:${password}@db/bench?sslmode=require`],
      ['REDIS_URL', `redis://:${password}@redis.example.org:6379`],
      ['REDIS_URL', `rediss://bench:${password}@redis/2`],
    ] as const) {
      expect(linesFor({ [variable]: address })).toEqual([
        `${variable} must be written with ${remedy} in its user name and password, not its current value.`,
      ]);
    }
  });

  it.each([
    'postgresql:///bench?host=/run/postgresql',
    'postgresql:///bench?host=%2Frun&user=bench@lab',
    'postgres://db/bench?user=bench@lab&password=p%23ss',
    'postgres://bench@db/bench?application_name=bench@lab',
    'postgres://bench:p%40%2F%3F%23ss@[2001:db8::1]:5432/bench?sslrootcert=/etc/ca.pem',
    'postgres://bench:p@ss@db/bench',
  ])('takes the address %s to the letter', (address) => {
    expect(readConfig({ DATABASE_URL: address }).databaseUrl).toBe(address);
  });

  it('encodes percent signs and blanks of a password that encode nothing', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://bench:5% of%2F%zz@db/bench' }).databaseUrl).toBe(
      'postgres://bench:5%25%20of%2F%25zz@db/bench',
    );
    expect(readConfig({ REDIS_URL: 'redis://:100%@redis' }).redisUrl).toBe('redis://:100%25@redis');
  });

  it.each(['OIDC_URL', 'OIDC_ISSUER', 'S3_ENDPOINT', 'PUBLIC_URL', 'LATEST_RELEASE_URL'])(
    'reads no password out that is in the address of %s',
    (variable) => {
      const [line = ''] = linesFor({ [variable]: 'https://bench:se@cret@id.example.org/' });
      expect(line).toContain('"https://…@id.example.org/"');
      expect(line).not.toMatch(/bench:|se@|cret/);
    },
  );

  it('takes the address of a Redis, and reads none out that is wrong', () => {
    for (const url of ['redis://redis', 'rediss://:secret@redis.example.org:6380/2']) {
      expect(readConfig({ REDIS_URL: url }).redisUrl).toBe(url);
    }
    for (const wrong of ['redis', 'http://:secret@redis', 'redis://redis/name', 'redis://']) {
      expect(linesFor({ REDIS_URL: wrong })).toEqual([
        'REDIS_URL must be the address of a Redis or Valkey, like redis://:password@host:6379, not its current value.',
      ]);
    }
  });

  it('takes limits of shared benches in KiB, and origins as a list', () => {
    const { live } = readConfig({
      LIMIT_LIVE_RATE: '64',
      LIVE_ORIGINS: 'https://one.example.org, http://localhost:5173/',
    });
    expect(live).toMatchObject({ rooms: 4, guests: 1_000, rate: 65_536 });
    expect(live.origins).toEqual(['https://one.example.org', 'http://localhost:5173']);
    expect(linesFor({ LIVE_ORIGINS: 'https://one.example.org/path' })[0]).toContain(
      'LIVE_ORIGINS must be a list of origins',
    );
  });

  it('takes the origins of web apps as a list', () => {
    expect(readConfig({ APP_ORIGINS: 'https://one.example.org, http://localhost:5173/' }).appOrigins).toEqual([
      'https://one.example.org',
      'http://localhost:5173',
    ]);
    for (const wrong of ['*', 'null', 'https://one.example.org/path', 'https://*.example.org/x']) {
      expect(linesFor({ APP_ORIGINS: wrong })[0]).toContain('APP_ORIGINS must be a list of origins');
    }
  });

  it('takes an S3 store whole, or none', () => {
    const store = {
      S3_ENDPOINT: 'https://s3.example.org/',
      S3_BUCKET: 'bench',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      S3_SECRET_ACCESS_KEY: 'wJalr/XUtn+FEMI=',
    };
    expect(readConfig(store).s3).toEqual({
      endpoint: 'https://s3.example.org',
      bucket: 'bench',
      region: 'eu-central-1',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'wJalr/XUtn+FEMI=',
      publicUrl: null,
    });
    const reachable = {
      ...store,
      S3_PUBLIC_URL: 'https://files.example.org/',
      PUBLIC_URL: 'https://bench.example.org',
    };
    expect(readConfig(reachable).s3?.publicUrl).toBe('https://files.example.org');
    expect(linesFor({ ...reachable, S3_PUBLIC_URL: 'http://files.example.org' })).toEqual([
      'S3_PUBLIC_URL http://files.example.org must begin with https as PUBLIC_URL does: browsers load nothing else into such a page.',
    ]);
    expect(linesFor({ S3_PUBLIC_URL: 'https://files.example.org' })).toEqual([
      'S3_PUBLIC_URL belongs to an S3 store: set S3_ENDPOINT and the rest too.',
    ]);
    expect(linesFor({ ...store, S3_REGION: undefined, S3_SECRET_ACCESS_KEY: '' })).toEqual(
      ['S3_REGION', 'S3_SECRET_ACCESS_KEY'].map(
        (variable) =>
          `${variable} is missing: an S3 store needs S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY. Leave all of them unset to keep files in DATA_DIR.`,
      ),
    );
    expect(linesFor({ ...store, S3_BUCKET: 'Bench' })).toEqual([
      'S3_BUCKET must be the name of a bucket: lower-case letters, digits, dots and hyphens, not "Bench".',
    ]);
  });

  it('reads no key out, right or wrong', () => {
    const lines = linesFor({ S3_SECRET_ACCESS_KEY: 'two words', S3_ACCESS_KEY_ID: 'an id' });
    expect(lines).toEqual([
      'S3_ACCESS_KEY_ID must be a key without spaces, not its current value.',
      'S3_SECRET_ACCESS_KEY must be a key without spaces, not its current value.',
    ]);
  });

  it.each([
    ['on', true],
    ['true', true],
    ['1', true],
    ['Yes', true],
    ['off', false],
    ['False', false],
    ['0', false],
    ['no', false],
  ])('reads a switch that is %s', (value, isOn) => {
    const { hstsSubdomains, probeRelease } = readConfig({ HSTS_SUBDOMAINS: value, PROBE_RELEASE: value });
    expect([hstsSubdomains, probeRelease]).toEqual([isOn, isOn]);
  });

  it('reads words in any case', () => {
    expect(readConfig({ LOG_LEVEL: 'WARN', METRICS: 'All' })).toMatchObject({ logLevel: 'warn', metrics: 'all' });
  });

  it('reads proxies as a switch or as a list', () => {
    expect(readConfig({ TRUST_PROXY: 'True' }).trustProxy).toBe(true);
    expect(readConfig({ TRUST_PROXY: 'no' }).trustProxy).toBe(false);
    expect(readConfig({ TRUST_PROXY: '1' }).trustProxy).toBe(1);
    expect(readConfig({ TRUST_PROXY: 'on' }).trustProxy).toBe(true);
    expect(readConfig({ TRUST_PROXY: 'off' }).trustProxy).toBe(false);
    expect(readConfig({ TRUST_PROXY: '0' }).trustProxy).toBe(false);
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(() => readConfig({ TRUST_PROXY: '17' })).toThrow('TRUST_PROXY must be on, off, a number of proxies');
    expect(readConfig({ TRUST_PROXY: 'loopback, 10.0.0.0/8' }).trustProxy).toEqual(['loopback', '10.0.0.0/8']);
  });

  it('keeps the origin of the public address only', () => {
    expect(readConfig({ PUBLIC_URL: 'https://bench.example.org/' }).publicUrl).toBe('https://bench.example.org');
  });

  it.each([
    ['https://git.example.org/bench/issues', 'https://git.example.org/bench/issues'],
    [' help@example.org ', 'mailto:help@example.org'],
    ['mailto:help@example.org', 'mailto:help@example.org'],
  ])('links the place for faults %j as %s', (value, address) => {
    expect(readConfig({ ISSUES_URL: value }).issuesUrl).toBe(address);
  });
});
