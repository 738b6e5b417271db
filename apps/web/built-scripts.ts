/** Vite plugin for scripts and programs with stable addresses beside the pages, which builds of their own make. */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

export interface BuiltScripts {
  /** Name of the plugin. */
  readonly name: string;
  /** Builds the scripts and writes them into the folder of the pages. */
  readonly write: (folder: string) => Promise<void>;
  /**
   * Builds a script for the development server.
   *
   * @param path Requested path without its leading `/`.
   * @returns null for the path of another file. A promise of undefined for a script that does not exist.
   */
  readonly read: (path: string) => Promise<string | Uint8Array | undefined> | null;
}

export function builtScripts({ name, write, read }: BuiltScripts): Plugin {
  let folder = '';
  return {
    name,
    configResolved({ root, build: { outDir } }) {
      folder = resolve(root, outDir);
    },
    // Runs before files are compressed.
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: () => write(folder),
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1);
        const script = read(path);
        if (script === null) {
          next();
          return;
        }
        script.then((code) => {
          response.statusCode = code === undefined ? 404 : 200;
          response.setHeader('content-type', path.endsWith('.tgz') ? 'application/gzip' : 'text/javascript').end(code);
        }, next);
      });
    },
  };
}
