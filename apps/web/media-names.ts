/** Lets style sheets name the window sizes of `src/shared/styles/media.ts`: `@media (--phone)`. */
import type { CSSOptions } from 'vite';
import { media } from './src/shared/styles/media.ts';

const conditions = new Map<string, string>(Object.entries(media));

/** @throws a syntax error at the rule, for a name that nothing defines */
export const mediaNames: NonNullable<CSSOptions['postcss']> = {
  plugins: [
    {
      postcssPlugin: 'wirebench:media-names',
      AtRule: {
        media(rule) {
          rule.params = rule.params.replaceAll(/\(--([\w-]+)\)/g, (_, name: string) => {
            const condition = conditions.get(name);
            if (condition === undefined) {
              throw rule.error(`No window size is called --${name}.`, { word: name });
            }
            return condition;
          });
        },
      },
    },
  ],
};
