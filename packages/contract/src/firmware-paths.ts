/**
 * Paths of the firmware and token calls. IDs need no encoding. The server builds its routes with the same functions
 * and passes `:id` as the ID.
 */
export const firmwarePaths = {
  projects: '/api/firmware/projects',
  newProject: '/api/firmware/project',
  project: (id: string) => `/api/firmware/project/${id}`,
  projectDescription: (id: string) => `/api/firmware/project/${id}/update-description`,
  projectShare: (id: string) => `/api/firmware/project/${id}/share`,
  projectShareRenewal: (id: string) => `/api/firmware/project/${id}/renew-share`,
  projectShareEnd: (id: string) => `/api/firmware/project/${id}/share-end`,
  projectSharing: (id: string) => `/api/firmware/project/${id}/toggle-sharing`,
  projectHistory: (id: string) => `/api/firmware/project/${id}/history`,
  projectPull: (id: string) => `/api/firmware/project/${id}/pull`,
  versions: (projectId: string) => `/api/firmware/versions/${projectId}`,
  newVersion: '/api/firmware/version',
  version: (id: string) => `/api/firmware/version/${id}`,
  versionDescription: (id: string) => `/api/firmware/version/${id}/update-description`,
  versionConsole: (id: string) => `/api/firmware/version/${id}/update-console`,
  versionChannel: (id: string) => `/api/firmware/version/${id}/update-channel`,
  versionShare: (id: string) => `/api/firmware/version/${id}/share`,
  versionShareRenewal: (id: string) => `/api/firmware/version/${id}/renew-share`,
  versionShareEnd: (id: string) => `/api/firmware/version/${id}/share-end`,
  versionSharing: (id: string) => `/api/firmware/version/${id}/toggle-sharing`,
  versionFlashes: (id: string) => `/api/firmware/version/${id}/flashes`,
  versionFile: (id: string, fileId: string) => `/api/firmware/version/${id}/files/${fileId}`,
  /** With a build's id, the ELF file of that build. The build of the simple form has the version's id, and its file. */
  versionElf: (id: string, buildId: string = id) =>
    `/api/firmware/version/${id}/elf${buildId === id ? '' : `?build=${buildId}`}`,
  /** Finds an ELF file of the caller's by its hash. */
  elf: '/api/firmware/elf',
  versionCrashes: (id: string) => `/api/firmware/version/${id}/crashes`,
  versionCrash: (id: string, fingerprint: string) => `/api/firmware/version/${id}/crashes/${fingerprint}`,
  crashDump: (id: string, fingerprint: string, exampleId: string) =>
    `/api/firmware/version/${id}/crashes/${fingerprint}/dumps/${exampleId}`,
} as const;

/** Everyone may read the paths below this one, from any origin. */
export const sharedFirmwareRoot = '/api/firmware/shared/';

/** Paths of public items, by share ID. */
export const sharedFirmwarePaths = {
  item: (type: 'project' | 'version', shareId: string) => `${sharedFirmwareRoot}${type}/${shareId}`,
  file: (type: 'project' | 'version', shareId: string, fileId: string) =>
    `${sharedFirmwareRoot}${type}/${shareId}/files/${fileId}`,
  /** Manifest for ESP Web Tools. For a project, it is the manifest of the newest public version. */
  manifest: (type: 'project' | 'version', shareId: string) => `${sharedFirmwareRoot}${type}/${shareId}/manifest.json`,
  badge: (type: 'project' | 'version', shareId: string) => `${sharedFirmwareRoot}${type}/${shareId}/badge.svg`,
  flashes: (shareId: string) => `${sharedFirmwareRoot}version/${shareId}/flashes`,
  crashes: (shareId: string) => `${sharedFirmwareRoot}version/${shareId}/crashes`,
} as const;

export const tokenPaths = {
  tokens: '/api/tokens',
  token: (id: string) => `/api/tokens/${id}`,
} as const;
