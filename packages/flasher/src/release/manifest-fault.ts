/** Failures of opening a release by the address of its manifest, with a text for each. */
import type { FailureText } from '../core/flash-failure.ts';
import type { JsonFault } from '../images/json-fields.ts';
import { parseUrl } from './parse-url.ts';

export type ManifestFailure =
  | 'not-an-address'
  | 'mixed-content'
  | 'no-cors'
  | 'unreachable'
  | 'refused-by-server'
  | 'too-large'
  | 'not-json'
  | 'web-page'
  | 'not-a-manifest'
  | 'no-builds'
  | 'too-many-builds'
  | 'too-many-files'
  | 'unusable-file'
  | 'unusable-address'
  | 'encrypted-file'
  | 'file-too-large'
  | 'wrong-size'
  | 'wrong-hash';

/** Values for the texts. Each text uses those that it needs. */
interface ManifestFaultDetail {
  /** Host and port of the address: `firmware.example`. */
  readonly host?: string;
  /** The address itself, for hosts that are known. */
  readonly address?: string;
  /** Beginning of a sentence that names a build. */
  readonly build?: string;
  /** Number of its files. */
  readonly count?: number;
  /** Sentence that another reader has for the fault. */
  readonly what?: string;
  readonly json?: JsonFault;
  /** Name of a file, or the text that is no address. */
  readonly name?: string;
  /** Status of the server's answer. */
  readonly status?: number;
  /** Limit, in words. */
  readonly limit?: string;
}

/** Hosts whose files are often named in manifests, and what their owners publish pages with. */
const hosting: readonly (readonly [domain: string, name: string, pages: string])[] = [
  ['github.com', 'GitHub', 'GitHub Pages'],
  ['githubusercontent.com', 'GitHub', 'GitHub Pages'],
  ['gitlab.com', 'GitLab', 'GitLab Pages'],
  ['codeberg.org', 'Codeberg', 'Codeberg Pages'],
  ['bitbucket.org', 'Bitbucket', 'a web host'],
  ['sourceforge.net', 'SourceForge', 'a web host'],
  ['drive.google.com', 'Google Drive', 'a web host'],
  ['dropbox.com', 'Dropbox', 'a web host'],
];

interface Hosting {
  readonly name: string;
  readonly pages: string;
  /** Address at which pages may read the same file; null if it has none. */
  readonly raw: string | null;
}

function hostingOf(address: string): Hosting | null {
  const url = parseUrl(address);
  const found = hosting.find(([domain]) => url?.hostname === domain || url?.hostname.endsWith(`.${domain}`));
  if (url === null || found === undefined) {
    return null;
  }
  const [domain, name, pages] = found;
  // `github.com/<owner>/<repository>/blob/<branch>/<path>`: the page about a file, and `raw`, which leads to the file.
  const [, repository, path] = /^(\/[^/]+\/[^/]+)\/(?:blob|raw)\/(.+)$/.exec(url.pathname) ?? [];
  const raw =
    domain === 'github.com' && path !== undefined ? `https://raw.githubusercontent.com${repository}/${path}` : null;
  return { name, pages, raw };
}

/** Says what works with files of a host that pages may not read. */
function remedyWithoutCors(address: string): string {
  const host = hostingOf(address);
  const ways = 'Download the file and drop it on the flasher, pull it into a release on a Wirebench server,';
  if (host === null) {
    return `${ways} or ask its owner to send “Access-Control-Allow-Origin: *”.`;
  }
  const own = host.raw === null ? '' : `Use the address of the file itself: ${host.raw}. Or: `;
  return `${own}${own === '' ? ways : ways.replace('Download', 'download')} or publish it with ${host.pages}.`;
}

function remedyForPage(address: string): string {
  const raw = hostingOf(address)?.raw ?? null;
  return raw === null
    ? 'Check the address: it leads to a page about the file, to a sign-in, or to nothing.'
    : `Use the address of the file itself: ${raw}`;
}

const file = ({ name }: ManifestFaultDetail) => (name === undefined ? 'The manifest' : `"${name}"`);

