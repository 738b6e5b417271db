/** Texts of the lines of a project's history. */
import type { HistoryEntry } from '@wirebench/contract';

const what = {
  'project-created': () => 'created the project',
  'project-described': () => 'changed the description of the project',
  'project-published': () => 'made the project public',
  'project-withdrawn': () => 'made the project private',
  'project-link-renewed': () => 'renewed the link of the project',
  'project-link-end-changed': () => 'changed when the link of the project expires',
  'version-created': (version) => `added version ${version}`,
  'version-described': (version) => `changed the description of version ${version}`,
  'version-published': (version) => `made version ${version} public`,
  'version-withdrawn': (version) => `made version ${version} private`,
  'version-link-renewed': (version) => `renewed the link of version ${version}`,
  'version-link-end-changed': (version) => `changed when the link of version ${version} expires`,
  'version-channel-changed': (version) => `moved version ${version} to another channel`,
  'version-console-changed': (version) => `changed the terminal set-up of version ${version}`,
  'version-elf-added': (version) => `added an ELF file to version ${version}`,
  'version-elf-removed': (version) => `removed the ELF file of version ${version}`,
  'version-deleted': (version) => `deleted version ${version}`,
} satisfies Record<HistoryEntry['action'], (version: string) => string>;

/** `mira.k added version 1.4.0`, with the publishing token that was used. */
export function historyText({ by, action, version, token }: HistoryEntry): string {
  const means = token === null ? '' : ` with the token "${token.name}"`;
  return `${by} ${what[action](version ?? '')}${means}`;
}
