/** Paths of the calls about the page of a project. Without a theme, they are the paths of the routes. */
import { sharedFirmwareRoot } from './firmware-paths.ts';
import type { PictureTheme } from './picture-rules.ts';

const themeQuery = (theme: PictureTheme | undefined): string => (theme === undefined ? '' : `?theme=${theme}`);

export const picturePaths = {
  /** Sentence, and alternative text of the picture. */
  page: (projectId: string) => `/api/firmware/project/${projectId}/update-page`,
  own: (projectId: string, theme?: PictureTheme) => `/api/firmware/project/${projectId}/picture${themeQuery(theme)}`,
  /** The picture of a public item, by its share ID. */
  shared: (type: 'project' | 'version', shareId: string, theme?: PictureTheme) =>
    `${sharedFirmwareRoot}${type}/${shareId}/picture${themeQuery(theme)}`,
} as const;
