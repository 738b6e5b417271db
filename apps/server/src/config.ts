/**
 * Configuration of the server: parses environment variables into checked values, or reports one line for each wrong
 * variable. It reads only its argument. `.env.example` documents the variables.
 */
import { buildLimits, defaultReleaseLimits, defaultRolesClaim, identitySettings } from '@wirebench/contract';
import { readSetting, withoutOuterSpace } from '@wirebench/contract/setting-text';
import * as z from 'zod/mini';
import {
  bucketName,
  choice,
  claimPath,
  contactAddress,
  filePath,
  folderPath,
  hostNames,
  issuerUrl,
  listenHost,
  name,
  onOff,
  origin,
  origins,
  postgresUrl,
  providerUrl,
  redisUrl,
  roleName,
  secret,
  storeUrl,
  trustedProxies,
  webUrl,
  wholeNumber,
} from './config-values.ts';
import { withoutCredentials } from './credential-address.ts';
import type { TrustedProxies } from './plugins/forwarded.ts';
import { StartError } from './start-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface EmbeddedIdentity {
  readonly kind: 'embedded';
  readonly realm: string;
  readonly clientId: string;
  /**
   * Names of the settings that make the server reachable for other machines, for use in a sentence. Null if only this
   * machine reaches it or the operator has allowed it.
   */
  readonly reachedBy: string | null;
}

