/**
 * Configuration of the server: environment variables in, checked values out, one line for each that is wrong.
 * Reads nothing but what it is given; `.env.example` documents the variables.
 */
import { defaultReleaseLimits, identitySettings } from '@wirebench/contract';
import * as z from 'zod/mini';
import {
  bucketName,
  choice,
  issuerUrl,
  listenHost,
  name,
  origin,
  postgresUrl,
  providerUrl,
  roleName,
  secret,
  storeUrl,
  trustedProxies,
  webUrl,
  wholeNumber,
} from './config-values.ts';
import { StartError } from './start-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface EmbeddedIdentity {
  readonly kind: 'embedded';
  readonly realm: string;
  readonly clientId: string;
}

export interface ExternalIdentity {
  readonly kind: 'external';
  /** As the browser sees it and as tokens name it. */
  readonly issuer: string;
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  /** Where the server gets the keys; null asks the issuer's discovery document. */
  readonly jwksUrl: string | null;
  /** What `aud` has to contain; null lets the client id in `aud`, `azp` or `client_id` do. */
  readonly audience: string | null;
}

export interface S3Config {
  /** Scheme, host and port, perhaps with a path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Config {
  /** `port` 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Null stands for `http://localhost:{port}`. */
  readonly publicUrl: string | null;
  /** Origin of the server whose API the web app calls; null stands for the one that serves the app. */
  readonly apiUrl: string | null;
  readonly dataDir: string;
  /** A PostgreSQL; null stands for an SQLite file in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Where firmware bytes are kept; null stands for a folder in `dataDir`. */
  readonly s3: S3Config | null;
  readonly identity: EmbeddedIdentity | ExternalIdentity;
  readonly adminRole: string;
  /** Null stands for the demo release. */
  readonly latestReleaseUrl: string | null;
  readonly limits: { readonly projects: number; readonly versions: number; readonly jkits: number };
  /** Writes of one user in a minute; 0 switches the limit off. */
  readonly writesPerMinute: number;
  readonly trustProxy: boolean | readonly string[];
  readonly logLevel: (typeof logLevels)[number];
  /** Who may read `/metrics`: programs on this machine, everybody who reaches the server, nobody. */
  readonly metrics: MetricsAccess;
}

export type MetricsAccess = (typeof metricsAccess)[number];

const metricsAccess = ['loopback', 'all', 'off'] as const;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const Variables = z.object({
  PORT: z._default(wholeNumber(0, 65_535), 4173),
  HOST: z._default(listenHost, '127.0.0.1'),
  PUBLIC_URL: z.optional(origin),
  API_URL: z.optional(origin),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(postgresUrl),
  S3_ENDPOINT: z.optional(storeUrl),
  S3_BUCKET: z.optional(bucketName),
  S3_REGION: z.optional(name),
  S3_ACCESS_KEY_ID: z.optional(secret),
  S3_SECRET_ACCESS_KEY: z.optional(secret),
  OIDC_URL: z.optional(providerUrl),
  OIDC_REALM: z._default(name, identitySettings.realm),
  OIDC_CLIENT_ID: z._default(name, identitySettings.clientId),
  OIDC_ISSUER: z.optional(issuerUrl),
  OIDC_JWKS_URL: z.optional(webUrl),
  OIDC_AUDIENCE: z.optional(name),
  EMBEDDED_IDENTITY: z.optional(choice(['allow'])),
  ADMIN_ROLE: z._default(roleName, 'admin'),
  LATEST_RELEASE_URL: z.optional(webUrl),
  LIMIT_PROJECTS: z._default(wholeNumber(1, 10_000), defaultReleaseLimits.projects),
  LIMIT_VERSIONS: z._default(wholeNumber(1, 10_000), defaultReleaseLimits.versions),
  LIMIT_JKITS: z._default(wholeNumber(1, 10_000), defaultReleaseLimits.jkits),
  RATE_LIMIT_WRITES: z._default(wholeNumber(0, 1_000_000), 60),
  TRUST_PROXY: z._default(trustedProxies, false),
  LOG_LEVEL: z._default(choice(logLevels), 'info'),
  METRICS: z._default(choice(metricsAccess), 'loopback'),
});
type Variables = z.infer<typeof Variables>;

