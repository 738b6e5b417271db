/** Failures of opening a release by the address of its manifest, with a text for each. */
import type { FailureText } from '../core/flash-failure.ts';

export type ManifestFailure =
  | 'not-an-address'
  | 'mixed-content'
  | 'no-cors'
  | 'unreachable'
  | 'refused-by-server'
  | 'too-large'
  | 'not-a-manifest'
  | 'no-builds'
  | 'too-many-builds'
  | 'too-many-files'
  | 'unusable-file'
  | 'encrypted-file'
  | 'file-too-large'
  | 'wrong-size'
  | 'wrong-hash';

/** Values for the texts. Each text uses those that it needs. */
interface ManifestFaultDetail {
  /** Host and port of the address: `firmware.example`. */
  readonly host?: string;
  /** Name of a file, or the text that is no address. */
  readonly name?: string;
  /** Status of the server's answer. */
  readonly status?: number;
  /** Limit, in words. */
  readonly limit?: string;
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
  'no-cors': ({ host }) => ({
    what: `The server of ${host} does not send the header Access-Control-Allow-Origin, so the browser does not let this page read its files.`,
    remedy: 'Ask its owner to send “Access-Control-Allow-Origin: *”, or download the files and choose them here.',
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
  'not-a-manifest': ({ host }) => ({
    what: `The file from ${host} is not a manifest.`,
    remedy:
      'Use the address of an ESP Web Tools manifest, of a flasher_args.json, or of a release on a Wirebench server.',
  }),
  'no-builds': () => ({
    what: 'The manifest has no build that can be written.',
    remedy: 'Ask its publisher: each build needs a chip and at least one file.',
  }),
  'too-many-builds': ({ limit }) => ({
    what: `The manifest has more than ${limit} builds.`,
    remedy: 'Ask its publisher for a manifest with fewer builds.',
  }),
  'too-many-files': ({ limit, name = '' }) => ({
    what: `The build for ${name} has more than ${limit} files.`,
    remedy: 'Ask its publisher to merge them.',
  }),
  'unusable-file': (detail) => ({
    what: `${file(detail)} has no usable address or offset in the manifest.`,
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

  constructor(code: ManifestFailure, { cause, ...detail }: ManifestFaultDetail & ErrorOptions = {}) {
    const { what, remedy } = texts[code](detail);
    super(what, cause === undefined ? {} : { cause });
    this.name = 'ManifestError';
    this.code = code;
    this.what = what;
    this.remedy = remedy;
  }
}