export interface ExternalIdentity {
  readonly kind: 'external';
  /** The issuer as the browser sees it and as tokens name it. */
  readonly issuer: string;
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  /** Address of the provider's keys. Null: taken from the issuer's discovery document. */
  readonly jwksUrl: string | null;
  /** Value that `aud` must contain. Null: the client id in `aud`, `azp` or `client_id` suffices. */
  readonly audience: string | null;
  /** Path of the claim with the roles, its parts separated by dots. */
  readonly rolesClaim: string;
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface S3Config {
  /** Scheme, host and port, optionally with a path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Address of the store for browsers. Null: all bytes go through the server. */
  readonly publicUrl: string | null;
}

export interface Config {
  /** `port` 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Certificate and key for https. Null: http, also behind a proxy that terminates TLS. */
  readonly tls: TlsFiles | null;
  /** Null: `http://localhost:{port}`, or https with `tls`. */
  readonly publicUrl: string | null;
  /** True: browsers have to use https for sub-domains of the public host as well. */
  readonly hstsSubdomains: boolean;
  /** Origin of the server whose API the web app calls. Null: the server that delivers the app. */
  readonly apiUrl: string | null;
  /** Origins of web apps that other servers deliver and that call this server's API. */
  readonly appOrigins: readonly string[];
  readonly dataDir: string;
  /** Address of a PostgreSQL. Null: an SQLite file in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Address of a Redis that several processes share. Null for a single process. */
  readonly redisUrl: string | null;
  /** Milliseconds that Redis may take for an answer. After that it counts as down. */
  readonly redisTimeout: number;
  /** The store for firmware bytes. Null: a folder in `dataDir`. */
  readonly s3: S3Config | null;
  readonly identity: EmbeddedIdentity | ExternalIdentity;
  readonly adminRole: string;
  /** Null: the probe's release, or the demo release if the probe is not published. */
  readonly latestReleaseUrl: string | null;
  /** The place for reports of faults: an http, https or mailto address. Null: feedback alone. */
  readonly issuesUrl: string | null;
  /** True: the product's own firmware is published. */
  readonly probeRelease: boolean;
  readonly limits: {
    readonly projects: number;
    readonly versions: number;
    readonly jkits: number;
    /** Largest ELF file of a version, in bytes. */
    readonly elfSize: number;
    /** Maximum number of builds of a version. */
    readonly builds: number;
  };
  /** Writes per user and minute; 0 disables the limit. */
  readonly writesPerMinute: number;
  /**
   * Costly reads per address and minute: searches and previews together, and readiness checks. 0 disables the limit.
   */
  readonly readsPerMinute: number;
  readonly uploads: UploadLimits;
  /** Hosts of the operator's network from which versions may be taken by a manifest, in lower case. */
  readonly pullHosts: readonly string[];
  readonly live: LiveConfig;
  /** Milliseconds that the event loop may be late before requests are refused; 0 never refuses. */
  readonly overloadDelay: number;
  /** Milliseconds that an idle connection is kept. */
  readonly keepAlive: number;
  /** Days after its owner's last sign-in for which a publishing token is valid; 0 sets no limit. */
  readonly tokenOwnerActiveDays: number;
  readonly trustProxy: TrustedProxies;
  readonly logLevel: (typeof logLevels)[number];
  /** Clients that may read `/metrics`: programs on this machine, all clients, or none. */
  readonly metrics: MetricsAccess;
}

export interface UploadLimits {
  /** Simultaneous uploads of one user. */
  readonly perUser: number;
  /** Simultaneous uploads of all users. */
  readonly inAll: number;
  /** Bytes of `dataDir`'s disk that uploads leave free; 0 disables the check. */
  readonly diskReserve: number;
}

/** Limits of shared benches. */
interface LiveConfig {
  /** Simultaneous rooms of one user. */
  readonly rooms: number;
  /** Simultaneous guests of one room. */
  readonly guests: number;
  /** Simultaneous connections of one address to this process. */
  readonly connections: number;
  /** Bytes per second that one connection may send. */
  readonly rate: number;
  /** Bytes per second that one process sends to all guests of one room. */
  readonly fanout: number;
  /** Origins of pages that may connect, in addition to the public one and those of web apps. */
  readonly origins: readonly string[];
}

export type MetricsAccess = (typeof metricsAccess)[number];

const metricsAccess = ['loopback', 'all', 'off'] as const;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const KIBIBYTE = 1_024;
const MEBIBYTE = 1_048_576;

const Variables = z.object({
  PORT: z._default(wholeNumber(0, 65_535), 4173),
  HOST: z._default(listenHost, '127.0.0.1'),
  TLS_CERT: z.optional(filePath),
  TLS_KEY: z.optional(filePath),
  PUBLIC_URL: z.optional(origin),
  HSTS_SUBDOMAINS: z._default(onOff, false),
  API_URL: z.optional(origin),
  APP_ORIGINS: z.optional(origins),
  DATA_DIR: z._default(folderPath, './data'),
  DATABASE_URL: z.optional(postgresUrl),
  REDIS_URL: z.optional(redisUrl),
  REDIS_TIMEOUT: z._default(wholeNumber(100, 60_000), 2_000),
  S3_ENDPOINT: z.optional(storeUrl),
  S3_BUCKET: z.optional(bucketName),
  S3_REGION: z.optional(name),
  S3_ACCESS_KEY_ID: z.optional(secret),
  S3_SECRET_ACCESS_KEY: z.optional(secret),
  S3_PUBLIC_URL: z.optional(storeUrl),
  OIDC_URL: z.optional(providerUrl),
  OIDC_REALM: z._default(name, identitySettings.realm),
  OIDC_CLIENT_ID: z._default(name, identitySettings.clientId),
  OIDC_ISSUER: z.optional(issuerUrl),
  OIDC_JWKS_URL: z.optional(webUrl),
  OIDC_AUDIENCE: z.optional(name),
  OIDC_ROLES_CLAIM: z.optional(claimPath),
  EMBEDDED_IDENTITY: z.optional(choice(['allow'])),
  ADMIN_ROLE: z._default(roleName, 'admin'),
  LATEST_RELEASE_URL: z.optional(webUrl),
  ISSUES_URL: z.optional(contactAddress),
  PROBE_RELEASE: z._default(onOff, true),
  LIMIT_PROJECTS: z._default(wholeNumber(1, 10_000), defaultReleaseLimits.projects),
  LIMIT_VERSIONS: z._default(wholeNumber(1, 10_000), defaultReleaseLimits.versions),
  LIMIT_JKITS: z._default(wholeNumber(1, 10_000), defaultReleaseLimits.jkits),
  LIMIT_BUILDS: z._default(wholeNumber(1, 32), buildLimits.builds),
  LIMIT_ELF_SIZE: z._default(wholeNumber(1, 1_024), defaultReleaseLimits.elfSize / MEBIBYTE),
  RATE_LIMIT_WRITES: z._default(wholeNumber(0, 1_000_000), 60),
  RATE_LIMIT_READS: z._default(wholeNumber(0, 1_000_000), 600),
  LIMIT_UPLOADS: z._default(wholeNumber(1, 10_000), 16),
  LIMIT_UPLOADS_PER_USER: z._default(wholeNumber(1, 10_000), 2),
  PULL_PRIVATE_HOSTS: z.optional(hostNames),
  DISK_RESERVE: z._default(wholeNumber(0, 10_000_000), 256),
  LIMIT_LIVE_ROOMS: z._default(wholeNumber(1, 10_000), 4),
  LIMIT_LIVE_GUESTS: z._default(wholeNumber(1, 10_000), 1_000),
  LIMIT_LIVE_CONNECTIONS: z._default(wholeNumber(1, 10_000), 1_000),
  LIMIT_LIVE_RATE: z._default(wholeNumber(16, 1_000_000), 1_024),
  LIMIT_LIVE_FANOUT: z._default(wholeNumber(16, 10_000_000), 65_536),
  LIVE_ORIGINS: z.optional(origins),
  OVERLOAD_DELAY: z._default(wholeNumber(0, 60_000), 500),
  KEEP_ALIVE: z._default(wholeNumber(1, 86_400), 130),
  TOKEN_OWNER_ACTIVE_DAYS: z._default(wholeNumber(0, 3_650), 90),
  TRUST_PROXY: z._default(trustedProxies, false),
  LOG_LEVEL: z._default(choice(logLevels), 'info'),
  METRICS: z._default(choice(metricsAccess), 'loopback'),
});
type Variables = z.infer<typeof Variables>;

const s3Variables = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** Variables that error messages do not quote, because they contain passwords. */
const confidential: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
]);

