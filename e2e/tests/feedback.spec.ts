import { holdClock } from '../support/hold-clock.ts';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { bearer, signIn } from './sign-in-steps.ts';

test('feedback is sent by its modal, which visitors have not, and read by the admin only', async ({
  page,
  elsewhere,
}) => {
  const message = uniqueName('Keep my port names after a reload, please. ');
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByRole('button', { name: /feedback/i })).toHaveCount(0);
  await signIn(page, 'maker');
  await page.getByRole('button', { name: 'Feedback', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send feedback' });
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.type(message);
  await expect(dialog.getByText(`${140 - message.length} characters left`)).toBeVisible();
  const answered = page.waitForResponse('**/api/feedback');
  await holdClock(page);
  await dialog.getByRole('button', { name: 'Send' }).click();
  expect((await answered).status()).toBe(201);
  const thanks = dialog.getByText('Feedback sent.');
  await expect(async () => {
    await page.clock.runFor(10);
    await expect(thanks).toBeVisible({ timeout: 100 });
  }).toPass();
  await page.clock.runFor(1_500);
  await expect(thanks).toBeVisible();
  await page.clock.resume();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Feedback', exact: true })).toBeFocused();

  const refused = await page.request.get('/api/feedback', { headers: await bearer(page) });
  expect(refused.status()).toBe(403);
  expect(await refused.json()).toMatchObject({
    message: "Access denied. You don't have permission to view feedback.",
  });

  const adminPage = await elsewhere();
  await adminPage.goto('/');
  await signIn(adminPage, 'admin');
  const headers = await bearer(adminPage);
  const list = await adminPage.request.get('/api/feedback', { headers });
  expect(await list.json()).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ message, email: 'maker@wirebench.example' })]),
  });
  const stats = await adminPage.request.get('/api/feedback/stats', { headers });
  expect((await stats.json()).totalFeedbacks).toBeGreaterThan(0);
  const csv = await adminPage.request.get('/api/feedback/export', { headers });
  expect(await csv.text()).toContain(message);
});
