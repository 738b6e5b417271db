/** Creates certificates for `localhost` that a test trusts or refuses: X.509 version 3 (RFC 5280) in DER. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

export interface TestCertificate {
  /** Both in PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Signs the certificate. Default: its own key. */
  readonly issuer?: TestCertificate;
  /** Start of its hour, in milliseconds from now. Default: a minute ago. */
  readonly from?: number;
  /** Only name that it is for. Default: `localhost` and both loopback addresses. */
  readonly name?: string;
}

/** Creates a certificate that is valid for an hour. */
export function makeCertificate(options: CertificateOptions = {}): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signer = options.issuer === undefined ? privateKey : createPrivateKey(options.issuer.key);
  return { cert: pem('CERTIFICATE', certificateOf(publicKey, signer, options)), key };
}

export interface TlsFolder {
  readonly certFile: string;
  readonly keyFile: string;
  /** Replaces the pair in the files. */
  write(pair: Partial<TestCertificate>): Promise<void>;
}

/** Writes the pair to two files of `folder`. */
export async function writeCertificate(folder: string, pair: TestCertificate): Promise<TlsFolder> {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  // Replaced atomically, so that no reader sees half a file.
  const replace = async (path: string, content: string) => {
    await writeFile(`${path}.new`, content, { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  const write = async ({ cert, key }: Partial<TestCertificate>) => {
    await Promise.all([
      cert === undefined ? null : replace(certFile, cert),
      key === undefined ? null : replace(keyFile, key),
    ]);
  };
  await write(pair);
  return { certFile, keyFile, write };
}

/** Makes this process trust servers with these certificates. */
export function trust(...certificates: readonly TestCertificate[]): Disposable {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, ...certificates.map(({ cert }) => cert)]);
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) };
}

const subjectKeyOf = (publicKey: KeyObject) => publicKey.export({ type: 'spki', format: 'der' });

/** Returns a name that is unique for each key, so that two certificates with the same host name are distinguished. */
const nameOf = (subjectKey: Buffer) =>
  der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(`Wirebench test ${keyIdOf(subjectKey)}`)))));

function certificateOf(publicKey: KeyObject, signer: KeyObject, { from = -60_000, name }: CertificateOptions): Buffer {
  const start = Date.now() + from;
  const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'));
  const subjectKey = subjectKeyOf(publicKey);
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), Buffer.from(randomUUID().slice(0, 8), 'hex')])),
    ecdsaWithSha256,
    nameOf(subjectKeyOf(createPublicKey(signer))),
    der(0x30, utcTime(start), utcTime(start + 3_600_000)),
    nameOf(subjectKey),
    subjectKey,
    der(0xa3, der(0x30, basicConstraints(), alternativeNames(name))),
  );
  const signature = sign('sha256', toBeSigned, signer);
  return der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, Buffer.of(0), signature));
}

/** Marks the certificate as an authority, because it signs itself. */
function basicConstraints(): Buffer {
  return der(0x30, oid('551d13'), der(0x01, Buffer.of(0xff)), der(0x04, der(0x30, der(0x01, Buffer.of(0xff)))));
}

function alternativeNames(name: string | undefined): Buffer {
  const loopback = [
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.of(127, 0, 0, 1)),
    der(0x87, Buffer.concat([Buffer.alloc(15), Buffer.of(1)])),
  ];
  const names = name === undefined ? loopback : [der(0x82, Buffer.from(name))];
  return der(0x30, oid('551d11'), der(0x04, der(0x30, ...names)));
}

function keyIdOf(subjectKey: Buffer): string {
  return createHash('sha256').update(subjectKey).digest('hex').slice(0, 8);
}

function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** @param hex The identifier as DER encodes it. */
function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** Encodes one element: tag, length, contents (X.690, section 8.1). */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
