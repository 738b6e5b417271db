/** Every screen of the product, by name: the way to it, from an empty browser. Used by `npm run screenshots`. */
import type { Page } from '@playwright/test';
import { releasePath, staticPages } from '@wirebench/contract';
import * as flasher from './flasher-screens.ts';
import * as releases from './release-screens.ts';
import { signIn } from './sign-in.ts';
import * as terminal from './terminal-screens.ts';

export const themes = ['dark', 'light'] as const;
export const widths = [390, 768, 1_440] as const;

type Screen = (page: Page) => Promise<void>;

/** A page that is complete when its heading is there. */
const at =
  (path: string): Screen =>
  async (page) => {
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.getByRole('heading').first().waitFor();
  };

interface Releases {
  /** The query of a share link, such as `type=version&id=…`. */
  readonly demo: string;
  /** Share id of the project of `examples.ts`. */
  readonly example: string;
}

export function screensOf({ demo, example }: Releases): Readonly<Record<string, Screen>> {
  return {
    home: at('/'),
    'home-choose-family': async (page) => {
      await at('/')(page);
      await page.getByRole('button', { name: 'Firmware flasher', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
    'home-video': async (page) => {
      await at('/')(page);
      await page.getByRole('button', { name: 'Watch the Serial terminal video' }).click();
      await page.getByRole('dialog').locator('summary').click();
    },
    intro: at('/intro'),
    'esp32-app': at('/app/wirebench-esp32'),
    privacy: at('/privacy'),
    terms: at('/terms'),
    unknown: at('/nowhere'),
    terminal: at('/app/uart'),
    'terminal-at-work': terminal.atWork,
    'terminal-two-boards': terminal.twoBoards,
    'terminal-find': terminal.finding,
    'terminal-hex': terminal.inHex,
    'terminal-plot': terminal.plotting,
    'terminal-crash': terminal.crashed,
    'terminal-panel': terminal.withPanel,
    'terminal-library': terminal.inLibrary,
    'terminal-unsupported': terminal.unsupported,
    'esp-flasher-page': at('/app/esp-flasher'),
    flasher: at('/esp_flasher.html'),
    'flasher-release': async (page) => {
      await page.goto(`${staticPages.espFlasher}?${demo}`);
      await flasher.connectDemoBoard(page);
    },
    'flasher-planned': flasher.planned,
    'flasher-writing': flasher.writing,
    'flasher-done': flasher.done,
    'flasher-refused': flasher.refused,
    'flasher-unplugged': flasher.unplugged,
    releases: at('/app/releases'),
    'releases-signed-in': async (page) => {
      await at('/app/releases')(page);
      await signIn(page, 'maker');
    },
    'releases-projects': releases.projects,
    'releases-new-version': releases.newVersion,
    'release-version': at(`${staticPages.release}?${demo}`),
    'release-project': at(releasePath('project', example)),
    'release-gone': at('/release.html?type=project&id=AAAAAAAAAAAAAAAAAAAAAA'),
    'admin-refused': at('/admin'),
    admin: async (page) => {
      await at('/')(page);
      await signIn(page, 'admin');
      await at('/admin')(page);
    },
    'docs-terminal': at('/app/uart/docs'),
    'docs-flasher': at('/app/esp-flasher/docs'),
    'docs-releases': at('/app/releases/docs'),
  };
}
