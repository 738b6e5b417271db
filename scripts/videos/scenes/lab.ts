/** The hardware debugger: finds a bus, plots a sensor, and decodes a captured transfer. */
import { pagePaths } from '@wirebench/contract';
import type { Scene } from '../scene.ts';

export const lab: Scene = {
  still: 0.55,
  async prepare(page) {
    await page.goto(pagePaths.esp32);
    await page.getByRole('link', { name: 'Try the Demo ESP32 bench' }).waitFor();
  },
  async play(actor) {
    const { page } = actor;
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    const [i2c, device, capture] = [region('I2C'), region('Device'), region('Logic capture')];
    await actor.say('A bare ESP32 becomes a bench instrument. Nothing is flashed.');
    await actor.say('The demo board is simulated, with sensors on its pins.');
    await actor.click(page.getByRole('link', { name: 'Try the Demo ESP32 bench' }));
    await page.getByRole('button', { name: 'Leave' }).waitFor();
    await actor.say('The board answers from its boot ROM, and its pins are live.');
    await actor.look(1.5);
    await actor.say('Find my I2C looks for the bus on all free pins.');
    await actor.click(i2c.getByRole('button', { name: 'Find my I2C' }));
    const found = i2c.getByRole('status').filter({ hasText: 'SDA 21 SCL 22' });
    await found.waitFor();
    await actor.click(found.getByRole('button', { name: 'Use these pins' }));
    await page.getByText('Identified by register 0xD0 = 0x60').waitFor();
    await actor.say('Five devices answer. A register says that one is a BME280.', 'top');
    await actor.click(page.getByRole('button', { name: 'Open JKit for 0x76' }));
    await device.getByRole('heading', { name: 'BME280' }).waitFor();
    await actor.say('Its JKit knows the set-up and the formulas.', 'top');
    await actor.click(device.getByRole('button', { name: 'Initialise…' }));
    await actor.click(page.getByRole('dialog').getByRole('button', { name: 'Initialise', exact: true }));
    await device.getByText('initialised at').waitFor();
    await device.getByLabel('Every').selectOption('250 ms');
    await actor.say('Live reads it again and again, and plots what it says.', 'top');
    await actor.click(device.getByRole('button', { name: 'Live' }));
    await actor.look(3);
    await actor.say('A program in RAM captures the wires themselves.');
    await actor.click(page.getByRole('button', { name: 'Load RAM program' }));
    await page.getByRole('button', { name: 'Back to ROM' }).waitFor();
    await actor.click(page.getByRole('tab', { name: 'Capture' }));
    await capture.getByLabel('Begin').selectOption('At an I2C transfer');
    const form = capture.getByRole('form', { name: 'Capture a transfer' });
    await form.getByRole('textbox', { name: 'Address' }).fill('0x76');
    await actor.click(form.getByRole('textbox', { name: 'Write' }));
    await actor.press('ControlOrMeta+A');
    await actor.type('D0');
    await actor.click(form.getByRole('button', { name: 'Capture this transfer' }));
    await capture.getByRole('table', { name: 'Decoded transfers' }).getByText('R 60').waitFor();
    await actor.say('Each byte is decoded: register D0 of 0x76 holds 60.', 'top');
    await actor.look(3);
    await actor.say('Leave releases all pins and restarts the board.');
    await actor.click(page.getByRole('button', { name: 'Leave' }));
    await page.getByRole('button', { name: /^Try the Demo ESP32 bench/ }).waitFor();
    await actor.look(1);
  },
};
