/** All screens of the product by name, and the steps to reach each. Used by `npm run screenshots`. */

import type { Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { esp32BenchPage, pagePaths, staticPages } from '@wirebench/contract';
import * as flasher from './flasher-screens.ts';
import * as lab from './lab-screens.ts';
import * as releases from './release-screens.ts';
import * as sharing from './sharing-screens.ts';
import { signIn } from './sign-in.ts';
import * as terminal from './terminal-screens.ts';

type Way = (page: Page) => Promise<void>;

export interface Screen {
  /** Reaches the screen from an empty browser. */
  readonly reach: Way;
  /** Reopens parts that close when the window becomes narrower. */
  readonly again?: Way;
  /** Reaches the screen again for every width or every picture, because it would close or change in between. */
  readonly anew?: 'width' | 'picture';
}

/** A page that is complete once its heading is there, with an optional action. */
const at = (path: string, act?: Way): Screen => ({
  reach: async (page) => {
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.getByRole('heading').first().waitFor();
    await act?.(page);
  },
});

/** The same for a signed-in account. */
const signedIn = (account: string, path: string, act?: Way): Screen => ({
  reach: async (page) => {
    await page.goto(pagePaths.home);
    await signIn(page, account);
    await at(path, act).reach(page);
  },
});

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search docs' });
const showAgain = (part: Parameters<typeof lab.showPart>[1]) => async (page: Page) => {
  await lab.showPart(page, part);
};
const dialog = (page: Page) => page.getByRole('dialog');

interface Releases {
  /** Query of a share link, such as `type=version&id=…`. */
  readonly demo: string;
  /** Share ID of the project of `examples.ts`. */
  readonly example: string;
}

export function screensOf({ demo, example }: Releases): Readonly<Record<string, Screen>> {
  return {
    home: at(pagePaths.home),
    'home-choose-family': at(pagePaths.home, async (page) => {
      await press('Firmware flasher')(page);
      await dialog(page).waitFor();
    }),
    'home-video': at(pagePaths.home, async (page) => {
      await press('Watch the Serial terminal video')(page);
      await dialog(page).locator('summary').click();
    }),
    'home-menu': {
      ...at(pagePaths.home, async (page) => {
        const menu = page.getByRole('button', { name: 'Menu', exact: true });
        if (await menu.isVisible()) {
          await menu.click();
        }
      }),
      anew: 'width',
    },
    'home-account': { ...signedIn('maker', pagePaths.home, press('Account of maker')), anew: 'width' },
    feedback: signedIn('maker', pagePaths.home, async (page) => {
      await press('Feedback')(page);
      await dialog(page).getByRole('button', { name: 'Send' }).click();
    }),
    intro: at(pagePaths.intro),
    share: { reach: sharing.sharing },
    'share-guest': { reach: sharing.watching },
    'share-flasher': { reach: sharing.sharingFlasher },
    'esp32-app': at(pagePaths.esp32),
    lab: at(esp32BenchPage),
    'lab-open': { reach: lab.open },
    'lab-at-work': { reach: lab.atWork, again: showAgain('I2C') },
    'lab-pins': { reach: lab.driven },
    'lab-locked-pin': { reach: lab.locked },
    'lab-i2c': { reach: lab.scanned, again: showAgain('I2C') },
    'lab-analog': { reach: lab.sampling, again: showAgain('Analog') },
    'lab-counter': { reach: lab.counting, again: showAgain('Counter') },
    'lab-spi': { reach: lab.exchanged, again: showAgain('SPI') },
    'lab-capture': { reach: lab.captured, again: showAgain('Capture') },
    'lab-device': { reach: lab.measured, again: showAgain('Device') },
    'lab-uart': { reach: lab.bridged, again: showAgain('UART') },
    'lab-registers': { reach: lab.registersRead, again: showAgain('Registers') },
    privacy: at(pagePaths.privacy),
    terms: at(pagePaths.terms),
    unknown: at('/nowhere'),
    terminal: at(pagePaths.uart),
    'terminal-at-work': { reach: terminal.atWork },
    'terminal-two-boards': { reach: terminal.twoBoards },
    'terminal-find': { reach: terminal.finding },
    'terminal-hex': { reach: terminal.inHex },
    'terminal-settings': {
      reach: async (page) => {
        await terminal.atWork(page);
        await terminal.showSettings(page);
      },
      again: terminal.showSettings,
    },
    'terminal-unplugged': { reach: terminal.unplugged },
    'terminal-plot': { reach: terminal.plotting },
    'terminal-crash': { reach: terminal.crashed },
    'terminal-core-dump': { reach: terminal.dumped },
    'terminal-statistics': { reach: terminal.counted },
    'terminal-baud': { reach: terminal.searchingBaud },
    'terminal-panel': {
      reach: terminal.withPanel,
      again: async (page) => {
        await terminal.showPanels(page);
      },
    },
    'terminal-library': { reach: terminal.inLibrary, anew: 'width' },
    'terminal-unsupported': { reach: terminal.unsupported },
    'esp-flasher-page': at(pagePaths.espFlasher),
    flasher: at(staticPages.espFlasher),
    'flasher-release': {
      reach: async (page) => {
        await page.goto(`${staticPages.espFlasher}?${demo}`);
        await flasher.connectDemoBoard(page);
      },
    },
    'flasher-planned': { reach: flasher.planned },
    'flasher-writing': { reach: flasher.writing, anew: 'picture' },
    'flasher-done': { reach: flasher.done },
    'flasher-refused': { reach: flasher.refused },
    'flasher-unplugged': { reach: flasher.unplugged },
    'stm-flasher': at(staticPages.stmFlasher),
    'stm-flasher-planned': { reach: flasher.stmPlanned },
    'nrf-flasher': at(staticPages.nrfFlasher),
    'nrf-flasher-planned': { reach: flasher.nrfPlanned },
    'avr-flasher': at(staticPages.avrFlasher),
    'avr-flasher-planned': { reach: flasher.avrPlanned },
    'rp-flasher': at(staticPages.rpFlasher),
    'rp-flasher-planned': { reach: flasher.rpPlanned },
    releases: at(pagePaths.releases),
    'releases-signed-in': signedIn('maker', pagePaths.releases),
    'releases-projects': { reach: releases.projects },
    'releases-new-project': signedIn('maker', pagePaths.releases, async (page) => {
      await press('New project')(page);
      await press('Create project')(page);
    }),
    'releases-new-version': { reach: releases.newVersion },
    'releases-delete': { reach: releases.deleting },
    'releases-tokens': { reach: releases.tokens },
    'release-version': at(`${staticPages.release}?${demo}`),
    'release-project': at(releasePath('project', example)),
    'release-gone': at(releasePath('project', 'AAAAAAAAAAAAAAAAAAAAAA')),
    'admin-refused': at(pagePaths.admin),
    admin: signedIn('admin', pagePaths.admin),
    'docs-terminal': at(pagePaths.uartDocs),
    'docs-search': {
      ...at(pagePaths.uartDocs, (page) => searchField(page).fill('regular express')),
      again: async (page) => {
        if (!(await searchField(page).isVisible())) {
          await page.locator('[aria-controls=docs-contents]').click();
        }
      },
    },
    'docs-flasher': at(pagePaths.espFlasherDocs),
    'docs-releases': at(pagePaths.releasesDocs),
    'docs-esp32': at(pagePaths.esp32Docs),
  };
}