/**
 * Parses the environment. An empty variable counts as unset.
 *
 * @throws StartError with a line for each wrong variable.
 */
export function readConfig(environment: Environment): Config {
  const { values, faults } = settingsOf(environment);
  const result = Variables.safeParse(values);
  const lines = result.success
    ? [...faults.values()]
    : [
        ...faults.values(),
        ...result.error.issues.map(({ path, message }) => faultText(String(path[0]), message, values)),
      ];
  if (!result.success || lines.length > 0) {
    throw new StartError(lines);
  }
  const variables = result.data;
  const contradictions = findContradictions(variables);
  if (contradictions.length > 0) {
    throw new StartError(contradictions);
  }
  return {
    listen: { host: variables.HOST, port: variables.PORT },
    tls: tlsOf(variables),
    publicUrl: variables.PUBLIC_URL ?? null,
    hstsSubdomains: variables.HSTS_SUBDOMAINS,
    apiUrl: variables.API_URL ?? null,
    appOrigins: variables.APP_ORIGINS ?? [],
    dataDir: variables.DATA_DIR,
    databaseUrl: variables.DATABASE_URL ?? null,
    redisUrl: variables.REDIS_URL ?? null,
    redisTimeout: variables.REDIS_TIMEOUT,
    s3: s3Of(variables),
    identity: identityOf(variables),
    adminRole: variables.ADMIN_ROLE,
    latestReleaseUrl: variables.LATEST_RELEASE_URL ?? null,
    issuesUrl: variables.ISSUES_URL ?? null,
    probeRelease: variables.PROBE_RELEASE,
    limits: {
      projects: variables.LIMIT_PROJECTS,
      versions: variables.LIMIT_VERSIONS,
      jkits: variables.LIMIT_JKITS,
      elfSize: variables.LIMIT_ELF_SIZE * MEBIBYTE,
      builds: variables.LIMIT_BUILDS,
    },
    writesPerMinute: variables.RATE_LIMIT_WRITES,
    readsPerMinute: variables.RATE_LIMIT_READS,
    uploads: {
      perUser: variables.LIMIT_UPLOADS_PER_USER,
      inAll: variables.LIMIT_UPLOADS,
      diskReserve: variables.DISK_RESERVE * MEBIBYTE,
    },
    pullHosts: variables.PULL_PRIVATE_HOSTS ?? [],
    live: {
      rooms: variables.LIMIT_LIVE_ROOMS,
      guests: variables.LIMIT_LIVE_GUESTS,
      connections: variables.LIMIT_LIVE_CONNECTIONS,
      rate: variables.LIMIT_LIVE_RATE * KIBIBYTE,
      fanout: variables.LIMIT_LIVE_FANOUT * KIBIBYTE,
      origins: variables.LIVE_ORIGINS ?? [],
    },
    overloadDelay: variables.OVERLOAD_DELAY,
    keepAlive: variables.KEEP_ALIVE * 1_000,
    tokenOwnerActiveDays: variables.TOKEN_OWNER_ACTIVE_DAYS,
    trustProxy: variables.TRUST_PROXY,
    logLevel: variables.LOG_LEVEL,
    metrics: variables.METRICS,
  };
}

