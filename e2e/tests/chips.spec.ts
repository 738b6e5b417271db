/**
 * Chip JKits: one person describes a chip, saves and shares it. Another finds it by its address, and a visitor opens
 * its link.
 */
import type { Page } from '@playwright/test';
import { jkitPaths, pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { uniqueName } from '../support/unique-name.ts';
import { bearer, type DemoAccount, signIn } from './sign-in-steps.ts';

const description = (page: Page) => page.getByRole('textbox', { name: 'Description', exact: true }).first();
const library = (page: Page) => page.getByRole('dialog', { name: 'JKit library' });

async function signedIn(page: Page, name: DemoAccount): Promise<Page> {
  await page.goto(pagePaths.esp32);
  await signIn(page, name);
  await page.getByRole('button', { name: 'Describe a chip' }).click();
  return page;
}

test('one describes, saves and shares a chip, the other finds it by its address, a visitor opens its link', async ({
  page,
  elsewhere,
}) => {
  test.slow();
  const name = uniqueName('chip');
  const part = name.toUpperCase();
  const maker = await signedIn(page, 'maker');
  const tinkerer = await signedIn(await elsewhere(), 'tinkerer');
  let id = '';
  try {
    await test.step('the editor of chips is accessible, and fits a phone', async () => {
      await maker.getByLabel('Start from').selectOption({ label: 'INA219: voltage, current, power' });
      await expect(maker.getByRole('region', { name: 'Registers of INA219' })).toBeVisible();
      expect(await findings(maker)).toEqual([]);
      await maker.setViewportSize({ width: 390, height: 844 });
      await expectToFit(maker);
      await maker.setViewportSize({ width: 1_440, height: 900 });
    });

    await maker.getByLabel('Start from').selectOption({ label: 'BH1750: ambient light' });
    await description(maker).fill((await description(maker).inputValue()).replace('BH1750FVI', part));
    await maker.getByRole('textbox', { name: 'Bytes (2)' }).fill('83 90');
    await expect(maker.getByText('28066.7 lx')).toBeVisible();
    await maker.getByRole('button', { name: `JKit library for ${part}` }).click();
    await library(maker).getByRole('button', { name: 'Save this chip' }).click();
    await library(maker).getByRole('textbox', { name: 'Name' }).fill(name);
    await library(maker).getByRole('button', { name: 'Save', exact: true }).click();
    await expectToast(maker, `${name} saved`);
    const headers = await bearer(maker);
    const { data } = await (await maker.request.get(`${jkitPaths.jkits}?type=chip&limit=100`, { headers })).json();
    id = (data as { _id: string; name: string }[]).find((jkit) => jkit.name === name)?._id ?? '';
    await maker.request.put(jkitPaths.jkit(id), { headers, data: { shared: true } });

    await tinkerer.getByRole('button', { name: /^JKit library for/ }).click();
    await library(tinkerer).getByRole('tab', { name: 'Explore' }).click();
    await library(tinkerer).getByRole('searchbox', { name: 'Search shared JKits' }).fill(`0x5c ${part}`);
    await library(tinkerer).getByRole('button', { name, exact: true }).click();
    await expect(library(tinkerer).getByRole('region', { name: `Registers of ${part}` })).toBeVisible();
    expect(await findings(tinkerer, { within: '[role="dialog"]' })).toEqual([]);

    const visitor = await elsewhere();
    await visitor.goto(`${pagePaths.esp32}?jkit=${id}`);
    await expect(description(visitor)).toHaveValue(new RegExp(part));
  } finally {
    if (id !== '') {
      await maker.request.delete(jkitPaths.jkit(id), { headers: await bearer(maker) });
    }
  }
});
