/**
 * Certificate and key of a server that speaks https itself. They are read from the files in `TLS_CERT` and `TLS_KEY`,
 * and read again when the files change, for example after a renewal.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@wirebench/clock';
import type { TlsFiles } from './config.ts';
import { repeatWork } from './repeat-work.ts';
import { StartError } from './start-error.ts';
import { reasonOf } from './storage/failure-reason.ts';

/** A certificate and its key in PEM format, which Node takes. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Milliseconds between two checks of the files. They are not watched: certbot replaces links to files in another
 * folder.
 */
const LOOK_EVERY = 10_000;

/**
 * Reads and checks the pair.
 *
 * @throws StartError with one line that names the variable to change.
 */
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
    throw new StartError([`${variable} ${path} cannot be read (${reasonOf(error)}): set it to a readable file.`], {
      cause: error,
    });
  }
}

function parse<Parsed>(read: () => Parsed): Parsed | null {
  try {
    return read();
  } catch {
    // OpenSSL's reason does not matter here: the file is invalid.
    return null;
  }
}

export interface TlsRenewal {
  readonly files: TlsFiles;
  /** The pair in use. */
  readonly first: TlsPair;
  readonly clock: Clock;
  readonly use: (pair: TlsPair) => void;
  /** Called once for each unusable state of the files. The previous pair stays in use. */
  readonly onFailure: (error: unknown) => void;
}

/** Switches to the pair in the files whenever it has changed and is valid, until it is disposed. */
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
