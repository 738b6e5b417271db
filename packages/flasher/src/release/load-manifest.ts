/**
 * Loads a release by the address of its manifest: the manifest, then the files of one build. Nothing else is requested.
 * Requests carry no cookies and no address of the page. Every answer is bounded before it is kept.
 */
import { releaseOfPage } from '@wirebench/boards';
import { joined } from '@wirebench/port/bytes';
import { givenText } from '@wirebench/port/given-text';
import { hexOf } from '../core/bytes.ts';
import { textContents } from '../images/contents/text.ts';
import { sha256 } from '../images/sha256.ts';
import { ManifestError } from './manifest-fault.ts';
import { parseUrl } from './parse-url.ts';
import {
  type ManifestBuild,
  type ManifestFile,
  type ManifestRelease,
  manifestLimits,
  readManifest,
} from './read-manifest.ts';

export interface ManifestRequest {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
  /** True: the page is open over https, from which a browser loads nothing over http. */
  readonly isSecurePage: boolean;
  /** Address of the page, where paths in a manifest that it made start. */
  readonly page?: string | undefined;
  readonly limits?: Partial<Pick<typeof manifestLimits, 'size' | 'fileSize' | 'buildSize'>> | undefined;
}

export interface LoadedManifestFile {
  readonly file: ManifestFile;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes of a file's beginning that tell a web page. */
const PAGE_SAMPLE = 0x8000;

/**
 * Returns the absolute address of a manifest. The page of a release on a Wirebench server, or of a flasher with that
 * release, becomes the address of its data.
 *
 * @param here Address that a relative `text` starts from.
 * @param schemes `made` also accepts `blob:` and `data:`, which only a page's own script can name.
 * @throws ManifestError `not-an-address` for other schemes.
 */
export function manifestAddress(text: string, here?: string, schemes: 'web' | 'made' = 'web'): string {
  const url = parseUrl(text.trim(), here);
  if (schemes === 'made' && /^(?:blob|data):$/.test(url?.protocol ?? '')) {
    return url?.href ?? '';
  }
  if (text.trim() === '' || url === null || !/^https?:$/.test(url.protocol)) {
    throw new ManifestError('not-an-address', { name: text.trim().slice(0, manifestLimits.textLength) });
  }
  const release = releaseOfPage(url);
  if (release !== null) {
    const { type, id, beta } = release;
    return new URL(`api/firmware/shared/${type}/${id}${beta ? '?channel=beta' : ''}`, url).href;
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

/**
 * Loads and reads a manifest.
 *
 * @param address From `manifestAddress`.
 * @throws ManifestError for every failure; the signal's reason when it is aborted.
 */
export async function loadManifest(address: string, request: ManifestRequest): Promise<ManifestRelease> {
  const limit = request.limits?.size ?? manifestLimits.size;
  const tooLarge = () => new ManifestError('too-large', { limit: `${limit / 1_024} KB` });
  const answer = await get(address, { headers: { accept: 'application/json' }, cache: 'no-cache' }, request);
  const bytes = await readBounded(answer, address, { limit, tooLarge, signal: request.signal });
  return readManifest(givenText(bytes), address, request.page);
}

/**
 * Loads one file and compares it with its stated size and hash. A page without `crypto.subtle`, over plain http,
 * cannot compare the hash.
 *
 * @param onProgress Receives the number of bytes that have arrived.
 */
export async function loadManifestFile(
  file: ManifestFile,
  request: ManifestRequest,
  onProgress: (received: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const { name, address } = file;
  const { signal, limits } = request;
  const limit = limits?.fileSize ?? manifestLimits.fileSize;
  const tooLarge = () => new ManifestError('file-too-large', { name, limit: `${limit / 1_048_576} MB` });
  if (file.size !== null && file.size > limit) {
    throw tooLarge();
  }
  const answer = await get(address, {}, request, name);
  const bytes = await readBounded(answer, address, { limit, tooLarge, signal, onProgress });
  // Many servers answer with a page, and with status 200, for a file that is not there.
  if (textContents(bytes.subarray(0, PAGE_SAMPLE)) === 'web-page') {
    throw new ManifestError('web-page', { host: new URL(address).host, address, name });
  }
  if (file.size !== null && file.size !== bytes.length) {
    throw new ManifestError('wrong-size', { name });
  }
  const canHash = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle !== undefined;
  if (file.sha256 !== null && canHash && file.sha256 !== hexOf(await sha256(bytes))) {
    throw new ManifestError('wrong-hash', { name });
  }
  signal.throwIfAborted();
  return bytes;
}

/**
 * Loads all files of a build. A file that the build lists twice is requested once.
 *
 * @param onProgress Receives the number of bytes of all files that have arrived.
 */
export async function loadBuildFiles(
  { files, fault = null }: Pick<ManifestBuild, 'files'> & Partial<Pick<ManifestBuild, 'fault'>>,
  request: ManifestRequest,
  onProgress: (received: number) => void = () => undefined,
): Promise<LoadedManifestFile[]> {
  if (fault !== null) {
    throw new ManifestError(fault.code, { text: fault });
  }
  const limit = request.limits?.buildSize ?? manifestLimits.buildSize;
  const ending = new AbortController();
  const own = { ...request, signal: AbortSignal.any([request.signal, ending.signal]) };
  const received = new Map<string, number>();
  const loads = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const load = (file: ManifestFile) => {
    const running = loads.get(file.address);
    if (running !== undefined) {
      return running;
    }
    const started = loadManifestFile(file, own, (bytes) => {
      received.set(file.address, bytes);
      const total = [...received.values()].reduce((sum, part) => sum + part, 0);
      if (total > limit) {
        const tooLarge = { name: file.name, limit: `${limit / 1_048_576} MB together with the others` };
        ending.abort(new ManifestError('file-too-large', tooLarge));
      }
      onProgress(total);
    });
    loads.set(file.address, started);
    return started;
  };
  try {
    return await Promise.all(files.map(async (file) => ({ file, bytes: await load(file) })));
  } catch (error) {
    // Ends the other requests. A reason that was given before stays.
    ending.abort(error);
    throw ending.signal.reason;
  }
}

async function get(address: string, init: RequestInit, request: ManifestRequest, name?: string): Promise<Response> {
  const { fetch, signal, isSecurePage } = request;
  const { host, protocol, hostname } = new URL(address);
  if (isSecurePage && protocol === 'http:' && !isLoopback(hostname)) {
    throw new ManifestError('mixed-content', { host });
  }
  const plain: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer', signal };
  let answer: Response;
  try {
    answer = await fetch(address, { ...plain, ...init });
  } catch (cause) {
    signal.throwIfAborted();
    // Browsers hide the cause of a failure. Elsewhere it is known, and no page is kept from reading an answer.
    const isHidden = !(cause instanceof Error) || cause.cause === undefined;
    const isReachable = isHidden && (await answersAtAll(address, plain, fetch));
    signal.throwIfAborted();
    throw new ManifestError(isReachable ? 'no-cors' : 'unreachable', { host, address, cause });
  }
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new ManifestError('refused-by-server', { host, status: answer.status, ...(name !== undefined && { name }) });
  }
  return answer;
}

/**
 * Returns true if the server answers a request whose answer the page cannot read. Browsers do not tell a missing CORS
 * header from an unreachable server in another way.
 */
async function answersAtAll(address: string, plain: RequestInit, fetch: ManifestRequest['fetch']): Promise<boolean> {
  try {
    const answer = await fetch(address, { ...plain, method: 'HEAD', mode: 'no-cors' });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns true for a host of a URL that browsers load from over http even on a secure page (W3C Secure Contexts, section
 * 3.1): only this machine answers under it.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

interface ReadBounds {
  /** In bytes. */
  readonly limit: number;
  readonly tooLarge: () => ManifestError;
  readonly signal: AbortSignal;
  readonly onProgress?: (received: number) => void;
}

async function readBounded(
  answer: Response,
  address: string,
  { limit, tooLarge, signal, onProgress }: ReadBounds,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let received = 0;
  const reader = answer.body?.getReader();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      signal.throwIfAborted();
      received += next.value.length;
      if (received > limit) {
        throw tooLarge();
      }
      parts.push(next.value);
      onProgress?.(received);
    }
  } catch (error) {
    await reader?.cancel().catch(() => undefined);
    signal.throwIfAborted();
    throw error instanceof ManifestError
      ? error
      : new ManifestError('unreachable', { host: new URL(address).host, cause: error });
  }
  return joined(...parts);
}
