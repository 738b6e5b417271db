import { signInFontPath } from '@wirebench/contract/constants';
import type { Plugin } from 'vite';

/**
 * A copy of a font of the build under a name without a hash, for the pages of the embedded identity provider: the server writes
 * those, and knows nothing of a build's names.
 * @param font the beginning of the file's name
 */
export function signInFont(font: string): Plugin {
  return {
    name: 'wirebench:sign-in-font',
    apply: 'build',
    generateBundle(_options, bundle) {
      const file = Object.values(bundle).find(({ fileName }) => fileName.includes(`/${font}-`));
      if (file?.type !== 'asset') {
        throw new Error(`The build has no font ${font} for the sign-in window.`);
      }
      this.emitFile({ type: 'asset', fileName: signInFontPath.slice(1), source: file.source });
    },
  };
}
