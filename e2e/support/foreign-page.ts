/** A third party's page on another origin, with the button of ESP Web Tools. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** Code of the tools in the form that their package ships to pages, `dist/web`. */
const tools = join(dirname(createRequire(import.meta.url).resolve('esp-web-tools/package.json')), 'dist', 'web');

export interface ForeignPage extends AsyncDisposable {
  readonly address: string;
}

/**
 * Serves the page.
 *
 * @param markup Content of the page's body.
 */
export async function serveForeignPage(markup: string): Promise<ForeignPage> {
  const html = `<!doctype html><title>A maker's page</title><script type="module" src="/install-button.js"></script>${markup}`;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path.endsWith('.js')) {
      response.setHeader('content-type', 'text/javascript');
      createReadStream(join(tools, basename(path)))
        .on('error', () => response.writeHead(404).end())
        .pipe(response);
    } else {
      response.setHeader('content-type', 'text/html').end(html);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') {
    throw new Error('The page got no port.');
  }
  return {
    address: `http://localhost:${bound.port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