const s3Variables = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** Not read out when they are wrong, because they carry passwords. */
const confidential: ReadonlySet<string> = new Set(['DATABASE_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);

/** Throws a `StartError` with a line for each wrong variable. An empty variable counts as one that is not set. */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const result = Variables.safeParse(given);
  if (!result.success) {
    throw new StartError(
      result.error.issues.map(({ path, message }) => {
        const variable = String(path[0]);
        const value = confidential.has(variable) ? 'its current value' : JSON.stringify(given[variable]);
        return `${variable} must be ${message}, not ${value}.`;
      }),
    );
  }
  const variables = result.data;
  const contradictions = findContradictions(variables);
  if (contradictions.length > 0) {
    throw new StartError(contradictions);
  }
  return {
    listen: { host: variables.HOST, port: variables.PORT },
    publicUrl: variables.PUBLIC_URL ?? null,
    apiUrl: variables.API_URL ?? null,
    dataDir: variables.DATA_DIR,
    databaseUrl: variables.DATABASE_URL ?? null,
    s3: s3Of(variables),
    identity: identityOf(variables),
    adminRole: variables.ADMIN_ROLE,
    latestReleaseUrl: variables.LATEST_RELEASE_URL ?? null,
    limits: {
      projects: variables.LIMIT_PROJECTS,
      versions: variables.LIMIT_VERSIONS,
      jkits: variables.LIMIT_JKITS,
    },
    writesPerMinute: variables.RATE_LIMIT_WRITES,
    trustProxy: variables.TRUST_PROXY,
    logLevel: variables.LOG_LEVEL,
    metrics: variables.METRICS,
  };
}

/** Whether only this machine can reach `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function findContradictions(variables: Variables): string[] {
  return [...findMissingS3(variables), ...findIdentityContradictions(variables)];
}

/** The variables of an S3 store belong together. */
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
  const lines = (['OIDC_JWKS_URL', 'OIDC_AUDIENCE'] as const)
    .filter((variable) => variables[variable] !== undefined)
    .map((variable) => `${variable} applies only to your own identity provider: set OIDC_URL or OIDC_ISSUER too.`);
  if (!isLoopback(variables.HOST) && variables.EMBEDDED_IDENTITY !== 'allow') {
    lines.push(
      `HOST ${variables.HOST} would expose the embedded demo accounts to the network: set OIDC_URL to your identity provider, or EMBEDDED_IDENTITY=allow if that is what you want.`,
    );
  }
  return lines;
}

function s3Of(variables: Variables): S3Config | null {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = variables;
  return endpoint === undefined ||
    bucket === undefined ||
    region === undefined ||
    accessKeyId === undefined ||
    secretAccessKey === undefined
    ? null
    : { endpoint, bucket, region, accessKeyId, secretAccessKey };
}

function identityOf(variables: Variables): EmbeddedIdentity | ExternalIdentity {
  const { OIDC_URL: url, OIDC_ISSUER: issuer, OIDC_REALM: realm, OIDC_CLIENT_ID: clientId } = variables;
  const address = url ?? issuer;
  if (address === undefined) {
    return { kind: 'embedded', realm, clientId };
  }
  const keycloakIssuer = `${address}/realms/${encodeURIComponent(realm)}`;
  return {
    kind: 'external',
    issuer: issuer ?? keycloakIssuer,
    url: address,
    realm,
    clientId,
    jwksUrl:
      variables.OIDC_JWKS_URL ?? (issuer === undefined ? `${keycloakIssuer}/protocol/openid-connect/certs` : null),
    audience: variables.OIDC_AUDIENCE ?? null,
  };
}