/** Texts of the known variables that are set and usable, and a sentence for each variable whose text is unusable. */
function settingsOf(environment: Environment) {
  const values: Record<string, string> = {};
  const faults = new Map<string, string>();
  const known: ReadonlySet<string> = new Set(Object.keys(Variables.shape));
  const names = Object.keys(environment);
  // A byte order mark may precede the first name of a file. The exact name comes last, so that it wins.
  for (const name of [...names.filter((one) => !known.has(one)), ...names.filter((one) => known.has(one))]) {
    const variable = withoutOuterSpace(name);
    if (!known.has(variable)) {
      continue;
    }
    const { value, fault } = readSetting(variable, environment[name] ?? '', { isSecret: confidential.has(variable) });
    if (fault !== null) {
      faults.set(variable, fault);
    } else if (value !== '') {
      values[variable] = value;
    }
  }
  return { values, faults };
}

function faultText(variable: string, message: string, values: Readonly<Record<string, string>>): string {
  const value = confidential.has(variable)
    ? 'its current value'
    : JSON.stringify(withoutCredentials(values[variable] ?? ''));
  return `${variable} must be ${message}, not ${value}.`;
}

/** Returns true if only this machine can reach `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function findContradictions(variables: Variables): string[] {
  return [
    ...findMissingS3(variables),
    ...findWrongS3Address(variables),
    ...findTlsContradictions(variables),
    ...findIdentityContradictions(variables),
  ];
}

/** A page loaded over https can load files only over https. */
function findWrongS3Address({ S3_PUBLIC_URL: address, S3_ENDPOINT, PUBLIC_URL }: Variables): string[] {
  if (address === undefined) {
    return [];
  }
  if (S3_ENDPOINT === undefined) {
    return ['S3_PUBLIC_URL belongs to an S3 store: set S3_ENDPOINT and the rest too.'];
  }
  return PUBLIC_URL?.startsWith('https:') && !address.startsWith('https:')
    ? [
        `S3_PUBLIC_URL ${address} must begin with https as PUBLIC_URL does: browsers load nothing else into such a page.`,
      ]
    : [];
}

function findTlsContradictions({ TLS_CERT: cert, TLS_KEY: key, PUBLIC_URL: publicUrl }: Variables): string[] {
  if ((cert === undefined) !== (key === undefined)) {
    const [missing, given] = cert === undefined ? ['TLS_CERT', 'TLS_KEY'] : ['TLS_KEY', 'TLS_CERT'];
    return [`${missing} is missing: https needs it together with ${given}; with neither, the server speaks http.`];
  }
  return cert !== undefined && publicUrl?.startsWith('http:')
    ? [`PUBLIC_URL ${publicUrl} must begin with https: TLS_CERT and TLS_KEY make the server speak https.`]
    : [];
}

