import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { apiPaths } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { bearer, signIn } from './sign-in-steps.ts';

/** Parses a CSV file into rows (RFC 4180). */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '') {
      break;
    }
    if (end !== ',') {
      rows.push([]);
    }
  }
  return rows.filter((row) => row.length > 1);
}

const cards = (page: Page) => page.getByRole('list', { name: 'Feedbacks' }).getByRole('article');

test('25 feedbacks: pages, filter and a file that says the same', async ({ page, elsewhere }) => {
  await page.goto('/');
  await signIn(page, 'maker');
  const headers = await bearer(page);
  const begin = uniqueName('Feedback');
  const messages = Array.from({ length: 25 }, (_, index) => `${begin} number ${index}, "quoted", with a comma`);
  for (const message of messages) {
    const sent = await page.request.post(apiPaths.feedback, { headers, data: { email: 'ignored', message } });
    expect(sent.status()).toBe(201);
  }

  const admin = await elsewhere();
  await admin.goto('/admin');
  await expect(admin.getByRole('heading', { name: 'Admin Access Required' })).toBeVisible();
  const opened = admin.waitForEvent('popup');
  await admin.getByRole('button', { name: 'Login' }).click();
  await (await opened).getByRole('button', { name: /\badmin\b/ }).click();
  await expect(admin.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible();
  await expect(cards(admin)).toHaveCount(10);

  await admin.getByPlaceholder('Enter email to filter...').fill('MAKER@wirebench.example');
  await admin.getByRole('button', { name: 'Apply filter' }).click();
  await expect(admin.getByText(/^Page 1 of ([3-9]|\d{2,})$/)).toBeVisible();
  await expect(cards(admin).first()).toContainText('maker@wirebench.example');
  await admin.getByRole('button', { name: 'Next page' }).click();
  await expect(admin.getByText(/^Page 2 of/)).toBeVisible();

  const downloaded = admin.waitForEvent('download');
  await admin.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toMatch(/^feedbacks-export-\d{4}-\d{2}-\d{2}\.csv$/);
  const [, ...rows] = parseCsv((await readFile(await download.path(), 'utf8')).replace(/^\uFEFF/, ''));
  const exported = rows.map((row) => row.find((cell) => cell.startsWith(begin)));
  expect(exported.filter((message) => message !== undefined).toSorted()).toEqual(messages.toSorted());

  await admin.getByPlaceholder('Enter email to filter...').fill('nobody@wirebench.example');
  await admin.keyboard.press('Enter');
  await expect(admin.getByText('No feedbacks found.')).toBeVisible();
  await admin.getByRole('button', { name: 'Clear filter' }).click();
  await expect(cards(admin)).toHaveCount(10);
});