const texts = {
  'not-an-address': ({ name = '' }) => ({
    what: `"${name}" is not the address of a manifest.`,
    remedy: 'Use an address that begins with https:// or http://.',
  }),
  'mixed-content': ({ host }) => ({
    what: `This page is open over https, and the browser does not let it load files from ${host} over http.`,
    remedy: 'Use an https:// address, or download the files and choose them here.',
  }),
  'no-cors': ({ host, address = '' }) => ({
    what: `The server of ${host} does not send the header Access-Control-Allow-Origin, so the browser does not let this page read its files.`,
    remedy: remedyWithoutCors(address),
  }),
  unreachable: ({ host }) => ({
    what: `${host} could not be reached.`,
    remedy:
      'Check the address and the network. A browser extension or a Content-Security-Policy of this page can block it, too.',
  }),
  'refused-by-server': ({ host, status, ...detail }) => ({
    what: `${file(detail)} could not be loaded: ${host} answered ${status}.`,
    remedy: status === 404 ? 'Check the address: there is no such file.' : 'Try again later, or ask the publisher.',
  }),
  'too-large': ({ limit }) => ({
    what: `This file is larger than ${limit}, which no manifest is.`,
    remedy: 'Check the address: it must lead to a manifest, not to the firmware itself.',
  }),
  'not-json': ({ host, json }) => ({
    what: `The manifest from ${host} is not valid JSON. Line ${json?.line ?? 1}, column ${json?.column ?? 1}: ${json?.what ?? ''}`,
    remedy: `${json?.remedy ?? ''} If it is not yours, tell its publisher.`,
  }),
  'web-page': ({ host, address = '', name }) => ({
    what:
      name === undefined
        ? `The file from ${host} is not a manifest: it is a web page.`
        : `${host} answered with a web page instead of "${name}".`,
    remedy: remedyForPage(address),
  }),
  'not-a-manifest': ({ host }) => ({
    what: `The file from ${host} is not a manifest.`,
    remedy:
      'Use the address of an ESP Web Tools manifest, of a flasher_args.json, or of a release on a Wirebench server.',
  }),
  'no-builds': ({ build }) => ({
    what: build === undefined ? 'The manifest has no build that can be written.' : `${build} lists no files.`,
    remedy: 'Ask its publisher: each build needs a chip and at least one file.',
  }),
  'too-many-builds': ({ limit }) => ({
    what: `The manifest has more than ${limit} builds.`,
    remedy: 'Ask its publisher for a manifest with fewer builds.',
  }),
  'too-many-files': ({ limit, count, build = 'A build' }) => ({
    what: `${build} has ${count} files, and at most ${limit} are written at once.`,
    remedy: 'Ask its publisher to merge them.',
  }),
  'unusable-file': (detail) => ({
    what: detail.what ?? `${file(detail)} has no usable offset.`,
    remedy: 'Ask the publisher to correct the manifest.',
  }),
  'unusable-address': ({ build = 'The manifest', name = '' }) => ({
    what: `${build} has a file at "${name}", which is not an address on the web.`,
    remedy: 'Ask the publisher to correct the manifest.',
  }),
  'encrypted-file': (detail) => ({
    what: `${file(detail)} is to be encrypted while it is written, which a file from a manifest cannot be.`,
    remedy: 'Download the build, and choose its folder here.',
  }),
  'file-too-large': ({ limit, ...detail }) => ({
    what: `${file(detail)} is larger than ${limit}.`,
    remedy: 'Check the manifest: it must lead to firmware for this chip.',
  }),
  'wrong-size': (detail) => ({
    what: `${file(detail)} does not have the size that the manifest states.`,
    remedy: 'Try again. If it stays so, the publisher has changed the file without the manifest.',
  }),
  'wrong-hash': (detail) => ({
    what: `${file(detail)} is not the file that the manifest states: its SHA-256 differs.`,
    remedy: 'Try again. If it stays so, do not write it: ask the publisher.',
  }),
} satisfies Record<ManifestFailure, (detail: ManifestFaultDetail) => FailureText>;

/** Message is `what`, one or two sentences. */
export class ManifestError extends Error implements FailureText {
  readonly code: ManifestFailure;
  readonly what: string;
  readonly remedy: string;

  /** @param options With `text` in place of the sentences of the code. */
  constructor(
    code: ManifestFailure,
    { cause, text, ...detail }: ManifestFaultDetail & ErrorOptions & { readonly text?: FailureText } = {},
  ) {
    const { what, remedy } = text ?? texts[code](detail);
    super(what, cause === undefined ? {} : { cause });
    this.name = 'ManifestError';
    this.code = code;
    this.what = what;
    this.remedy = remedy;
  }
}
