/**
 * Certificate and key of a server that speaks https itself: read from the files that `TLS_CERT` and `TLS_KEY` name, and read again when these
 * change, as they do when a certificate is renewed. Knows files, no sockets.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@wirebench/clock';
import type { TlsFiles } from './config.ts';
import { repeatWork } from './repeat-work.ts';
import { StartError } from './start-error.ts';
import { reasonOf } from './storage/failure-reason.ts';

/** As PEM, which is what Node takes. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Milliseconds between two looks at the files. Not by watching them: certbot replaces links to files in another folder. */
const LOOK_EVERY = 10_000;

/** Throws a `StartError` with one line that names the variable to change. */
export async function readTls({ cert: certFile, key: keyFile }: TlsFiles): Promise<TlsPair> {
  const cert = await readPem('TLS_CERT', certFile);
  const key = await readPem('TLS_KEY', keyFile);
  const certificate = parse(() => new X509Certificate(cert));
  if (certificate === null) {
    throw new StartError([`TLS_CERT ${certFile} holds no certificate: set it to a PEM file with the whole chain.`]);
  }
  const privateKey = parse((): KeyObject => createPrivateKey(key));
  if (privateKey === null) {
    throw new StartError([`TLS_KEY ${keyFile} holds no private key without a password: set it to such a PEM file.`]);
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartError([
      `TLS_KEY ${keyFile} does not belong to TLS_CERT ${certFile}: set both to files of one pair.`,
    ]);
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartError([`TLS_CERT ${certFile} cannot be used (${reasonOf(error)}): create it again.`], {
      cause: error,
    });
  }
  return { cert, key };
}

async function readPem(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new StartError([`${variable} ${path} cannot be read (${reasonOf(error)}): set it to a file that can.`], {
      cause: error,
    });
  }
}

function parse<Parsed>(read: () => Parsed): Parsed | null {
  try {
    return read();
  } catch {
    // Whatever OpenSSL says of it, it is not what it should be.
    return null;
  }
}

export interface TlsRenewal {
  readonly files: TlsFiles;
  /** What is in use. */
  readonly first: TlsPair;
  readonly clock: Clock;
  readonly use: (pair: TlsPair) => void;
  /** Told once for each state of the files that cannot be used; the pair before stays in use. */
  readonly onFailure: (error: unknown) => void;
}

/** Uses what is in the files whenever that is another pair that belongs together, until it is disposed of. */
export function renewTls({ files, first, clock, use, onFailure }: TlsRenewal): Promise<AsyncDisposable> {
  let current = first;
  let lastFailure: string | null = null;
  const work = async () => {
    const pair = await readTls(files);
    lastFailure = null;
    if (pair.cert !== current.cert || pair.key !== current.key) {
      current = pair;
      use(pair);
    }
  };
  return repeatWork({
    work,
    clock,
    interval: LOOK_EVERY,
    onFailure: (error) => {
      const failure = error instanceof Error ? error.message : String(error);
      if (failure !== lastFailure) {
        lastFailure = failure;
        onFailure(error);
      }
    },
  });
}
