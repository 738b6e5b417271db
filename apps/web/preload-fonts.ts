import type { Plugin } from 'vite';

/**
 * Lets the document fetch fonts before its style sheet asks for them.
 * @param fonts the beginnings of the files' names, in the order in which they are wanted.
 */
export function preloadFonts(fonts: readonly string[]): Plugin {
  let base = '/';
  return {
    name: 'wirebench:preload-fonts',
    apply: 'build',
    configResolved(config) {
      base = config.base;
    },
    transformIndexHtml(_html, { bundle = {}, filename }) {
      // The sign-in windows close before a font could matter.
      if (/\/sign-(?:in|out)-callback\.html$/.test(filename)) {
        return [];
      }
      return fonts.flatMap((font) => {
        const file = Object.keys(bundle).find((name) => name.includes(`/${font}-`) && name.endsWith('.woff2'));
        if (file === undefined) {
          throw new Error(`The build has no font ${font} to preload.`);
        }
        const attrs = { rel: 'preload', href: `${base}${file}`, as: 'font', type: 'font/woff2', crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' as const }];
      });
    },
  };
}
