/** Reads the list of firmware beside the pages of the static edition, `releases.json`. People may write it by hand. */
import type { FlasherFamily } from '@wirebench/contract/constants';
import { fieldsOf, parseJson } from '../../shared/json.ts';
import { families } from '../../workbench/families.ts';

export interface ListedFirmware {
  readonly name: string;
  /** Empty if the list does not state it. */
  readonly version: string;
  /** Names of chips. */
  readonly chips: readonly string[];
  /** Path of the flasher's page with the manifest in its query. */
  readonly address: string;
}

/** Maximum number of lines that are shown. */
const maxLines = 100;

/** Returns the lines with a name and a manifest; null for a text that is no list. */
export function readFirmwareList(text: string): ListedFirmware[] | null {
  const { releases } = fieldsOf(parseJson(text));
  return Array.isArray(releases) ? releases.slice(0, maxLines).flatMap(readLine) : null;
}

function readLine(line: unknown): ListedFirmware[] {
  const { name, version, family, chips, manifest } = fieldsOf(line);
  if (typeof name !== 'string' || name.trim() === '' || typeof manifest !== 'string' || manifest.trim() === '') {
    return [];
  }
  const { page } = families[isFamily(family) ? family : 'esp'];
  return [
    {
      name: name.trim(),
      version: typeof version === 'string' ? version.trim() : '',
      chips: Array.isArray(chips) ? chips.filter((chip) => typeof chip === 'string') : [],
      address: `${page}?${new URLSearchParams({ manifest: manifest.trim() })}`,
    },
  ];
}

const isFamily = (value: unknown): value is FlasherFamily =>
  typeof value === 'string' && Object.hasOwn(families, value);
