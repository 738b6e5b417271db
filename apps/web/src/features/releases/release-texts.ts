/**
 * Texts of the release manager for failed calls (docs/behaviour.md, "Releases"). The contract holds the texts of the
 * rules.
 */

export type ItemType = 'project' | 'version';

export const releaseFailureText = {
  load: (message: string) => `Failed to load projects: ${message}`,
  createProject: (message: string) => `Failed to create project: ${message}`,
  createVersion: (message: string) => `Failed to create version: ${message}`,
  checkUniqueness: (message: string) => `Failed to check version uniqueness: ${message}`,
  share: (type: ItemType) => `Failed to share ${type}`,
  toggle: (type: ItemType) => `Failed to toggle ${type} sharing`,
  describe: (type: ItemType) => `Failed to update ${type} description`,
  channel: (version: string) => `Failed to move version ${version}`,
  elfOfBuild: (build: string, message: string) => `The ELF file of the build for ${build} is missing: ${message}`,
  page: 'Failed to change the page',
  elf: (message: string) => `Failed to upload the ELF file: ${message}`,
  act: (action: 'delete', type: ItemType) => `Failed to ${action} ${type}`,
} as const;
