/** The files in `data/`, with what other tools say of them. */
import { readFileSync } from 'node:fs';

/** `[key, line, …]` */
type ListedField = readonly [string, ...string[]];

export interface ListedFile {
  readonly name: string;
  readonly what: string;
  readonly sha256: string;
  readonly refuse?: true;
  readonly safe?: true;
  readonly hash?: 'right' | 'wrong';
  readonly signature?: 'right' | 'wrong';
  readonly picotool?: {
    /** Missing if picotool itself fails. */
    readonly exit?: number;
    readonly families?: readonly string[];
    readonly sections?: readonly { readonly title: string; readonly fields: readonly ListedField[] }[];
    readonly error?: string;
    readonly verdict?: null;
  };
  readonly romDrive?: {
    readonly restarts: boolean;
    readonly startsAt?: string;
    readonly changed: readonly { readonly from: number; readonly to: number; readonly sha256: string }[];
    readonly sha256: string;
  };
}

const folder = new URL('data/', import.meta.url);

export const listedFiles = JSON.parse(readFileSync(new URL('files.json', folder), 'utf8')) as readonly ListedFile[];

export const bytesOfFile = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, folder)));