/** The variables of an S3 store are set together or not at all. */
function findMissingS3(variables: Variables): string[] {
  const missing = s3Variables.filter((variable) => variables[variable] === undefined);
  return missing.length === 0 || missing.length === s3Variables.length
    ? []
    : missing.map(
        (variable) =>
          `${variable} is missing: an S3 store needs ${s3Variables.join(', ')}. Leave all of them unset to keep files in DATA_DIR.`,
      );
}

function findIdentityContradictions(variables: Variables): string[] {
  if (variables.OIDC_URL !== undefined || variables.OIDC_ISSUER !== undefined) {
    return [];
  }
  return (['OIDC_JWKS_URL', 'OIDC_AUDIENCE', 'OIDC_ROLES_CLAIM'] as const)
    .filter((variable) => variables[variable] !== undefined)
    .map((variable) => `${variable} applies only to your own identity provider: set OIDC_URL or OIDC_ISSUER too.`);
}

/**
 * Returns the settings that make the server reachable for other machines. `EMBEDDED_IDENTITY=allow` covers `HOST`
 * alone, for example in a container whose port only this machine can reach.
 */
function reachedBy({ HOST, PUBLIC_URL, TRUST_PROXY, EMBEDDED_IDENTITY }: Variables): string | null {
  const { hostname = 'localhost' } = PUBLIC_URL === undefined ? {} : new URL(PUBLIC_URL);
  const settings = [
    ...(isLoopback(HOST) || EMBEDDED_IDENTITY === 'allow' ? [] : [`HOST ${HOST}`]),
    ...(isLoopback(hostname.replace(/^\[|\]$/g, '')) ? [] : [`PUBLIC_URL ${PUBLIC_URL}`]),
    ...(TRUST_PROXY === false ? [] : ['TRUST_PROXY']),
  ];
  return settings.length === 0 ? null : settings.join(', ');
}

function tlsOf({ TLS_CERT: cert, TLS_KEY: key }: Variables): TlsFiles | null {
  return cert === undefined || key === undefined ? null : { cert, key };
}

function s3Of(variables: Variables): S3Config | null {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_PUBLIC_URL: publicUrl = null,
  } = variables;
  return endpoint === undefined ||
    bucket === undefined ||
    region === undefined ||
    accessKeyId === undefined ||
    secretAccessKey === undefined
    ? null
    : { endpoint, bucket, region, accessKeyId, secretAccessKey, publicUrl };
}

function identityOf(variables: Variables): EmbeddedIdentity | ExternalIdentity {
  const { OIDC_ISSUER: issuer, OIDC_REALM: realm, OIDC_CLIENT_ID: clientId } = variables;
  // Keycloak shows its issuer, which ends with the realm, where people look for its address.
  const realmPath = `/realms/${encodeURIComponent(realm)}`;
  const given = variables.OIDC_URL;
  const url = given?.endsWith(realmPath) ? given.slice(0, -realmPath.length) : given;
  const address = url ?? issuer;
  if (address === undefined) {
    return { kind: 'embedded', realm, clientId, reachedBy: reachedBy(variables) };
  }
  const keycloakIssuer = `${address}${realmPath}`;
  return {
    kind: 'external',
    issuer: issuer ?? keycloakIssuer,
    url: address,
    realm,
    clientId,
    jwksUrl:
      variables.OIDC_JWKS_URL ?? (issuer === undefined ? `${keycloakIssuer}/protocol/openid-connect/certs` : null),
    audience: variables.OIDC_AUDIENCE ?? null,
    rolesClaim: variables.OIDC_ROLES_CLAIM ?? defaultRolesClaim,
  };
}
